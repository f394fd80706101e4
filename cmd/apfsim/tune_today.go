package main

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
)

// knob is what is known of a knob beside its values.
type knob struct {
	// object is the flow-control object that it is of, "" for none: KIND/NAME.
	object string
	// today is its value in the first scenario, "" where that is not known.
	today string
}

// findToday finds out what the knobs are today. Of settings that are no field of an object and no size of
// the server nothing is known.
func (t *tuner) findToday() error {
	s := t.sources[0].base
	c, faults := s.Configuration(s.Release)
	if c == nil {
		return badInput{faults}
	}
	for i := range t.factors {
		path := t.factors[i].Path
		k := knob{object: objectOf(path)}
		if k.today = todayOf(c, &s.Config.Scheduler, k.object, path); path == "flowControl.manifests" {
			k.today = "[" + strings.Join(s.Manifests(), ", ") + "]"
		}
		t.knobs = append(t.knobs, k)
	}
	return nil
}

// objectOf is the object that a path is about, as KIND/NAME; "" if it is about none.
func objectOf(path string) string {
	for _, kind := range []string{"priorityLevel", "flowSchema"} {
		rest, ok := strings.CutPrefix(path, kind)
		if !ok || rest == "" {
			continue
		}
		switch rest[0] {
		case '/':
			name, _, _ := strings.Cut(rest[1:], ".")
			return kind + "/" + name
		case '[':
			name, _, _ := strings.Cut(rest[1:], "]")
			return kind + "/" + name
		}
	}
	return ""
}

// todayOf is the value of a path, as text.
func todayOf(c *scenarios.Configuration, s *scheduler.Config, object, path string) string {
	field := path[strings.LastIndexAny(path, "./]")+1:]
	if c.Server != nil && object == "" {
		switch path {
		case "server.maxRequestsInflight":
			return strconv.Itoa(c.Server.MaxRequestsInflight)
		case "server.maxMutatingRequestsInflight":
			return strconv.Itoa(c.Server.MaxMutatingRequestsInflight)
		case "server.requestTimeout":
			return c.Server.RequestTimeout.String()
		}
	}
	for i := range s.PriorityLevels {
		if l := &s.PriorityLevels[i]; object == "priorityLevel/"+l.Name {
			return levelField(l, field)
		}
	}
	for i := range s.FlowSchemas {
		if f := &s.FlowSchemas[i]; object == "flowSchema/"+f.Name && field == "matchingPrecedence" {
			return strconv.Itoa(int(f.Precedence))
		}
	}
	return ""
}

// levelField is a field of a level, as text.
func levelField(l *scheduler.PriorityLevel, field string) string {
	var value int32
	switch {
	case field == "shares" || strings.HasSuffix(field, "ConcurrencyShares"):
		value = l.Shares
	case field == "lendablePercent":
		value = l.LendablePercent
	case field == "borrowingLimitPercent" && l.BorrowingLimitPercent >= 0:
		value = l.BorrowingLimitPercent
	case l.Queuing == nil:
		return ""
	case field == "queues":
		value = l.Queuing.Queues
	case field == "handSize":
		value = l.Queuing.HandSize
	case field == "queueLengthLimit":
		value = l.Queuing.QueueLengthLimit
	default:
		return ""
	}
	return strconv.Itoa(int(value))
}

// numberOf reads a number, or a time in seconds.
func numberOf(text string) (float64, bool) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x, true
	}
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds(), true
	}
	return 0, false
}

// reference is the value that a knob is compared with: today's, or the first one where that is not
// known.
func (t *tuner) reference(i int) string {
	if t.knobs[i].today != "" {
		return t.knobs[i].today
	}
	return t.factors[i].Values[0]
}

// same tells whether a value is that of today.
func (t *tuner) same(i int, value string) bool {
	reference := t.reference(i)
	x, isX := numberOf(value)
	y, isY := numberOf(reference)
	return value == reference || isX && isY && x == y
}

// distance is how far a point is from today: by which part each knob differs, added up. A knob that is
// no number, or is 0 today, counts 1 if it differs.
func (t *tuner) distance(point []int) float64 {
	sum := 0.0
	for i, v := range point {
		value := t.factors[i].Values[v]
		x, isX := numberOf(value)
		y, isY := numberOf(t.reference(i))
		switch {
		case t.same(i, value):
		case isX && isY && y != 0:
			sum += math.Abs(x-y) / math.Abs(y)
		case isX && isY:
			sum += math.Abs(x) / t.largest(i)
		default:
			sum++
		}
	}
	return sum
}

// largest is the largest size of the values of a knob.
func (t *tuner) largest(i int) float64 {
	most := 0.0
	for _, text := range t.factors[i].Values {
		x, _ := numberOf(text)
		most = max(most, math.Abs(x))
	}
	return most
}

// changedObjects is how many flow-control objects are added, gone or otherwise.
func changedObjects(before, after *scheduler.Config) int {
	return changedItems(before.PriorityLevels, after.PriorityLevels, func(l *scheduler.PriorityLevel) string { return l.Name }) +
		changedItems(before.FlowSchemas, after.FlowSchemas, func(s *scheduler.FlowSchema) string { return s.Name })
}

// changedItems is the same of one kind of objects, by their names.
func changedItems[T any](before, after []T, name func(*T) string) int {
	old := map[string]*T{}
	for i := range before {
		old[name(&before[i])] = &before[i]
	}
	n := 0
	for i := range after {
		was := old[name(&after[i])]
		if was == nil || !reflect.DeepEqual(was, &after[i]) {
			n++
		}
		delete(old, name(&after[i]))
	}
	return n + len(old)
}

// start is today's point, nil if some knob has a value that it may not take.
func (t *tuner) start() []int {
	var out []int
	for i := range t.factors {
		at := -1
		for v, value := range t.factors[i].Values {
			if t.knobs[i].today != "" && t.same(i, value) {
				at = v
			}
		}
		if at < 0 {
			return nil
		}
		out = append(out, at)
	}
	return out
}
