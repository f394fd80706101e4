package scenarios

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

// onDeadline is what becomes of a request that executes when its time is over.
type onDeadline string

var deadlines = []workload.Deadline{workload.NoDeadline, workload.DeadlineStops, workload.DeadlineIgnored}

func (onDeadline) legal() []string {
	var names []string
	for _, d := range deadlines {
		names = append(names, d.String())
	}
	return names
}

// The largest rate and capacity of a client's own limiter.
const (
	maxQPS   = 1e9
	maxBurst = 1_000_000
)

// pace sets what a client does to itself: its limiter, and its patience.
func (l *loader) pace(path string, s *clientSpec, p *workload.Population) {
	p.Limiter = l.limiter(join(path, "limiter"), s.Limiter)
	if s.Timeout != nil {
		p.Timeout = time.Duration(*s.Timeout)
		if p.Timeout == 0 {
			l.refuse(join(path, "timeout"), fault{code: CodeOutOfRange, message: join(path, "timeout") + " is 0",
				legal: "a duration above 0", hint: "leave it out for a client that waits for ever"})
		}
	}
	p.Deadline = deadlineOf(s.OnDeadline)
	l.warnOfPace(path, s, p)
}

// warnOfPace warns of clients whose new requests come on while each old one is sent again at
// once, without an end: what they send grows for as long as they are rejected. It warns too of
// deadlines that the server does not give.
func (l *loader) warnOfPace(path string, s *clientSpec, p *workload.Population) {
	if at := join(path, "retry"); p.Open != nil && p.Retry.Policy == workload.RetryImmediate && p.Retry.MaxRetries == 0 &&
		p.Timeout == 0 && p.Limiter == nil && l.sound(at) {
		l.c.warning(l.at(at), fault{code: CodeUnboundedRate, field: at,
			message: fmt.Sprintf("%s: a request that fails is sent again at once, for ever, while new ones come: what %s sends has no bound", at, p.Name),
			hint:    "maxRetries, timeout or limiter bounds it"})
	}
	server := time.Duration(value(l.spec.Server.RequestTimeout, duration(DefaultRequestTimeout)))
	for i := range s.Requests {
		at := join(index(join(path, "requests"), i), "timeout")
		if t := s.Requests[i].Timeout; t != nil && time.Duration(*t) > server && l.has(at) && l.sound(at) && l.sound("server.requestTimeout") {
			l.c.warning(l.at(at), fault{code: CodeNoEffect, field: at,
				message: fmt.Sprintf("%s is %s, and the server gives no request more than its own %s", at, durationText(time.Duration(*t)), durationText(server)),
				hint:    "server.requestTimeout is the server's"})
		}
	}
}

// deadlineOf returns the way to treat deadlines that a name stands for.
func deadlineOf(name onDeadline) workload.Deadline {
	for _, d := range deadlines {
		if d.String() == string(name) {
			return d
		}
	}
	return workload.NoDeadline
}

// limiter makes the limiter of each client. Without figures it is client-go's own.
func (l *loader) limiter(path string, s *limiterSpec) *limiter.Limiter {
	if s == nil {
		return nil
	}
	out := &limiter.Limiter{QPS: float32(value(s.QPS, float64(limiter.DefaultQPS))), Burst: value(s.Burst, limiter.DefaultBurst)}
	if q := value(s.QPS, 1); !(q > 0 && q <= maxQPS) || float32(q) == 0 {
		l.refuse(join(path, "qps"), fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is out of range: %g", join(path, "qps"), q),
			legal: fmt.Sprintf("requests per second, above 0 and at most %g", float64(maxQPS)), hint: qpsHint(q)})
	}
	l.inRange(join(path, "burst"), int64(out.Burst), 1, maxBurst)
	return out
}

func qpsHint(qps float64) string {
	switch {
	case qps == 0:
		return fmt.Sprintf("client-go takes 0 for its default, which is %g: leave it out for that", limiter.DefaultQPS)
	case qps < 0:
		return "client-go takes it for no limit: leave limiter out for that"
	}
	return ""
}
