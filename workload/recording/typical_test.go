package recording

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// What is assumed of many requests has the mean and the spread of what was recorded of requests
// like them, and of the most like them.
func TestTypicalIsSpreadAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var typical Typical
	draw := func(median float64) time.Duration {
		return time.Duration(median * math.Exp(0.8*random.NormFloat64()) * float64(time.Second))
	}
	of := func(user string) Request { return Request{Verb: "list", Resource: "pods", User: user} }
	users := []struct {
		name   string
		median float64
	}{{"ann", 0.1}, {"bob", 1}}
	for range 20000 {
		for _, u := range users {
			q := of(u.name)
			typical.Learn(&q, draw(u.median))
		}
	}
	for _, u := range users {
		user, median := u.name, u.median
		var sum float64
		below := 0
		const n = 20000
		for i := range n {
			q := of(user)
			q.Received = int64(i) * 1000
			d := typical.Of(&q)
			if again := typical.Of(&q); again != d {
				t.Fatalf("%v and then %v for the same request", d, again)
			}
			sum += d.Seconds()
			if d.Seconds() < median {
				below++
			}
		}
		if mean, want := sum/n, median*math.Exp(0.32); math.Abs(mean/want-1) > 0.15 {
			t.Errorf("%s: the mean is %.3g s, recorded %.3g s", user, mean, want)
		}
		if share := float64(below) / n; math.Abs(share-0.5) > 0.06 {
			t.Errorf("%s: a share of %.3f is below the median", user, share)
		}
	}
}

// However many kinds there are, the figures that are kept are bounded, and each kind has some.
func TestTypicalIsBounded(t *testing.T) {
	var typical Typical
	for i := range 200 {
		for user := range 100 {
			q := Request{Verb: "get", Resource: "pods", User: fmt.Sprint(user)}
			typical.Learn(&q, time.Duration(i)*time.Millisecond)
		}
	}
	kept := 0
	for _, s := range typical.samples {
		kept += len(s.values)
	}
	if kept != typical.kept {
		t.Errorf("%d figures are kept, and %d counted", kept, typical.kept)
	}
	typical.kept = figureMax // full
	q := Request{Verb: "get", Resource: "pods", User: "7"}
	for range 1000 {
		typical.Learn(&q, 5*time.Second)
	}
	if typical.kept > figureMax {
		t.Errorf("%d figures are kept, more than %d", typical.kept, figureMax)
	}
	late := false
	for i := range 100 {
		q.Received = int64(i)
		late = late || typical.Of(&q) == 5*time.Second
	}
	if !late {
		t.Error("what came when the memory was full is forgotten")
	}
}
