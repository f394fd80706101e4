package recording

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestLives holds the silences that are found against those that are there, whatever the order in
// which signs of life come.
func TestLives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var all []span
		for range 1 + r.IntN(40) {
			begin := r.Int64N(int64(5 * time.Minute))
			all = append(all, span{begin, begin + r.Int64N(int64(4*time.Second))})
		}
		var l Lives
		for _, s := range all {
			l.Add(1, s.begin, s.end)
		}
		for _, s := range all {
			last, next := l.After(1, s.begin)
			if wantLast, wantNext := silenceAfter(all, s.begin); last != wantLast || next != wantNext {
				t.Fatalf("%v: after %d: %d to %d, want %d to %d", all, s.begin, last, next, wantLast, wantNext)
			}
		}
	}
}

// silenceAfter finds the first silence after a time by following what overlaps it.
func silenceAfter(all []span, at int64) (last, next int64) {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b span) int { return int(a.begin - b.begin) })
	last, next = at, Never
	for _, s := range all {
		if s.begin > last+int64(Silence) {
			next = s.begin
			break
		}
		last = max(last, s.end)
	}
	return last, next
}

// TestLivesAreBounded: with more silences than are kept only the long ones are.
func TestLivesAreBounded(t *testing.T) {
	var l Lives
	at := int64(0)
	for range 3 * spansMax {
		l.Add(0, at, at)
		at += int64(4 * time.Second)
	}
	if n := len(l.servers[0].list); n > spansMax {
		t.Errorf("%d spans", n)
	}
	end := at - int64(4*time.Second)
	l.Add(0, at+int64(time.Hour), at+int64(time.Hour))
	if last, next := l.After(0, 0); last != end || next != at+int64(time.Hour) {
		t.Errorf("%d to %d, want %d to %d", last, next, end, at+int64(time.Hour))
	}
	if last, next := l.After(7, 5); last != 5 || next != Never {
		t.Errorf("of a server that nobody knows: %d to %d", last, next)
	}
}

// TestOrdinarySilences: a server that is often silent for a time is so for no reason, but not for longer.
func TestOrdinarySilences(t *testing.T) {
	var l Lives
	at := int64(0)
	for n := 1; n <= ordinaryFrom+1; n++ {
		l.Add(0, at, at)
		if got := l.Ordinary(0, int64(10*time.Second)); got != (n > ordinaryFrom) {
			t.Errorf("after %d silences of 10 s: %t", n-1, got)
		}
		at += int64(10 * time.Second)
	}
	l.Add(0, at+int64(time.Hour), at+int64(time.Hour))
	if !l.Ordinary(0, int64(20*time.Second)) {
		t.Error("20 s are not ordinary")
	}
	if l.Ordinary(0, int64(21*time.Second)) || l.Ordinary(7, int64(10*time.Second)) {
		t.Error("a silence is ordinary that is longer than the others, or of a server that nobody knows")
	}
}
