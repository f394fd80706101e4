package seats

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

//go:embed testdata/agent-sandbox.yaml
var agentSandbox string

// figure is the value of a level that a step is about, as text.
func (l *Level) figure(name string) string {
	if name == "waitLimit" {
		return l.Queuing.WaitLimit.String()
	}
	n, known := l.number(name)
	if !known {
		return "no figure"
	}
	return strconv.FormatInt(n, 10)
}

func (l *Level) number(name string) (int64, bool) {
	switch name {
	case "nominal":
		return int64(l.Nominal), true
	case "min":
		return int64(l.Min), true
	case "max":
		return int64(l.Max), true
	case "idle":
		return int64(*l.Idle), true
	case "alone":
		return int64(*l.Alone), true
	case "maxSeats":
		return int64(l.maxSeats), true
	case "widestList":
		return int64(l.WidestList), true
	case "widestWatch":
		return int64(l.WidestWatch), true
	case "widestWrite":
		return int64(l.WidestWrite), true
	case "queuedByOneFlow":
		return l.Queuing.QueuedByOneFlow, true
	case "queuedInAll":
		return l.Queuing.QueuedInAll, true
	case "bytes":
		return l.Queuing.Bytes, true
	}
	return 0, false
}

// The overlay's page divides and drops the fraction; the server rounds up.
func TestAgentSandbox(t *testing.T) {
	for _, c := range []struct {
		reads, writes  int
		critical, bulk string
	}{
		{400, 200, "ceil(600 × 40 / 310) = ceil(77.419…) = 78", "ceil(600 × 25 / 310) = ceil(48.387…) = 49"},
		{3000, 1000, "ceil(4000 × 40 / 310) = ceil(516.129…) = 517", "ceil(4000 × 25 / 310) = ceil(322.580…) = 323"},
	} {
		made := table(t, input(t, "1.37", c.reads, c.writes, agentSandbox))
		for name, want := range map[string]string{"agent-sandbox-critical": c.critical, "agent-sandbox-bulk": c.bulk} {
			if got := made.Explain(made.level(name)).Steps[0].Arithmetic; got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}

// A bound that is in the way, a weight of nothing, and nothing left to divide.
func TestIdleArithmetic(t *testing.T) {
	level := Level{Min: 64, Max: 128}
	for _, c := range []struct {
		idle     int
		min      int
		fraction float64
		want     string
	}{
		{128, 64, 2.25, "min(64 × 2.25, 128) = min(144, 128) = 128"},
		{96, 64, 1.5, "64 × 1.5 = 96"},
		{3, 1, 2.5, "round(1 × 2.5) = round(2.5) = 3"},
		{1, 0, 1000, "0.001 × 1000 = 1"},
		{64, 64, 0, "64"},
	} {
		level.Idle, level.Min = &c.idle, c.min
		made := Table{idleFraction: c.fraction}
		if got := made.idle(&level).Arithmetic; got != c.want {
			t.Errorf("%v of %d: %s, want %s", c.fraction, c.min, got, c.want)
		}
	}
}

// A quarter of the deadline, the longest wait there is, and the deadline itself, as up to
// 1.28.4.
func TestWaitArithmetic(t *testing.T) {
	for _, c := range []struct {
		timeout, limit time.Duration
		want           string
	}{
		{time.Minute, 15 * time.Second, "1m / 4 = 15s"},
		{10 * time.Minute, time.Minute, "min(10m / 4, 1m) = 1m"},
		{time.Minute, time.Minute, "1m"},
	} {
		made := Table{requestTimeout: c.timeout}
		if got := made.waitLimit(c.limit).Arithmetic; got != c.want {
			t.Errorf("%v: %s, want %s", c.timeout, got, c.want)
		}
	}
}

// The arithmetic of every figure ends with the figure, and each equation holds that has
// no function and no ellipsis in it. Configurations are drawn at random.
func TestArithmeticHolds(t *testing.T) {
	in := input(t, "1.37", 400, 200)
	stock := in.Scheduler.PriorityLevels
	var versions []release.Version
	for minor := 20; minor <= 37; minor++ {
		versions = append(versions, release.Version{Minor: minor, Patch: release.Newest})
	}
	rapid.Check(t, func(t *rapid.T) {
		in := in
		in.Scheduler.Release = rapid.SampledFrom(versions).Draw(t, "release")
		in.Server = Server{Seats: rapid.IntRange(1, 10_000).Draw(t, "seats")}
		in.Scheduler.Seats = in.Server.Seats
		in.Scheduler.PriorityLevels = nil
		for i := range stock {
			in.Scheduler.PriorityLevels = append(in.Scheduler.PriorityLevels, drawn(t, stock[i]))
		}
		made, err := For(in)
		if err != nil {
			t.Fatal(err)
		}
		for i := range made.Levels {
			l := &made.Levels[i]
			for _, s := range made.Explain(l).Steps {
				want := l.figure(s.Figure)
				if got := s.Arithmetic[strings.LastIndexByte(s.Arithmetic, ' ')+1:]; got != want {
					t.Fatalf("%s %s = %s: %s", l.Name, s.Figure, want, s.Arithmetic)
				}
				checkEquations(t, s.Arithmetic)
			}
		}
	})
}

// drawn changes the figures of a level.
func drawn(t *rapid.T, l scheduler.PriorityLevel) scheduler.PriorityLevel {
	l.Shares = rapid.Int32Range(0, 200).Draw(t, l.Name+" shares")
	l.LendablePercent = rapid.Int32Range(0, 100).Draw(t, l.Name+" lendable")
	l.BorrowingLimitPercent = rapid.Int32Range(-1, 300).Draw(t, l.Name+" borrowing")
	if l.Queuing != nil {
		q := *l.Queuing
		q.HandSize = rapid.Int32Range(1, q.HandSize).Draw(t, l.Name+" hand")
		l.Queuing = &q
	}
	return l
}

// checkEquations evaluates the parts of a chain that are two numbers and an operator, and
// compares them with the next part.
func checkEquations(t *rapid.T, chain string) {
	parts := strings.Split(chain, " = ")
	for i := range len(parts) - 1 {
		left, ok := value(parts[i])
		right, whole := value(parts[i+1])
		if ok && whole && left != right {
			t.Fatalf("%q is no equation: %v and %v", chain, left, right)
		}
	}
}

// value evaluates "7", "ceil(7.5)", "7 × 5" and the like.
func value(text string) (float64, bool) {
	for name, f := range map[string]func(float64) float64{"ceil": math.Ceil, "round": math.Round} {
		if inner, ok := strings.CutPrefix(text, name+"("); ok {
			x, err := strconv.ParseFloat(strings.TrimSuffix(inner, ")"), 64)
			return f(x), err == nil
		}
	}
	words := strings.Split(text, " ")
	x, err := strconv.ParseFloat(words[0], 64)
	if err != nil || len(words) == 1 {
		return x, err == nil
	}
	y, err := strconv.ParseFloat(words[len(words)-1], 64)
	if err != nil || len(words) != 3 {
		return 0, false
	}
	switch words[1] {
	case "×":
		return x * y, true
	case "+":
		return x + y, true
	case "-":
		return x - y, true
	}
	return 0, false
}

// Numbers are cut off, not rounded, so that what is shown never tells of a rounding that
// does not happen.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		a, b uint64
		want string
	}{{24000, 310, "77.419…"}, {6, 3, "2"}, {1, 8, "0.125"}, {1, 16, "0.062…"}, {2, 3, "0.666…"}, {0, 5, "0"}} {
		if got := quotient(c.a, c.b); got != c.want {
			t.Errorf("quotient(%d, %d) = %s, want %s", c.a, c.b, got, c.want)
		}
		if got := decimals(float64(c.a) / float64(c.b)); got != c.want {
			t.Errorf("decimals(%d/%d) = %s, want %s", c.a, c.b, got, c.want)
		}
	}
}
