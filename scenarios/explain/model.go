package explain

// The version and kind of the JSON form. The version changes when a field changes its
// meaning, and not when one is added.
const (
	APIVersion = "apfsim.dev/v1alpha1"
	Kind       = "Explanation"
)

// Explanation is what is said of one request. Durations are in Go's form.
type Explanation struct {
	APIVersion        string `json:"apiVersion"`
	Kind              string `json:"kind"`
	KubernetesVersion string `json:"kubernetesVersion"`
	// ServerSeats is the number of seats that the server has in all.
	ServerSeats int     `json:"serverSeats"`
	Request     Request `json:"request"`
	// Timeout is the deadline that the client asks for, "" for none.
	Timeout string `json:"timeout,omitempty"`
	// Notes say what was taken for granted about the request.
	Notes []string `json:"notes,omitempty"`
	// Bypass says why the request passes API Priority and Fairness by. All that follows is
	// then absent.
	Bypass string  `json:"bypass,omitempty"`
	Match  *Match  `json:"match,omitempty"`
	Others []Other `json:"others,omitempty"`
	Level  *Level  `json:"priorityLevel,omitempty"`
	Flow   *Flow   `json:"flow,omitempty"`
	Seats  *Seats  `json:"seats,omitempty"`
	Wait   *Wait   `json:"wait,omitempty"`
}

// Origin is where an object comes from.
type Origin struct {
	// BuiltIn tells that the object comes with the release and nobody wrote it.
	BuiltIn bool `json:"builtIn"`
	// At is file:line:column of what is spoken of, "" if BuiltIn.
	At string `json:"at,omitempty"`
}

// Part is a part of a FlowSchema: a rule, a subject or a line of rules.
type Part struct {
	// Path is its path within the object: spec.rules[0].subjects[1].
	Path string `json:"path"`
	// At is file:line:column, "" for a built-in object.
	At string `json:"at,omitempty"`
	// Text shows it.
	Text string `json:"text"`
}

// Match is the FlowSchema that takes a request, and why.
type Match struct {
	FlowSchema string `json:"flowSchema"`
	Origin
	Precedence int32 `json:"matchingPrecedence"`
	// Fallback tells that no schema accepts the request: it is catch-all's because
	// somebody has to take it. Rule, Subject and Line are then absent.
	Fallback bool `json:"fallback,omitempty"`
	// Rule is the first rule that accepts the request, Subject the first of its subjects
	// and Line the first of its resourceRules, or nonResourceRules, that do.
	Rule    *Part `json:"rule,omitempty"`
	Subject *Part `json:"subject,omitempty"`
	Line    *Part `json:"line,omitempty"`
}

// Other is a FlowSchema that does not take the request.
type Other struct {
	FlowSchema string `json:"flowSchema"`
	Origin
	Precedence    int32  `json:"matchingPrecedence"`
	PriorityLevel string `json:"priorityLevel"`
	// Earlier tells that it was tried before the one that takes the request.
	Earlier bool `json:"earlier"`
	// Accepts tells that it would have accepted the request, had it been its turn.
	Accepts bool `json:"accepts"`
	// Dangling tells that the server ignores it: its priority level does not exist.
	Dangling bool `json:"dangling,omitempty"`
	// Nearest is the rule that comes nearest to accepting the request, or accepts it; ""
	// for a schema without rules.
	Nearest string `json:"nearestRule,omitempty"`
	// Failed names the parts of that rule that do not fit: subject, kind, verb, apiGroup,
	// resource, namespace, path.
	Failed []string `json:"failed,omitempty"`
	// Why says it in words, one reason for each.
	Why []string `json:"why"`

	distance int
}

// Level is the priority level that serves the request.
type Level struct {
	Name string `json:"name"`
	Origin
	// Response is exempt, Queue or Reject.
	Response string `json:"response"`
	// NominalSeats and the bounds of borrowing, absent for an exempt level.
	NominalSeats int `json:"nominalSeats,omitempty"`
	MinSeats     int `json:"minSeats,omitempty"`
	MaxSeats     int `json:"maxSeats,omitempty"`
	// IdleSeats is the limit in force while no level has any demand.
	IdleSeats int `json:"idleSeats,omitempty"`
	// NominalArithmetic is how NominalSeats comes about.
	NominalArithmetic string `json:"nominalArithmetic,omitempty"`
	Queues            int    `json:"queues,omitempty"`
	HandSize          int    `json:"handSize,omitempty"`
	QueueLengthLimit  int    `json:"queueLengthLimit,omitempty"`
}

// Flow is the flow of the request at its level.
type Flow struct {
	// Method is ByUser, ByNamespace or "" for one flow of all requests of the schema.
	Method string `json:"distinguisherMethod,omitempty"`
	// Distinguisher tells it from the other flows of the schema.
	Distinguisher string `json:"distinguisher,omitempty"`
	// Hashed tells that the server computes the hash and deals a hand; it does so for
	// levels with several queues.
	Hashed bool `json:"hashed"`
	// Hash is hexadecimal, HashDecimal the same number; texts, because JSON has no
	// numbers of 64 bits.
	Hash        string `json:"hash,omitempty"`
	HashDecimal string `json:"hashDecimal,omitempty"`
	// Hand lists the indexes of the queues in the order of the deal.
	Hand []int32 `json:"hand,omitempty"`
}

// Seats is the work that the server expects of the request.
type Seats struct {
	// Initial is how many seats it holds while it executes.
	Initial int `json:"initial"`
	// Final is how many it goes on to hold for AdditionalLatency after that.
	Final             int    `json:"final,omitempty"`
	AdditionalLatency string `json:"additionalLatency,omitempty"`
	// UpTo is how many initial seats it may be instead, if what is Missing is large; 0 if
	// nothing is missing.
	UpTo int `json:"upTo,omitempty"`
	// Estimator is list, watch, write or other.
	Estimator string `json:"estimator"`
	// Source is cache or storage, for what is estimated like a LIST; SourceReason says why.
	Source       string `json:"source,omitempty"`
	SourceReason string `json:"sourceReason,omitempty"`
	// Steps are the arithmetic, in order.
	Steps []Step `json:"steps"`
	// Missing says what has to be known for an estimate that is worth something, "" if
	// nothing is missing.
	Missing string `json:"missing,omitempty"`
}

// Step is one step of an arithmetic: what it computes, and how.
type Step struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Wait is what happens when no seat is free.
type Wait struct {
	// Limit is how long the request may wait, "" if it never does or nothing limits it.
	Limit string `json:"limit,omitempty"`
	// Arithmetic is how Limit comes about, or why there is none; "" if it never waits.
	Arithmetic string `json:"arithmetic,omitempty"`
	// AtLimit says what happens when all seats are taken.
	AtLimit []string `json:"atLimit"`
	// RetryAfter says what a rejected client is told.
	RetryAfter string `json:"retryAfter,omitempty"`
}
