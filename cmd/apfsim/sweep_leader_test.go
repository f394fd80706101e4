package main

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports/study"
)

// TestSweepProgress holds that the display of a sweep counts the points, knows the best one so far, and is
// gone at the end. The clock goes so fast that it appears at once.
func TestSweepProgress(t *testing.T) {
	p := newProcess(nil, "sweep", "lists-never-read", "--replications", "1", "--workers", "1",
		"--vary", "server.maxRequestsInflight=101..500", "--results", "kept")
	p.StderrTerminal = Terminal{Attended: true, Width: 200}
	ticks := make(chan time.Time)
	var clock atomic.Int64
	p.Now = func() time.Time { return time.Unix(0, clock.Load()) }
	p.Tick = func(time.Duration) (<-chan time.Time, func()) {
		ended := make(chan struct{})
		go func() {
			told := false
			for {
				clock.Add(int64(progressDelay))
				select {
				case ticks <- p.Now():
				case <-ended:
					return
				}
				if !told && strings.Contains(p.err.String(), "best so far maxRequestsInflight=") {
					told = true
					p.signals <- struct{}{}
				}
			}
		}()
		return ticks, func() { close(ended) }
	}
	p.want(t, exitInterrupted, "", " of 401 points, best so far maxRequestsInflight=")
	for _, part := range []string{" left; ", "runs are in kept; the same command goes on from there\n"} {
		if !strings.Contains(p.err.String(), part) {
			t.Errorf("stderr lacks %q: %q", part, p.err.String())
		}
	}
}

// TestLeader holds which point is the best so far.
func TestLeader(t *testing.T) {
	t.Parallel()
	p := newProcess(nil, "sweep", "lists-never-read", "--vary", "priorityLevel/workload-low.handSize=2,4,6", "--replications", "1", "--results", "kept")
	p.want(t, exitOK, "lists-never-read", "")
	p.stopper = &stopper{}
	folder := &studyFolder{&p.Process, "kept"}
	model, err := folder.study()
	if err != nil {
		t.Fatal(err)
	}
	records, err := folder.read()
	if err != nil {
		t.Fatal(err)
	}
	m, err := readMerged(&p.Process, []string{"kept"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.index(); err != nil {
		t.Fatal(err)
	}
	l := &leader{model: model, places: map[string]study.Place{}}
	for _, at := range model.Places() {
		l.places[m.at(at).Of.Key()] = at
	}
	best := -1
	for i, at := range model.Places() {
		key := m.at(at).Of.Key()
		l.made(key, records[key])
		l.made("another", records[key])
		if want := i + 1; l.done != want {
			t.Errorf("%d are done, want %d", l.done, want)
		}
		if at.Point >= 0 && best < 0 {
			best = at.Point
			if l.point != best || l.record == nil {
				t.Errorf("the first point is not the best so far")
			}
		}
	}
	table := l.rows([]int{0, 1, 2}, []*study.Record{m.find(0, 0), m.find(0, 1), m.find(0, 2)})
	if want := table.Ranked(table.Of(model.Scenarios[0].Name)[1:])[0].Point; l.point != want {
		t.Errorf("the best is point %d, want %d", l.point, want)
	}
	if !strings.HasPrefix(l.note(), "4 of 4 points, best so far handSize=") {
		t.Errorf("the note is %q", l.note())
	}
}
