package dump

import (
	"math"
	"strconv"
	"strings"
)

// metricPrefix begins the names of the metrics of flow control.
const metricPrefix = "apiserver_flowcontrol_"

// isSample tells whether a line is a sample of a metric: NAME{...} VALUE or NAME VALUE.
func isSample(line string) bool {
	name, _, found := strings.Cut(line, "{")
	if !found {
		name, _, found = strings.Cut(line, " ")
	}
	if !found || name == "" {
		return false
	}
	for _, c := range name {
		if c != '_' && c != ':' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return strings.Contains(name, "_")
}

// What a scrape tells of a level: R, which is of the last call of its queue set, and what the
// last adjustment has left.

// gauges are the metrics that are looked at, without their prefix. request_concurrency_limit is the
// older name of nominal_limit_seats.
var gauges = map[string]func(l *Level, x float64){
	"current_r":                   func(l *Level, x float64) { l.setR(x) },
	"current_limit_seats":         func(l *Level, x float64) { l.Limit = seats(x) },
	"nominal_limit_seats":         func(l *Level, x float64) { l.Nominal = seats(x) },
	"request_concurrency_limit":   func(l *Level, x float64) { l.Nominal = seats(x) },
	"demand_seats_average":        func(l *Level, x float64) { l.Demand.Average = x },
	"demand_seats_stdev":          func(l *Level, x float64) { l.Demand.StdDev = x },
	"demand_seats_smoothed":       func(l *Level, x float64) { l.Demand.Smoothed, l.KnowsDemand = x, true },
	"demand_seats_high_watermark": func(l *Level, x float64) { l.Demand.HighWatermark = max(seats(x), 0) },
}

func seats(x float64) int {
	if !(x >= 0 && x <= seatsMax) {
		return Unknown
	}
	return int(math.Round(x))
}

// setR takes over R in seat-seconds. A float64 holds it to the unit up to 9e7 seat-seconds, which is
// most of three years of one seat for each queue.
func (l *Level) setR(x float64) {
	if x >= 0 && x < math.MaxUint64/workUnits/2 {
		l.R, l.Virtual, l.KnowsR = uint64(math.Round(x*workUnits)), x, true
	}
}

// sample reads a line of a scrape. Those of other metrics are counted.
func (r *reader) sample(line string) {
	if strings.HasPrefix(line, "#") {
		return
	}
	r.account.Lines++
	name, rest, labelled := strings.Cut(strings.TrimPrefix(line, metricPrefix), "{")
	set, known := gauges[name]
	if !strings.HasPrefix(line, metricPrefix) || !labelled || !known {
		r.account.LeaveOut(leftMetric)
		return
	}
	level, value, ok := labelOf(rest, "priority_level")
	if !ok { // releases up to 1.22 or so have another spelling
		level, value, ok = labelOf(rest, "priorityLevel")
	}
	x, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || math.IsNaN(x) {
		r.fault(1, "no sample of "+metricPrefix+name+" for a priority level", `as in `+metricPrefix+name+`{priority_level="system"} 12`, "")
		return
	}
	r.here().Scraped = true
	set(r.level(level), x)
}

// labelOf returns the value of a label, and the value of the sample. Names of levels have no characters
// that would have to be escaped.
func labelOf(text, label string) (value, sample string, ok bool) {
	labels, sample, found := strings.Cut(text, "}")
	if !found {
		return "", "", false
	}
	sample, _, _ = strings.Cut(strings.TrimSpace(sample), " ")
	for _, pair := range strings.Split(labels, ",") {
		if name, quoted, _ := strings.Cut(pair, "="); strings.TrimSpace(name) == label && len(quoted) >= 2 {
			return strings.Trim(quoted, `"`), sample, true
		}
	}
	return "", "", false
}
