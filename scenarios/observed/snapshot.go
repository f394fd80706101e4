package observed

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// snapshot is what a server has counted up to a time, whatever its release calls it.
type snapshot struct {
	cells  map[cell]*cellCounts
	levels map[string]*levelCounts
	// release is what the server says of itself, "" if nothing; traits tell it nearly.
	release string
	traits  traits
	// started is process_start_time_seconds, 0 if it was not told.
	started float64
	seen    map[string]bool
}

// traits are what tells releases apart.
type traits struct {
	nominal, requestLimit, inUse, wide, waits, wait15, timing, typed bool
}

// cell is a flow schema with a level that it leads to.
type cell struct{ level, schema string }

// cellCounts is what is counted of a cell. Gauges are NaN if they were not told.
type cellCounts struct {
	dispatched                                            float64
	rejected                                              map[string]float64
	inqueue, waitingSeats, executing, seats               float64
	wait, turnedAway, regular, watch, width, queue, notes buckets
}

// levelCounts is what is counted of a level. NaN is not known.
type levelCounts struct {
	nominal, lower, upper, current float64
	// seats, waiting and executing are shares of their limits over time; their unit of time is a
	// nanosecond or, up to 1.24, a millisecond.
	seats, waiting, executing buckets
	// tick is that unit in nanoseconds, 0 if there is none of them.
	tick float64
}

// buckets is a histogram with cumulative counts, by the texts of their bounds.
type buckets struct {
	counts     map[float64]float64
	sum, count float64
	there      bool
}

// take takes a sample. It tells whether it is new.
func (s *snapshot) take(m *sample) bool {
	if s.seen == nil {
		s.seen = map[string]bool{}
		s.cells, s.levels = map[cell]*cellCounts{}, map[string]*levelCounts{}
	}
	if key := m.key(); s.seen[key] {
		return false
	} else {
		s.seen[key] = true
	}
	switch m.name {
	case "kubernetes_build_info":
		s.release = m.label("git_version")
	case "process_start_time_seconds":
		s.started = m.value
	default:
		s.flowcontrol(strings.TrimPrefix(m.name, prefix), m)
	}
	return true
}

// key tells series apart.
func (s *sample) key() string {
	labels := slices.Clone(s.labels)
	slices.SortFunc(labels, func(a, b label) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	b.WriteString(s.name)
	for _, l := range labels {
		if l.name != "instance" {
			b.WriteString("\x00" + l.name + "\x00" + l.value)
		}
	}
	return b.String()
}

// flowcontrol takes a sample of flow control.
func (s *snapshot) flowcontrol(name string, m *sample) {
	level, schema := m.label("priority_level", "priorityLevel"), m.label("flow_schema", "flowSchema")
	s.tell(name, m)
	switch {
	case level == "":
	case schema != "":
		s.cell(cell{level, schema}).take(name, m)
	default:
		s.level(level).take(name, m)
	}
}

// tell takes note of what tells the release.
func (s *snapshot) tell(name string, m *sample) {
	t := &s.traits
	bound := m.label("le")
	switch {
	case name == "nominal_limit_seats":
		t.nominal = true
	case name == "request_concurrency_limit":
		t.requestLimit = true
	case name == "request_concurrency_in_use":
		t.inUse = true
	case name == "work_estimated_seats_bucket" && number(bound) == 100:
		t.wide = true
	case name == "request_wait_duration_seconds_bucket" && number(bound) == 15:
		t.waits, t.wait15 = true, true
	case strings.HasPrefix(name, "request_wait_duration_seconds"):
		t.waits = true
	case strings.HasPrefix(name, "priority_level_seat_utilization"):
		t.timing = true
	case strings.HasPrefix(name, "request_execution_seconds") && m.label("type") != "":
		t.typed = true
	}
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func (s *snapshot) cell(c cell) *cellCounts {
	if s.cells[c] == nil {
		s.cells[c] = &cellCounts{rejected: map[string]float64{}, inqueue: math.NaN(), waitingSeats: math.NaN(), executing: math.NaN(), seats: math.NaN()}
	}
	return s.cells[c]
}

func (s *snapshot) level(name string) *levelCounts {
	if s.levels[name] == nil {
		s.levels[name] = &levelCounts{nominal: math.NaN(), lower: math.NaN(), upper: math.NaN(), current: math.NaN()}
	}
	return s.levels[name]
}

// take takes a sample of a cell.
func (c *cellCounts) take(name string, m *sample) {
	family, part := split(name)
	switch family {
	case "dispatched_requests_total", "dispatched_requests": // OpenMetrics may leave _total out of the name of the family
		c.dispatched = m.value
	case "rejected_requests_total":
		c.rejected[m.label("reason")] = m.value
	case "current_inqueue_requests":
		c.inqueue = m.value
	case "current_inqueue_seats":
		c.waitingSeats = m.value
	case "current_executing_requests":
		c.executing = m.value
	case "current_executing_seats", "request_concurrency_in_use":
		c.seats = m.value
	case "request_wait_duration_seconds":
		if m.label("execute") == "false" {
			c.turnedAway.take(part, m)
		} else {
			c.wait.take(part, m)
		}
	case "request_execution_seconds":
		if m.label("type") == "watch" {
			c.watch.take(part, m)
		} else {
			c.regular.take(part, m)
		}
	case "work_estimated_seats":
		c.width.take(part, m)
	case "request_queue_length_after_enqueue":
		c.queue.take(part, m)
	case "watch_count_samples":
		c.notes.take(part, m)
	}
}

// take takes a sample of a level.
func (l *levelCounts) take(name string, m *sample) {
	family, part := split(name)
	waiting := m.label("phase") == "waiting"
	switch family {
	case "nominal_limit_seats":
		l.nominal = m.value
	case "request_concurrency_limit":
		if math.IsNaN(l.nominal) { // from 1.26 on both are told, and are equal
			l.nominal = m.value
		}
	case "lower_limit_seats":
		l.lower = m.value
	case "upper_limit_seats":
		l.upper = m.value
	case "current_limit_seats":
		l.current = m.value
	case "priority_level_seat_utilization", "priority_level_seat_count_samples":
		l.seats.take(part, m)
		l.unit(family)
	case "priority_level_request_utilization", "priority_level_request_count_samples":
		if waiting {
			l.waiting.take(part, m)
		} else {
			l.executing.take(part, m)
		}
		l.unit(family)
	}
}

// unit remembers the unit of time of a histogram over time.
func (l *levelCounts) unit(family string) {
	l.tick = 1
	if strings.HasSuffix(family, "_samples") {
		l.tick = 1e6
	}
}

// split takes the name of a series of a histogram apart: the metric, and bucket, sum or count.
func split(name string) (family, part string) {
	for _, suffix := range [...]string{"_bucket", "_sum", "_count"} {
		if family, found := strings.CutSuffix(name, suffix); found {
			return family, suffix[1:]
		}
	}
	return name, ""
}

// take takes a bucket, the sum or the count.
func (b *buckets) take(part string, m *sample) {
	switch part {
	case "bucket":
		bound := number(m.label("le"))
		if math.IsNaN(bound) {
			return
		}
		if b.counts == nil {
			b.counts = map[float64]float64{}
		}
		b.counts[bound], b.there = m.value, true
	case "sum":
		b.sum, b.there = m.value, true
	case "count":
		b.count, b.there = m.value, true
	}
}
