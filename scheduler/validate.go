package scheduler

import (
	"errors"
	"fmt"
	"math"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// The bounds that arithmetic sets, and the API does not.
const (
	// seatsMax is above what two 32-bit flags add up to. Percentages of it, of which the
	// API allows as many as an int32 holds, are still exact enough to be whole seats.
	seatsMax = 1 << 32
	// WatchesMax bounds all watches of a Config together. A write that concerns every one of them
	// holds its seats for 16 years if it may have only one, and the work of that, in
	// units of 1e-8 seat-seconds, is far from an overflow.
	WatchesMax = 1_000_000_000_000
)

// faults collects what is wrong with a configuration, in the order of its fields.
type faults []error

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }

// validate returns all that makes the configuration impossible, joined. Manifests are
// checked where they are read, with positions, and by the stricter rules of the API;
// this is the check for other callers. Whatever passes it does not panic later.
func (c *Config) validate() error {
	var f faults
	if v := c.version(); v.Less(release.First) || release.Last.Less(v) {
		f.add("the release is %s; legal: %s to %s", v, release.First, release.Last)
	}
	if c.Seats < 1 || c.Seats > seatsMax {
		f.add("the server has %d seats; legal: 1 to %d", c.Seats, seatsMax)
	}
	if c.RequestTimeout <= 0 {
		f.add("the request timeout is %v; it must be positive", c.RequestTimeout)
	}
	c.validateSchemas(&f, c.validateLevels(&f))
	c.validateObjects(&f)
	c.validateWatches(&f)
	return errors.Join(f...)
}

// ValidateFlowControl returns the error that Server.Reconfigure would return.
func ValidateFlowControl(levels []PriorityLevel, schemas []FlowSchema) error {
	c := Config{PriorityLevels: levels, FlowSchemas: schemas}
	return c.validateFlowControl()
}

// validateFlowControl is validate for the part that can change while a server runs.
func (c *Config) validateFlowControl() error {
	var f faults
	c.validateSchemas(&f, c.validateLevels(&f))
	return errors.Join(f...)
}

// validateLevels returns the names of the levels.
func (c *Config) validateLevels(f *faults) map[string]bool {
	levels := map[string]bool{}
	for i := range c.PriorityLevels {
		l := &c.PriorityLevels[i]
		if levels[l.Name] {
			f.add("priority level %q is there twice", l.Name)
		}
		levels[l.Name] = true
		l.validate(f)
	}
	// Upstream's controller makes up the mandatory levels where they are missing; here it
	// is the caller who has them, with the numbers that are wanted.
	for _, name := range [...]string{CatchAll, Exempt} {
		if !levels[name] {
			f.add("priority level %q is missing", name)
		}
	}
	return levels
}

func (l *PriorityLevel) validate(f *faults) {
	add := func(format string, args ...any) {
		f.add("priority level %q: "+format, append([]any{l.Name}, args...)...)
	}
	switch {
	case l.Exempt && l.Name != Exempt:
		add("exempt is true; it must be so for %q alone", Exempt)
	case !l.Exempt && l.Name == Exempt:
		add("exempt is false; it must be true")
	}
	if l.Shares < 0 {
		add("%d shares; legal: 0 or more", l.Shares)
	}
	if l.LendablePercent < 0 || l.LendablePercent > 100 {
		add("%d %% lendable; legal: 0 to 100", l.LendablePercent)
	}
	if l.BorrowingLimitPercent < -1 {
		add("a borrowing limit of %d %%; legal: 0 or more, -1 for none", l.BorrowingLimitPercent)
	}
	q := l.Queuing
	if q == nil {
		return
	}
	if l.Exempt {
		add("there are queues; an exempt level has none")
	}
	if q.QueueLengthLimit < 1 {
		add("queueLengthLimit is %d; legal: 1 or more", q.QueueLengthLimit)
	}
	if _, err := shuffle.NewDealer(int(q.Queues), int(q.HandSize)); err != nil {
		add("%w", err)
	}
}

// validateSchemas lets a schema refer to a missing level, which puts it out of force, but
// for the one that has to take what all others leave.
func (c *Config) validateSchemas(f *faults, levels map[string]bool) {
	schemas := map[string]bool{}
	for i := range c.FlowSchemas {
		s := &c.FlowSchemas[i]
		if schemas[s.Name] {
			f.add("flow schema %q is there twice", s.Name)
		}
		schemas[s.Name] = true
		if s.Name == CatchAll && !levels[s.PriorityLevel] {
			f.add("flow schema %q refers to priority level %q, which is missing", s.Name, s.PriorityLevel)
		}
		if s.Distinguisher > classify.ByNamespace {
			f.add("flow schema %q: distinguisher %d is unknown", s.Name, uint8(s.Distinguisher))
		}
		for j := range s.Rules {
			for k, subject := range s.Rules[j].Subjects {
				if subject.Kind > classify.ServiceAccount {
					f.add("flow schema %q: rules[%d].subjects[%d] is of the unknown kind %d", s.Name, j, k, uint8(subject.Kind))
				}
			}
		}
	}
	if !schemas[CatchAll] {
		f.add("flow schema %q is missing", CatchAll)
	}
}

// validateObjects refuses what estimate.List could not foresee as upstream does.
func (c *Config) validateObjects(f *faults) {
	known := map[resource]bool{}
	for _, o := range c.Objects {
		name := fmt.Sprintf("objects of resource %q of group %q", o.Resource, o.Group)
		if o.Count < 0 {
			f.add("%s: a count of %d; legal: 0 or more", name, o.Count)
		}
		if o.AverageBytes < 0 {
			f.add("%s: %d bytes on average; legal: 0 or more", name, o.AverageBytes)
		}
		if known[resource{o.Group, o.Resource}] {
			f.add("%s are there twice", name)
		}
		known[resource{o.Group, o.Resource}] = true
		if stats := o.stats(); !stats.Fits() {
			f.add("%s: %d of %d bytes are more than %d bytes together", name, stats.Count, stats.Size(), int64(math.MaxInt64))
		}
	}
}

// stats returns what the estimators have to know of the objects.
func (o *ObjectCount) stats() estimate.Stats {
	s := estimate.Stats{State: estimate.Known, Count: o.Count, AverageBytes: o.AverageBytes}
	if o.Stale {
		s.State = estimate.Stale
	}
	return s
}

func (c *Config) validateWatches(f *faults) {
	sum := 0
	for i, w := range c.Watches {
		if w.Count < 0 {
			f.add("watches[%d] of resource %q of group %q: a count of %d; legal: 0 or more", i, w.Resource, w.Group, w.Count)
			continue
		}
		// Each term is cut off, so that the sum of them cannot overflow.
		sum = min(sum+min(w.Count, WatchesMax+1), WatchesMax+1)
	}
	if sum > WatchesMax {
		f.add("more than %d watches are open", WatchesMax)
	}
}
