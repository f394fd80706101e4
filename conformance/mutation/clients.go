package mutation

// clientTests hold clients against k8s.io/client-go.
const clientTests = "./clientgo"

// The files they are about.
const (
	limiterFile = "workload/limiter/limiter.go"
	stepsFile   = "workload/backoff/steps.go"
	itemFile    = "workload/backoff/item.go"
	requeueFile = "workload/backoff/requeue.go"
	retryFile   = "workload/retry.go"
	pacingFile  = "workload/pacing.go"
)

// policies are clients whose policies are wrong.
var policies = []Mutant{
	{Name: "token-rounded-up", Detail: "the wait for a token is rounded down to nanoseconds",
		Edits:   []Edit{{limiterFile, "return time.Duration(ns)", "return time.Duration(math.Ceil(ns))"}},
		Package: clientTests, Run: "TestBucket"},
	{Name: "token-other-order", Detail: "the wait for a token is computed in one order of operations",
		Edits:   []Edit{{limiterFile, "tokens / float64(l.QPS) * float64(time.Second)", "tokens * (float64(time.Second) / float64(l.QPS))"}},
		Package: clientTests, Run: "TestBucket"},
	{Name: "token-for-nothing", Detail: "a request whose token would come after its deadline takes none",
		Edits:   []Edit{{limiterFile, "\tif wait > patience {\n\t\treturn s, now, false", "\tif wait > patience {\n\t\treturn State{tokens: tokens, last: now, event: s.event}, now, false"}},
		Package: clientTests, Run: "TestWait"},
	{Name: "bucket-without-bottom", Detail: "a bucket holds no more than the burst",
		Edits:   []Edit{{limiterFile, "return min(s.tokens+l.tokensIn(elapsed), float64(l.Burst))", "return s.tokens + l.tokensIn(elapsed)"}},
		Package: clientTests, Run: "TestBucket"},
	{Name: "cancel-gives-all-back", Detail: "a request that is cancelled gives back what nobody has been promised since",
		Edits:   []Edit{{limiterFile, "back := 1 - l.tokensIn(s.event-at)", "back := 1 - 0*l.tokensIn(s.event-at)"}},
		Package: clientTests, Run: "TestWait"},
	{Name: "cancel-forgets-the-last", Detail: "when the last in the queue is cancelled, the one before is the last",
		Edits:   []Edit{{limiterFile, "next.event = before", "next.event = max(next.event, before)"}},
		Package: clientTests, Run: "TestBucket"},

	{Name: "jitter-compounds", Detail: "jitter has no part in the next delay",
		Edits:   []Edit{{stepsFile, "truncated(float64(s.Duration) * b.Factor)", "truncated(float64(delay) * b.Factor)"}},
		Package: clientTests, Run: "TestBackoff"},
	{Name: "cap-on-jitter", Detail: "the cap bounds a delay before jitter",
		Edits:   []Edit{{stepsFile, "\t\tdelay = Jitter(delay, b.Jitter, u)\n", "\t\tdelay = Jitter(delay, b.Jitter, u)\n\t\tif b.Cap > 0 && delay > b.Cap {\n\t\t\tdelay = b.Cap\n\t\t}\n"}},
		Package: clientTests, Run: "TestBackoff"},
	{Name: "reset-at-the-interval", Detail: "a backoff begins anew when more than its interval has passed",
		Edits:   []Edit{{stepsFile, "b.Interval > 0 && now-s.Time > b.Interval", "b.Interval > 0 && now-s.Time >= b.Interval"}},
		Package: clientTests, Run: "TestResetting"},
	{Name: "reset-after-rest", Detail: "the backoff of a reflector begins anew though it is asked all the time",
		Edits:   []Edit{{stepsFile, "\ts.Steps, delay = b.Backoff.Step(s.Steps, u)\n\treturn s, delay\n}\n\n// Idle", "\ts.Steps, delay = b.Backoff.Step(s.Steps, u)\n\ts.Time = now\n\treturn s, delay\n}\n\n// Idle"}},
		Package: clientTests, Run: "TestResetting"},
	{Name: "idle-from-the-beginning", Detail: "the older backoff begins anew when it has not been asked for its interval",
		Edits:   []Edit{{stepsFile, "\ts.Time = now\n", ""}},
		Package: clientTests, Run: "TestIdle"},
	{Name: "jitter-of-the-next", Detail: "flowcontrol.Backoff takes its jitter of the delay before",
		Edits:   []Edit{{itemFile, "s.Delay*2+b.jitter(s.Delay, u)", "s.Delay*2+b.jitter(s.Delay*2, u)"}},
		Package: clientTests, Run: "TestItem"},
	{Name: "sound-too-soon", Detail: "an item is sound when twice the longest delay has passed",
		Edits:   []Edit{{itemFile, "event-s.updated > b.Max*2", "event-s.updated > b.Max"}},
		Package: clientTests, Run: "TestItem"},
	{Name: "requeue-spares-tokens", Detail: "an item that fails takes a token although its own delay is the longer",
		Edits:   []Edit{{requeueFile, "\tnext, at := r.Bucket.Reserve(s, now)\n", "\tnext, at := r.Bucket.Reserve(s, now)\n\tif at-now < r.Item.When(failures) {\n\t\tnext = s\n\t}\n"}},
		Package: clientTests, Run: "TestRequeue"},
	{Name: "failures-one-more", Detail: "the first failure of an item costs the base delay",
		Edits:   []Edit{{requeueFile, "math.Ldexp(float64(f.Base), failures)", "math.Ldexp(float64(f.Base), failures+1)"}},
		Package: clientTests, Run: "TestFailures"},

	{Name: "retry-without-header", Detail: "what carries no Retry-After is not retried",
		Edits:   []Edit{{retryFile, "\t\tif a.RetryAfter > 0 {", "\t\tif a.RetryAfter >= 0 {"}},
		Package: clientTests, Run: "TestRetry"},
	{Name: "retry-of-429-only", Detail: "a 500, 503 or 504 with Retry-After is retried",
		Edits:   []Edit{{retryFile, "case TooManyRequests, Unavailable, TimedOut, Failed:", "case TooManyRequests:"}},
		Package: clientTests, Run: "TestRetry"},
	{Name: "retry-of-lost-writes", Detail: "a write whose connection broke is not retried",
		Edits:   []Edit{{retryFile, "\t\tif m != MethodWrite {", "\t\tif m <= MethodWatch {"}},
		Package: clientTests, Run: "TestRetry"},
	{Name: "retry-of-refused", Detail: "a connection that is refused is not retried",
		Edits:   []Edit{{retryFile, "\tcase Lost:\n", "\tcase Lost, Refused:\n"}},
		Package: clientTests, Run: "TestRetry"},
	{Name: "retry-once-more", Detail: "ten retries, not eleven",
		Edits:   []Edit{{retryFile, "return attempt > r.maxRetries()", "return attempt > r.maxRetries()+1"}},
		Package: clientTests, Run: "TestRetry"},
	{Name: "watch-throttled", Detail: "the first attempt of a watch passes the limiter by",
		Edits:   []Edit{{pacingFile, "m == MethodWatch && attempt == 0", "m == MethodWatch && attempt < 0"}},
		Package: clientTests, Run: "TestRetry"},
	{Name: "retries-throttled-for-ever", Detail: "a retry whose token would come after the time limit fails at once",
		Edits:   []Edit{{pacingFile, "case patience > 0:", "case patience < 0:"}},
		Package: clientTests, Run: "TestRetry"},
	{Name: "pause-cut-short", Detail: "a client whose pause ends after its time limit waits for the end of that",
		Edits:   []Edit{{pacingFile, "return patience, true, true", "return now, false, false"}},
		Package: clientTests, Run: "TestRetry"},
}
