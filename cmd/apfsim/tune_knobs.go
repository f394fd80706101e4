package main

import (
	"fmt"
	"slices"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
)

// readKnobs reads the knobs of the flags, or takes those of all scenarios together.
func (t *tuner) readKnobs() error {
	if len(t.flags.knobs) > 0 {
		var err error
		t.factors, err = factorsOf(knobFlag, t.flags.knobs)
		t.knobTexts = make([]*scenarios.Written, len(t.factors))
		return err
	}
	of := map[string]string{}
	for _, s := range t.sources {
		b, _ := readBlock(s.base) // its faults were told when it was loaded
		for _, k := range b.knobs {
			at := slices.IndexFunc(t.factors, func(f vary.Factor) bool { return f.Path == k.factor.Path })
			if at < 0 {
				t.factors, t.knobTexts = append(t.factors, k.factor), append(t.knobTexts, k.written)
				of[k.factor.Path] = s.id.Name
				continue
			}
			if !slices.Equal(t.factors[at].Values, k.factor.Values) {
				return badInput{scenarios.Diagnostics{k.written.Fault(0, scenarios.CodeExcludes,
					fmt.Sprintf("%s has other values in the scenario %s: %s", k.factor.Path, of[k.factor.Path], t.knobTexts[at].Text), "", "say them with "+knobFlag)}}
			}
		}
	}
	if len(t.factors) == 0 {
		return usagef("for example --knob priorityLevel/workload-low.queues=32,64,128, or tune.knobs in the scenario",
			"nothing may be changed: --knob is missing, and the scenarios have no knobs")
	}
	return nil
}

// knobFault puts a fault of a knob to where the scenario has it that names it. Which of the values it is
// about it tells itself.
func (t *tuner) knobFault(knob int, d scenarios.Diagnostic) scenarios.Diagnostic {
	w := t.knobTexts[knob]
	if w == nil || d.File != knobFlag {
		return d
	}
	path := []rune(t.factors[knob].Path)
	at := len(string(path)) + 1
	if d.Column <= len(path) {
		at = len(string(path[:max(d.Column-1, 0)]))
	}
	moved := w.Fault(at, d.Code, d.Message, d.Legal, d.Hint)
	moved.Severity = d.Severity
	return moved
}
