package queueset

import (
	"fmt"
	"io"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// Campaign is many sequences one after another.
type Campaign struct {
	// Make makes the subject.
	Make Maker
	// Seed is that of the first sequence; each further one has the next.
	Seed uint64
	// Operations is how many have to take place before the campaign ends.
	Operations int64
	// Profile restricts the sequences to one style, if it is not empty.
	Profile string

	// Sequences, Count and Hits say what has taken place.
	Sequences int64
	Count     [Kinds]int64
	Hits      Hits
}

// Quiet silences the log of the real queue set, which remarks on sequences that no
// server would see.
func Quiet() { klog.SetLogger(logr.Discard()) }

// Run runs the scenes, and then random sequences until there have been operations
// enough, or a difference. It returns the sequence that showed it.
func (c *Campaign) Run() (*Sequence, *Difference) {
	for i := range Scenes {
		run, diff, _ := Run(c.Make, &Scenes[i])
		c.add(run)
		if diff != nil {
			return &Scenes[i], diff
		}
	}
	for seed := c.Seed; c.Total() < c.Operations; seed++ {
		g, s := NewGenerator(seed)
		if c.Profile != "" && s.Profile != c.Profile {
			continue
		}
		run, diff := c.one(g, s)
		c.add(run)
		if diff != nil {
			return s, diff
		}
	}
	return nil, nil
}

// add counts what a sequence has done.
func (c *Campaign) add(run *Runner) {
	c.Sequences++
	for k, n := range run.Count {
		c.Count[k] += n
	}
	c.Hits.Add(&run.Hits)
}

// one draws and runs the rest of one sequence.
func (c *Campaign) one(g *Generator, s *Sequence) (*Runner, *Difference) {
	run, diff := NewRunner(c.Make, s.Config, s.Limit)
	for len(s.Ops) < g.Length() && diff == nil && !run.ended {
		s.Ops = append(s.Ops, g.Next(run))
		diff = run.Apply(&s.Ops[len(s.Ops)-1])
	}
	if diff == nil {
		diff = run.Drain()
	}
	return run, diff
}

// Total is the number of operations that took place.
func (c *Campaign) Total() int64 {
	var n int64
	for _, count := range c.Count {
		n += count
	}
	return n
}

// Report writes what the campaign did.
func (c *Campaign) Report(w io.Writer) {
	fmt.Fprintf(w, "%d operations in %d sequences from seed %d\n", c.Total(), c.Sequences, c.Seed)
	for k, n := range c.Count {
		fmt.Fprintf(w, "%12d  %s\n", n, Kind(k))
	}
	fmt.Fprintf(w, "branches reached:\n%s", c.Hits.String())
}
