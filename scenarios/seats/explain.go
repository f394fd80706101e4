package seats

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// Explanation is how the figures of one level come about.
type Explanation struct {
	Level string `json:"level"`
	Steps []Step `json:"steps"`
}

// Step is one figure and the arithmetic that gives it.
type Step struct {
	// Figure is the name of a field of Level or Queuing, or "maxSeats": the level's bound on
	// the width of its requests, from which the widest ones follow.
	Figure string `json:"figure"`
	// Arithmetic is a chain of equations that ends with the figure.
	Arithmetic string `json:"arithmetic"`
	// Why says what the terms are.
	Why string `json:"why"`
}

// Explain shows the arithmetic behind each figure of a level of the table.
func (t *Table) Explain(l *Level) Explanation {
	steps := []Step{{"nominal", t.nominal(l), "seats of the server × shares of the level / all shares, rounded up" + t.surplus()}}
	switch {
	case l.Type == Exempt && t.exemptOutside:
		steps = []Step{{"nominal", "0", "an exempt level has no part in the seats in this release"}}
	case !t.lending:
		for _, figure := range []string{"min", "max", "idle", "alone"} {
			steps = append(steps, Step{figure, strconv.Itoa(l.Nominal), "the nominal limit: levels do not lend seats in this release"})
		}
	case l.Type == Exempt:
		steps = append(steps, minimum(l))
	default:
		steps = append(steps, minimum(l),
			Step{"max", t.maximum(l), "the nominal limit and what the level may borrow"},
			t.idle(l),
			Step{"alone", t.alone(l), "all nominal limits less the minimum limits of the other levels, which have no demand"})
	}
	steps = append(steps, t.widths(l)...)
	if q := l.Queuing; q != nil {
		steps = append(steps,
			Step{"queuedByOneFlow", fmt.Sprintf("%d × %d = %d", q.HandSize, q.QueueLengthLimit, q.QueuedByOneFlow), "hand size × length limit of a queue"},
			Step{"queuedInAll", fmt.Sprintf("%d × %d = %d", q.Queues, q.QueueLengthLimit, q.QueuedInAll), "queues × length limit of a queue"},
			Step{"bytes", fmt.Sprintf("%d × %d = %d", q.QueuedInAll, t.BytesPerRequest, q.Bytes), "as many requests, and the bytes of each"},
			t.waitLimit(time.Duration(q.WaitLimit)))
	}
	return Explanation{Level: l.Name, Steps: steps}
}

// nominal is a quotient rounded up.
func (t *Table) nominal(l *Level) string {
	if t.Sums.Shares == 0 {
		return "0"
	}
	exact := quotient(uint64(t.Server.Seats)*uint64(l.Shares), uint64(t.Sums.Shares))
	return fmt.Sprintf("ceil(%d × %d / %d) = %s", t.Server.Seats, l.Shares, t.Sums.Shares, whole("ceil", exact, l.Nominal))
}

// whole ends a chain with what a function makes of a number; a number that is whole
// already needs no function.
func whole(function, number string, result int) string {
	if text := strconv.Itoa(result); number != text {
		return fmt.Sprintf("%s(%s) = %s", function, number, text)
	}
	return number
}

// surplus says that the nominal limits are more than the server's seats, if they are.
func (t *Table) surplus() string {
	extra := t.Sums.Nominal - int64(t.Server.Seats)
	if extra <= 0 {
		return ""
	}
	return fmt.Sprintf("; all nominal limits together are %d, %d more than the server has, because each is rounded up", t.Sums.Nominal, extra)
}

// minimum is a difference.
func minimum(l *Level) Step {
	term, exact, n := percentage(l.Nominal, l.LendablePercent)
	return Step{"min", chain(l.Nominal, " - ", term, exact, n, l.Min), "the nominal limit less what is lendable"}
}

// maximum is a sum.
func (t *Table) maximum(l *Level) string {
	if p := l.BorrowingLimitPercent; p != nil {
		term, exact, n := percentage(l.Nominal, *p)
		return chain(l.Nominal, " + ", term, exact, n, l.Max)
	}
	return fmt.Sprintf("%d + %d = %d", l.Nominal, t.Server.Seats, l.Max)
}

// percentage is part of a number of seats as limits are computed: rounded half away from
// zero. It comes as a term, as a number before the rounding, and after it.
func percentage(seats int, percent int32) (term, exact string, n int) {
	part := float64(seats) * float64(percent) / 100
	return fmt.Sprintf("round(%d × %d%%)", seats, percent), decimals(part), int(math.Round(part))
}

// chain computes a limit from another one and a term.
func chain(from int, operator, term, exact string, n, result int) string {
	return fmt.Sprintf("%d%s%s = %d%s%s = %d", from, operator, term, from, operator, roundedTerm(exact, n), result)
}

// roundedTerm is a term as it is rounded.
func roundedTerm(exact string, n int) string {
	if text := strconv.Itoa(n); exact == text {
		return text
	}
	return "round(" + exact + ")"
}

// sharesTolerance is how far floating point may lead a product away from a sum that it
// stands for.
const sharesTolerance = 1e-6

// noWeight is what the adjustment takes for a weight of 0 (see borrowing.Allocate).
const noWeight = 0.001

// idle is the level's part in the proportion of the minimum limits, within its bounds.
func (t *Table) idle(l *Level) Step {
	if t.idleFraction == 0 {
		return Step{"idle", strconv.Itoa(*l.Idle), "the minimum limit: those of all levels leave no seat to divide"}
	}
	why := fmt.Sprintf("without any demand all nominal limits are divided in proportion to the minimum limits: %d / %d = %s",
		t.Sums.Nominal, t.Sums.Min, decimals(t.idleFraction))
	if math.Abs(float64(t.idleFraction*float64(t.Sums.Min))-float64(t.Sums.Nominal)) > sharesTolerance {
		why = "without any demand all nominal limits are divided in proportion to the minimum limits, within the bounds of each level, at this ratio"
	}
	weight := float64(l.Min)
	if l.Min == 0 {
		weight, why = noWeight, why+"; a minimum limit of 0 counts as "+decimals(noWeight)
	}
	part := float64(t.idleFraction * weight)
	term, exact := fmt.Sprintf("%s × %s", decimals(weight), decimals(t.idleFraction)), decimals(part)
	switch text := strconv.Itoa(*l.Idle); {
	case exact == text:
		return Step{"idle", term + " = " + text, why}
	case *l.Idle == l.Max:
		return Step{"idle", least(term, exact, l.Max), why}
	}
	return Step{"idle", fmt.Sprintf("round(%s) = round(%s) = %d", term, exact, *l.Idle), why}
}

// least bounds a term by the most that a level may have.
func least(term, exact string, most int) string {
	return fmt.Sprintf("min(%s, %d) = min(%s, %d) = %d", term, most, exact, most, most)
}

// alone is what the others leave, up to the most that the level may have.
func (t *Table) alone(l *Level) string {
	others := t.Sums.Min - int64(l.Min)
	left := t.Sums.Nominal - others
	switch term := fmt.Sprintf("%d - %d", t.Sums.Nominal, others); {
	case left == int64(*l.Alone):
		return fmt.Sprintf("%s = %d", term, left)
	case left > int64(l.Max) && *l.Alone == l.Max:
		return least(term, strconv.FormatInt(left, 10), l.Max)
	}
	// An exempt level with a minimum limit may leave too little for the others.
	return strconv.Itoa(*l.Alone)
}

// waitLimit is a part of the deadline that the server gives to a request.
func (t *Table) waitLimit(limit time.Duration) Step {
	deadline := durationText(t.requestTimeout)
	switch quarter := t.requestTimeout / 4; limit {
	case quarter:
		return Step{"waitLimit", fmt.Sprintf("%s / 4 = %s", deadline, durationText(limit)), "a quarter of the server's request timeout"}
	case t.requestTimeout:
		return Step{"waitLimit", durationText(limit), fmt.Sprintf("the server's request timeout; who has waited %s is rejected when another request comes to the same queue", durationText(quarter))}
	default:
		return Step{"waitLimit", fmt.Sprintf("min(%s / 4, %s) = %s", deadline, durationText(limit), durationText(limit)), "a quarter of the server's request timeout, and the longest wait of all"}
	}
}

// maxSeatsPercent is the part of its nominal limit that a level lets one request fill, as
// borrowing.MaxSeats has it.
const maxSeatsPercent = 0.15

// widths explain the widest requests. Each is bounded by the level, if it queues, and by
// the kind of request; the second bound alone is seen at catch-all, which has no first.
func (t *Table) widths(l *Level) []Step {
	var steps []Step
	if l.maxSeats > 0 {
		share := float64(float64(l.Nominal) * maxSeatsPercent)
		steps = append(steps, Step{"maxSeats", fmt.Sprintf("max(1, min(ceil(%d × 0.15), %d div %d)) = max(1, min(%d, %d)) = %d",
			l.Nominal, l.Nominal, l.Queuing.HandSize, int(math.Ceil(share)), l.Nominal/l.Queuing.HandSize, l.maxSeats),
			"15% of the nominal limit, rounded up, and no more than lets one flow fill its hand"})
	}
	unbounded := t.level(scheduler.CatchAll)
	for _, w := range []struct {
		figure, kind string
		seats, bound int
	}{
		{"widestList", "LISTs", l.WidestList, unbounded.WidestList},
		{"widestWatch", "beginnings of watches", l.WidestWatch, unbounded.WidestWatch},
		{"widestWrite", "writes", l.WidestWrite, unbounded.WidestWrite},
	} {
		step := Step{w.figure, strconv.Itoa(w.seats), "the bound of all " + w.kind + "; the level sets none of its own"}
		switch {
		case w.seats == 0:
			step.Why = "APF does not concern such requests in this release"
		case w.bound == 1:
			step.Why = "all " + w.kind + " take one seat in this release"
		case l.maxSeats > 0:
			step = Step{w.figure, fmt.Sprintf("min(%d, %d) = %d", l.maxSeats, w.bound, w.seats), "the bound of the level, and that of all " + w.kind}
		}
		steps = append(steps, step)
	}
	return steps
}

// level finds a level by its name.
func (t *Table) level(name string) *Level {
	for i := range t.Levels {
		if t.Levels[i].Name == name {
			return &t.Levels[i]
		}
	}
	return nil
}
