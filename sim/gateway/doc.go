// Package gateway is a gateway of layer 7 before the API servers, as large platforms run
// one: it knows who asks what, and admits, limits, routes and refuses by rules, before any
// API server and its APF have seen the request.
//
// It is passive: Admit tells what becomes of a request at a time, Done that it is over. It
// knows nothing of events, servers or APF, and never queues. Whom it refuses gets 429 or
// 503 at once; its refusals are counted apart from those of APF.
//
// # What it looks at, in this order
//
//  1. The first rule that matches. If none does, the request passes without limits or is
//     refused, as configured.
//  2. Degradation: which rules are let in at this time, and which share of them.
//  3. The in-flight limit of the rule.
//  4. The token bucket of the rule. It comes last, so that a refusal takes no token.
//
// # Cost
//
// Users with their groups, and targets, are interned. All subjects that satisfy the same
// rules are one class, and so are all targets; which rule holds for two classes is worked
// out once, so that finding the rule of a request is a look into a table.
package gateway
