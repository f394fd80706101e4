// Package explain says what kube-apiserver's API Priority and Fairness would make of one
// request under a configuration: which FlowSchema takes it and which rule, subject and
// line decide that, why every other schema does not, which flow it belongs to and which
// queues that flow is dealt, how many seats it takes and by what arithmetic, how long it
// may wait, and what happens at the limit.
//
// What it says is not computed a second time: the decisions are those of a
// scheduler.Server with that configuration, and the arithmetic that is shown is checked
// against them.
package explain
