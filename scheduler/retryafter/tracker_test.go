package retryafter

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// burst is a number of drops in one second.
type burst struct {
	second, drops int64
}

// run feeds the bursts to the tracker and returns the answer given in each, the last
// one of the second (all are the same).
func run(t *testing.T, bursts []burst) string {
	t.Helper()
	var tracker Tracker
	answers := ""
	for _, b := range bursts {
		first := 0
		for i := range b.drops {
			now := time.Duration(b.second)*time.Second + time.Duration(i)
			got := tracker.Dropped(now)
			if i == 0 {
				first = got
			} else if got != first {
				t.Fatalf("second %d: answer %d, after %d in the same second", b.second, got, first)
			}
		}
		answers += fmt.Sprint(first, " ")
	}
	return answers
}

// every returns bursts of n drops in all seconds from one to another.
func every(from, to, n int64) (bursts []burst) {
	for s := from; s < to; s++ {
		bursts = append(bursts, burst{s, n})
	}
	return bursts
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		bursts []burst
		want   string
	}{
		{"the first drop ever", []burst{{0, 1}}, "1 "},
		{"two drops a second are too few", every(0, 5, 2), "1 1 1 1 1 "},
		{"three in the second before double it, at once", []burst{{0, 3}, {1, 1}}, "1 2 "},
		{"the current second does not count", []burst{{0, 2}, {1, 9}, {2, 1}}, "1 1 2 "},
		// At 2 a raise needs 6 drops in 2 seconds, and 2 seconds since the last.
		{"a raise has to rest", every(0, 12, 100), "1 2 2 4 4 4 4 8 8 8 8 8 "},
		{"up to 32 and no further", append(every(0, 40, 100), burst{90, 1}),
			"1 2 2 4 4 4 4 8 8 8 8 8 8 8 8 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 32 32 32 32 32 32 32 32 32 31 "},
		{"steady: as many drops as seconds, fewer than three times", every(0, 4, 1), "1 1 1 1 "},
		{"fewer drops than seconds take one off",
			[]burst{{0, 3}, {1, 6}, {2, 6}, {3, 1}, {20, 1}, {40, 1}, {60, 1}, {80, 1}}, "1 2 2 4 3 2 1 1 "},
		{"going down needs no rest", []burst{{0, 3}, {1, 3}, {2, 3}, {3, 1}, {9, 1}, {10, 1}, {11, 1}}, "1 2 2 4 3 2 2 "},
		{"no drops, no change", []burst{{0, 3}, {1, 1}, {3600, 1}}, "1 2 1 "},
		{"second 0 is a second as any other", []burst{{0, 3}, {1, 3}, {2, 3}, {3, 3}}, "1 2 2 4 "},
		{"so is a late one", []burst{{1000, 3}, {1001, 3}, {1002, 3}, {1003, 3}}, "1 2 2 4 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run(t, c.bursts); got != c.want {
				t.Errorf("answers %v\nwant    %v", got, c.want)
			}
		})
	}
}

// At 32 the answer depends on 32 seconds, each with one drop here: enough to stay,
// but not with any of them forgotten.
func TestTheLongestAnswerLooksBackTheLongest(t *testing.T) {
	var tracker Tracker
	for s := range 200 * time.Second / time.Second {
		drops := 100
		if s > 31 {
			drops = 1
		}
		for range drops {
			tracker.Dropped(s * time.Second)
		}
	}
	if got := tracker.Answer(); got != 32 {
		t.Errorf("the answer is %d, want 32", got)
	}
}

func TestAnswerIsTheLatestOne(t *testing.T) {
	var tracker Tracker
	if got := tracker.Answer(); got != 1 {
		t.Errorf("the answer before any drop is %d, want 1", got)
	}
	for range 3 {
		tracker.Dropped(time.Second)
	}
	tracker.Dropped(2 * time.Second)
	if got := tracker.Answer(); got != 2 {
		t.Errorf("the answer is %d, want 2", got)
	}
}

func TestSecondsAreWholeOnesSinceTheStart(t *testing.T) {
	var tracker Tracker
	for range 3 {
		tracker.Dropped(5*time.Second - 1)
	}
	if got := tracker.Dropped(5*time.Second - 1); got != 1 {
		t.Errorf("still in second 4: %d, want 1", got)
	}
	if got := tracker.Dropped(5 * time.Second); got != 2 {
		t.Errorf("second 5: %d, want 2", got)
	}
}

func TestTimeMustNotGoBackwards(t *testing.T) {
	for _, times := range [][]time.Duration{{3 * time.Second, 2 * time.Second}, {-1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic at %v", times)
				}
			}()
			var tracker Tracker
			for _, now := range times {
				tracker.Dropped(now)
			}
		}()
	}
}

func TestDroppedAllocatesNothing(t *testing.T) {
	var tracker Tracker
	now := time.Duration(0)
	if n := testing.AllocsPerRun(1000, func() {
		now += 300 * time.Millisecond
		tracker.Dropped(now)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// reference is the rule with no economy: it forgets nothing.
type reference struct {
	drops  map[int64]int64
	answer int64
	latest int64
	raised int64
}

func (r *reference) dropped(second int64) int64 {
	if second != r.latest {
		r.latest = second
		var recent int64
		for s := second - r.answer; s < second; s++ {
			recent += r.drops[s]
		}
		if second-r.raised >= r.answer && recent >= 3*r.answer {
			r.answer, r.raised = min(2*r.answer, 32), second
		} else if recent < r.answer && r.answer > 1 {
			r.answer--
		}
	}
	r.drops[second]++
	return r.answer
}

func TestAgainstATrackerThatForgetsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tracker Tracker
		r := reference{drops: map[int64]int64{}, answer: 1, latest: -1, raised: -1 << 40}
		second := rapid.Int64Range(0, 100).Draw(t, "start")
		for range rapid.IntRange(1, 200).Draw(t, "bursts") {
			drops := rapid.SampledFrom([]int{1, 1, 2, 3, 5, 20, 60}).Draw(t, "drops")
			for range drops {
				want := int(r.dropped(second))
				if got := tracker.Dropped(time.Duration(second) * time.Second); got != want {
					t.Fatalf("second %d: %d, want %d", second, got, want)
				}
			}
			second += rapid.SampledFrom([]int64{0, 1, 1, 1, 1, 1, 2, 3, 8, 31, 32, 33, 63, 64, 65, 128}).Draw(t, "gap")
		}
	})
}
