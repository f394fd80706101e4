package clientgo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/worldtest"
)

// A play is what a server does, as a function of the time: how it answers each request, and which
// numbers are drawn. The real client and ours are given the same play, and must send the same
// requests at the same times. All times are odd, so that nothing happens at the same instant
// whose order is left to the Go scheduler.
type play struct {
	seed  uint64
	start time.Time // of the real client
	// windows are times in which the server does not do well, and what it does then.
	windows []trouble
	// usual is the longest time that a request takes otherwise.
	usual time.Duration

	mu   sync.Mutex
	sent []string
}

// trouble is a time in which one in so many requests fails in a way, after a time at most.
type trouble struct {
	from, to time.Duration
	oneIn    uint64
	longest  time.Duration
	status   []workload.Status
}

// mix is a hash of some numbers.
func mix(numbers ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, n := range numbers {
		h ^= n
		h *= 0xbf58476d1ce4e5b9
		h ^= h >> 31
		h *= 0x94d049bb133111eb
		h ^= h >> 29
	}
	return h
}

// uniform is the number that is drawn at a time: a multiple of 2^-53.
func (p *play) uniform(at time.Duration) float64 {
	return float64(mix(p.seed, uint64(at), 1)>>11) / (1 << 53)
}

// respond is the server.
func (p *play) respond(at time.Duration, r worldtest.Request) (time.Duration, workload.Answer) {
	h := mix(p.seed, uint64(at), uint64(r.Client), uint64(r.Request))
	after := func(longest time.Duration) time.Duration { return 1 + time.Duration(h%uint64(longest)) }
	for _, w := range p.windows {
		if at >= w.from && at < w.to && (h>>40)%w.oneIn == 0 {
			return after(w.longest), workload.Answer{Status: w.status[(h>>20)%uint64(len(w.status))]}
		}
	}
	return after(p.usual), workload.Answer{}
}

// now is the time of the real client.
func (p *play) now() time.Duration { return time.Since(p.start) }

// call is a request of the real client: it is noted, and takes its time.
func (p *play) call(ctx context.Context, client, request int32, since time.Duration) (workload.Status, error) {
	if err := ctx.Err(); err != nil {
		return workload.TimedOut, err // it is not sent
	}
	at := p.now()
	p.note(at, client, request, since)
	after, a := p.respond(at, worldtest.Request{Client: client, Request: request, Since: since})
	select {
	case <-ctx.Done():
		return workload.TimedOut, ctx.Err()
	case <-time.After(after):
		return a.Status, nil
	}
}

func (p *play) note(at time.Duration, client, request int32, since time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := ""
	if since > 0 {
		text = fmt.Sprintf(" since %v", since)
	}
	p.sent = append(p.sent, fmt.Sprintf("%v client %d sends %d%s", at, client, request, text))
}

// sends are the lines of a journal that tell of requests, and of other things that are asked for.
func sends(lines []string, also ...string) []string {
	var out []string
	for _, line := range lines {
		keep := strings.Contains(line, " sends ")
		for _, what := range also {
			keep = keep || strings.Contains(line, what)
		}
		if keep {
			out = append(out, line)
		}
	}
	return out
}

// equal compares what both have sent, up to the length of the shorter one, which must be of a
// length at least.
func equal(t *testing.T, what any, got, want []string, least int) {
	t.Helper()
	n := min(len(got), len(want))
	if n < least {
		t.Fatalf("%+v: %d and %d requests: too few to mean anything\ngot %q\nwant %q", what, len(got), len(want), got[max(0, len(got)-5):], want[max(0, len(want)-5):])
	}
	for i := range n {
		if got[i] != want[i] {
			from := max(0, i-12)
			t.Fatalf("%+v: line %d is %q, want %q; before it\n%s", what, i, got[i], want[i], strings.Join(slices.Concat(want[from:i], []string{"--", "ours:"}, got[from:i]), "\n"))
		}
	}
	if d := len(got) - len(want); d > 2 || d < -2 {
		t.Fatalf("%+v: %d requests, want %d", what, len(got), len(want))
	}
}

// drawTroubles draws times of trouble in a run.
func drawTroubles(n uint64, run time.Duration, longest time.Duration, status ...workload.Status) []trouble {
	r := random(n)
	var out []trouble
	for range 1 + r.IntN(6) {
		from := time.Duration(r.Int64N(int64(run)))
		out = append(out, trouble{
			from: from, to: from + exponential(r, run/10),
			oneIn:   pick[uint64](r, 1, 1, 2, 3),
			longest: 1 + exponential(r, longest),
			status:  []workload.Status{pick(r, status...), pick(r, status...)},
		})
	}
	return out
}
