package workload

import "time"

// RetryPolicy is how a client reacts to a rejection.
type RetryPolicy uint8

// The retry policies.
const (
	// RetryNone gives up at once.
	RetryNone RetryPolicy = iota
	// RetryClientGo does what client-go's rest client does by default: it waits as long
	// as the Retry-After header says, and gives up after a number of retries.
	RetryClientGo
)

// String returns the name that scenario files use.
func (p RetryPolicy) String() string {
	return [...]string{"none", "client-go"}[p]
}

// DefaultMaxRetries is client-go's limit (rest/request.go, v0.37.2).
const DefaultMaxRetries = 10

// Retry is the reaction of a client to a 429.
type Retry struct {
	Policy RetryPolicy
	// MaxRetries bounds the retries after the first try; 0 means DefaultMaxRetries.
	MaxRetries int
}

// Delay tells how long to wait before the next try, and whether there is one. attempt is
// the number of rejections so far, 1 after the first; retryAfter is the header's value in
// seconds.
//
// As in client-go's rest/with_retry.go (v0.37.2): the wait is the header's value and
// nothing else, without jitter or growth, and the request is given up on the rejection
// that follows the last permitted retry.
func (r Retry) Delay(attempt, retryAfter int) (time.Duration, bool) {
	if r.Policy != RetryClientGo || attempt > r.maxRetries() {
		return 0, false
	}
	return time.Duration(retryAfter) * time.Second, true
}

func (r Retry) maxRetries() int {
	if r.MaxRetries == 0 {
		return DefaultMaxRetries
	}
	return r.MaxRetries
}
