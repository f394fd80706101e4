package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// tones of the page beside those of the reports.
const (
	good    = "good"
	warning = string(reports.Warning)
	bad     = string(reports.Bad)
)

// verdict sums the expectations up; without any it says whether anybody suffers.
func (b *builder) verdict() verdict {
	r := b.result
	v := judged(r)
	if n := len(r.Diagnoses); n > 0 {
		suffer := " populations suffer"
		if len(r.Populations) == 1 {
			suffer = " population suffers"
		} else if n == 1 {
			suffer = " populations suffers"
		}
		v.Text += fmt.Sprintf("; %d of %d%s", n, len(r.Populations), suffer)
		if v.Tone != bad {
			v.Tone = warning
		}
	}
	if r.Deadlocks != nil {
		v.Text += "; deadlock"
	}
	if r.Partial {
		v.Text, v.Tone = v.Text+"; interrupted", bad
	}
	return v
}

// judged sums up the expectations and the tests of the configuration.
func judged(r *reports.Result) verdict {
	var expected, tested tally
	for i := range r.Expectations {
		expected.add(r.Expectations[i].Outcome)
	}
	for i := range r.Tests {
		tested.add(r.Tests[i].Outcome)
	}
	v := verdict{Tone: good}
	if expected.failed+expected.without+tested.failed+tested.without > 0 {
		v.Tone = bad
	}
	var parts []string
	if expected.all > 0 {
		parts = append(parts, expected.words("expectation", "hold"))
	}
	if tested.all > 0 {
		parts = append(parts, tested.words("test", "pass"))
	}
	if v.Text = strings.Join(parts, "; "); v.Text == "" {
		v = verdict{"", "Nothing is expected"}
	}
	return v
}

// tally counts outcomes.
type tally struct{ all, failed, without int }

func (t *tally) add(o reports.Outcome) {
	t.all++
	switch o {
	case reports.Failed:
		t.failed++
	case reports.NoData:
		t.without++
	}
}

// words tells the outcomes of so many things, and what they do if they are good.
func (t *tally) words(noun, verb string) string {
	switch {
	case t.failed+t.without > 0:
		text := fmt.Sprintf("%d of %s failed", t.failed, plural(t.all, noun))
		if t.without > 0 {
			text += fmt.Sprintf(", %d without data", t.without)
		}
		return text
	case t.all == 1:
		return "The one " + noun + " " + verb + third(verb)
	}
	return fmt.Sprintf("All %d %ss %s", t.all, noun, verb)
}

// third is the ending of a verb.
func third(verb string) string {
	if strings.HasSuffix(verb, "s") {
		return "es"
	}
	return "s"
}

// facts are the fields of the report's header.
func (b *builder) facts() {
	for _, s := range b.parts[reports.PartHeader] {
		for i := range s.Blocks {
			block := &s.Blocks[i]
			if !block.Field {
				b.article.Facts = append(b.article.Facts, fact{"note", block.Text})
				continue
			}
			if n := len(b.article.Facts); block.Label == "" && n > 0 {
				b.article.Facts[n-1].Value += "; " + block.Text
				continue
			}
			b.article.Facts = append(b.article.Facts, fact{block.Label, b.clip(block.Text)})
		}
	}
}

// judgements lists expectations and tests with what became of them.
func (b *builder) judgements() {
	b.expectations()
	b.tests()
}

// expectations lists what is expected, what failed first.
func (b *builder) expectations() {
	list := b.result.Expectations
	if len(list) == 0 {
		return
	}
	b.heading("Expectations")
	order := make([]*reports.Judged, len(list))
	for i := range list {
		order[i] = &list[i]
	}
	slices.SortStableFunc(order, func(x, y *reports.Judged) int { return rank(x.Outcome) - rank(y.Outcome) })
	shown := order[:min(len(order), b.limits.rows)]
	var out []outcome
	for _, j := range shown {
		o := outcome{Tone: good, Outcome: string(j.Outcome), Text: b.clip(strings.TrimPrefix(j.Verdict, string(j.Outcome)+": "))}
		if j.Outcome != reports.Passed {
			o.Tone = bad
		}
		if j.File != "" {
			o.Place = fmt.Sprintf("%s:%d:%d", j.File, j.Line, j.Column)
		}
		out = append(out, o)
	}
	b.outcomes(out, len(order), "expectation")
}

// outcomes adds what became of the first ones of so many.
func (b *builder) outcomes(shown []outcome, all int, noun string) {
	b.add(item{Outcomes: shown})
	if n := all - len(shown); n > 0 {
		b.say("note", "And %s more; none of those that failed are among them, unless all of the above did.", plural(n, noun))
	}
}

// rank orders outcomes: what failed, what has no data, what passed.
func rank(o reports.Outcome) int {
	return slices.Index([]reports.Outcome{reports.Failed, reports.NoData, reports.Passed}, o)
}

// cards shows the levels that have something to do.
func (b *builder) cards() {
	busy, idle := reports.LevelsAtAGlance(b.result)
	var cards []card
	for _, k := range busy[:min(len(busy), b.limits.rows)] {
		cards = append(cards, newCard(&k))
	}
	if len(cards) > 0 {
		b.add(item{Cards: cards})
	}
	if n := len(busy) - len(cards); n > 0 {
		b.say("note", "And %s more.", plural(n, "level"))
	}
	if len(idle) > 0 {
		shown := idle[:min(len(idle), b.limits.rows)]
		text := strings.Join(shown, ", ")
		if n := len(idle) - len(shown); n > 0 {
			text += fmt.Sprintf(" and %d others", n)
		}
		b.say("note", "No request came to %s.", text)
	}
}

func newCard(k *reports.KeyFigures) card {
	c := card{Name: k.Level, Tone: string(k.Tone), State: "no waits"}
	switch k.Tone {
	case reports.Bad:
		c.State = "rejects"
	case reports.Warning:
		c.State = "waits"
	}
	for _, f := range k.Figures {
		c.Facts = append(c.Facts, fact{f.Name, f.Value})
	}
	if k.Limit > 0 {
		c.Used = percent(float64(k.SeatsUsed), float64(k.Limit))
	}
	return c
}
