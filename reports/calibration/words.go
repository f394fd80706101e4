package calibration

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/apfsim/apfsim/reports"
)

// none stands for a figure that there is no data for.
const none = "-"

// count writes a whole number, countf one that may not be.
func count(n int64) string { return countf(float64(n)) }

func countf(x float64) string {
	if x >= 100 {
		x = math.Round(x)
	}
	return reports.MetricArrivals.Text(reports.Value(x))
}

// figure writes any number for people.
func figure(x float64) string {
	if math.IsNaN(x) {
		return none
	}
	return reports.MetricArrivals.Text(reports.MetricArrivals.RoundedValue(x))
}

// seconds writes a time for people, from its seconds.
func seconds(x float64) string {
	switch {
	case math.IsNaN(x):
		return none
	case x < 1e-6: // the smallest bucket
		return "0"
	}
	return reports.MetricWait.Text(reports.MetricWait.RoundedValue(x))
}

// clock writes a time since the start.
func clock(d time.Duration) string {
	text := d.Round(time.Millisecond).String()
	if cut, ok := strings.CutSuffix(text, "m0s"); ok && cut != "" {
		return cut + "m"
	}
	return text
}

// percent writes a part.
func percent(x float64) string {
	p := 100 * x
	switch {
	case p != 0 && math.Abs(p) < 0.1:
		return "<0.1%"
	case math.Abs(p) < 9.95:
		return strings.TrimSuffix(strconv.FormatFloat(p, 'f', 1, 64), ".0") + "%"
	case p > 99_999:
		return ">99999%"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + "%"
}

// signed writes a part with its sign.
func signed(x float64) string {
	if x > 0 {
		return "+" + percent(x)
	}
	return percent(x)
}

// upper begins a text with a capital letter.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return count(int64(n)) + " " + word + "s"
}

// text writes a value of a row.
func (r *Row) text(n *reports.Number) string {
	switch {
	case n == nil:
		return none
	case r.Metric == Wait || r.Metric == Execution:
		return seconds(float64(*n))
	case r.Metric == Rejected:
		return countf(math.Round(float64(*n)*10) / 10)
	}
	return figure(float64(*n))
}

// name is what a row is called within its subject.
func (r *Row) name() string {
	switch {
	case r.Metric == Rate:
		return "requests/s"
	case r.Metric == Rejected && r.Reason != "":
		return "rejected " + r.Reason
	case r.Metric == Rejected:
		return "rejected"
	case r.Metric == Seats:
		return "seats in use"
	case r.Quantile == 0:
		return string(r.Metric) + " (KS distance)"
	}
	return string(r.Metric) + " p" + strconv.FormatFloat(100*r.Quantile, 'f', -1, 64)
}

// title is the subject of a row in words.
func (s Subject) title() string {
	if s.Kind == OfSchema {
		return fmt.Sprintf("flow schema %s (level %s)", s.Name, s.Level)
	}
	return s.Kind.String() + " " + s.Name
}

// About begins the text of a reason.
func (r *Reason) About() string {
	if r.PriorityLevel == "" {
		return r.What
	}
	return r.PriorityLevel + ": " + r.What
}

// Summary says in a sentence how many figures agree.
func (c *Calibration) Summary() string {
	all := c.Counts.Agree + c.Counts.Differ
	switch {
	case all == 0:
		return "Nothing could be compared: the record tells of no request in this time."
	case c.Counts.Differ == 0:
		return fmt.Sprintf("The simulation agrees with the record: %s within %s or within chance.", plural(all, "figure"), percent(float64(c.Within)))
	}
	verb := "differ"
	if c.Counts.Differ == 1 {
		verb = "differs"
	}
	words := fmt.Sprintf("%d of %s %s by more than %s and than chance", c.Counts.Differ, plural(all, "figure"), verb, percent(float64(c.Within)))
	var where []string
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.subject.Kind == OfLevel && r.span < 0 && r.Verdict == Differs && (len(where) == 0 || where[len(where)-1] != r.PriorityLevel) {
			where = append(where, r.PriorityLevel)
		}
	}
	if len(where) > 0 {
		return words + "; those of levels are of " + strings.Join(where, ", ") + "."
	}
	return words + "; none of them is of a level."
}

// Tolerance says what agreeing means.
func (c *Calibration) Tolerance() string {
	within := fmt.Sprintf("a figure agrees within %s of the record", percent(float64(c.Within)))
	if c.Replications > 1 {
		return within + ", or if the record lies within ±, where one more replication would lie (95%)"
	}
	return within + "; one replication tells nothing about chance"
}

// Server says what was simulated.
func (c *Calibration) Server() string {
	s := fmt.Sprintf("Kubernetes %s, %s", c.KubernetesVersion, plural(c.Seats, "seat"))
	if c.Servers > 1 {
		s += fmt.Sprintf(" of %d servers", c.Servers)
	}
	return fmt.Sprintf("%s, %s, seed %d", s, plural(c.Replications, "replication"), c.Seed)
}
