package reports

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/reports/stats"
	"github.com/apfsim/apfsim/sim"
)

// Caveat tells that a result says less than it seems to. It is no fault of the run.
type Caveat struct {
	// Code is stable, Text is for people.
	Code CaveatCode `json:"code"`
	Text string     `json:"text"`
}

// CaveatCode names a kind of caveat.
type CaveatCode string

// ShortWarmup: the run had not settled yet when its warm-up was over.
const ShortWarmup CaveatCode = "short-warm-up"

// Precision is how well a figure was wanted to be known, and how well it is.
type Precision struct {
	// Wanted is what was asked for, Subject what it is about.
	Wanted  string `json:"wanted"`
	Subject string `json:"subject"`
	// Reached tells that it is known so well, Text how well it is, and after how many
	// replications.
	Reached bool   `json:"reached"`
	Text    string `json:"text"`
}

// settlingShare is by which part of a figure its beginning has to differ from the rest to matter.
const settlingShare = 0.05

// steady tells that a run asks for as much, of servers that do as much, at any time. Of another
// one no part stands for the rest, and there is nothing that it could settle to.
func steady(cfg *sim.Config) bool {
	if len(cfg.Changes) > 0 || len(cfg.Operations) > 0 || cfg.Gateway != nil || cfg.Backend != nil {
		return false
	}
	for i := range cfg.Populations {
		if !cfg.Populations[i].Steady() {
			return false
		}
	}
	return true
}

// caveats tells what there is to be told of a steady run: of each level whose seats in use, or
// whose waiting requests, go on to settle after the warm-up, the one that takes longest.
func (m *merger) caveats(r *Result) []Caveat {
	if !m.first.steady || r.Timeline == nil || m.first.partial {
		return nil
	}
	var latest time.Duration
	var name, what string
	for i := range r.Timeline.PriorityLevels {
		l := &r.Timeline.PriorityLevels[i]
		for _, s := range []struct {
			what   string
			values []Number
		}{{"the seats in use", l.Seats}, {"the waiting requests", l.Waiting}} {
			if at := settles(s.values, time.Duration(r.Timeline.Slice), m.first.warmup); at > latest {
				latest, name, what = at, l.Name, s.what
			}
		}
	}
	if latest == 0 {
		return nil
	}
	short := "The run has no warm-up"
	if m.first.warmup > 0 {
		short = fmt.Sprintf("The warm-up of %s looks too short", formatTime(m.first.warmup))
	}
	return []Caveat{{ShortWarmup, fmt.Sprintf("%s: in %s %s settle only after about %s. Averages are off by what came before.",
		short, name, what, formatTime(latest))}}
}

// settles returns when a series looks like the rest of it, if that is later than the warm-up and
// what lies between differs from the rest; else 0.
func settles(values []Number, slice, warmup time.Duration) time.Duration {
	series := make([]float64, len(values))
	for i, v := range values {
		series[i] = float64(v)
	}
	first := int((warmup + slice - 1) / slice) // the first slice that counts as a whole
	from, ok := stats.Settled(series)
	if !ok || from <= first || !stats.Differs(series[first:], from-first, settlingShare) {
		return 0
	}
	return time.Duration(from) * slice
}

// caveats says where the result says less than it seems to.
func (t *text) caveats() {
	if p := t.result.Precision; p != nil {
		tone := Plain
		if !p.Reached {
			tone = Warning
		}
		t.paragraph(tone, p.Text)
	}
	for _, c := range t.result.Caveats {
		t.paragraph(Warning, c.Text)
	}
}
