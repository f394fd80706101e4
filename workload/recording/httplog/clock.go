package httplog

import (
	"bytes"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// clock makes times of heads, which have neither a year nor a zone.
//
// If the line has a time of its container runtime or shipper before it, the year and the zone
// follow from that one. Otherwise the year is the one that brings the time nearest to that of the
// line before, so that a log may go over New Year; the first line has the year that is given. And
// the zone is the one that is given.
type clock struct {
	zone *time.Location
	// near is a time that lines are near to: nanoseconds since 1970.
	near  int64
	known bool
}

// assumedYear is the year if nothing tells it: one with a 29th of February.
const assumedYear = 2000

// begin gives the first line its year.
func (c *clock) begin(year int, h *head) { c.near, c.known = h.in(year), true }

// The span of the offsets of time zones, their unit, and how far a line may be from the time before
// it.
const (
	offsetMax  = int64(14 * time.Hour)
	offsetUnit = int64(15 * time.Minute)
	delayMax   = int64(time.Minute)
)

// at returns the time of a line. before is the time that stands before the line, 0 if none does;
// shifted tells that it gave another zone than UTC.
func (c *clock) at(h *head, before int64) (t int64, shifted bool) {
	near := c.near
	if before != 0 {
		near = before
	}
	t = h.nearest(near)
	switch {
	case c.zone != nil:
		t -= c.offset(t)
	case before != 0:
		off := round(t-before, offsetUnit)
		if rest := t - before - off; off != 0 && max(off, -off) <= offsetMax && max(rest, -rest) < delayMax {
			t -= off
			shifted = true
		}
	}
	c.near, c.known = t, true
	return t, shifted
}

// offset returns how far the zone is ahead at a time that its clocks show.
func (c *clock) offset(shown int64) int64 {
	_, first := time.Unix(0, shown).In(c.zone).Zone()
	_, then := time.Unix(0, shown-int64(first)*int64(time.Second)).In(c.zone).Zone()
	return int64(then) * int64(time.Second)
}

// round returns the multiple of a unit that is nearest to n.
func round(n, unit int64) int64 {
	if n < 0 {
		return -round(-n, unit)
	}
	return (n + unit/2) / unit * unit
}

// nearest returns the time of a head, as if it were UTC, in the year that brings it nearest to
// another time.
func (h *head) nearest(near int64) int64 {
	year := time.Unix(0, near).UTC().Year()
	best := h.in(year)
	if distance(best, near) < quarter { // as almost always, and no other year is nearer
		return best
	}
	for _, other := range [...]int{year - 1, year + 1} {
		if t := h.in(other); distance(t, near) < distance(best, near) {
			best = t
		}
	}
	return best
}

// quarter of a year, which is less than half of one.
const quarter = int64(90 * 24 * time.Hour)

func distance(a, b int64) int64 { return max(a-b, b-a) }

// in returns the time of a head in a year.
func (h *head) in(year int) int64 {
	return time.Date(year, time.Month(h.month), int(h.day), int(h.hour), int(h.minute), int(h.second), int(h.micro)*1000, time.UTC).UnixNano()
}

// createdAt reads the line that klog begins a file with.
func createdAt(line []byte) (int64, bool) {
	const shape = "2006-01-02T15:04:05"
	rest, ok := bytes.CutPrefix(line, []byte("Log file created at: "))
	if !ok || len(rest) < len(shape) {
		return 0, false
	}
	text := append(append(make([]byte, 0, len(shape)+1), rest[:len(shape)]...), 'Z')
	text[4], text[7] = '-', '-' // klog writes slashes
	return recording.ParseTime(text)
}
