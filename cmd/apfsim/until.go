package main

import (
	"strconv"

	"github.com/spf13/pflag"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/scenarios"
)

// untilFlags ask for as many replications as it takes to know a figure well.
type untilFlags struct {
	text string
	most int
}

// untilLeast is how many replications there are at least before the precision of a figure is
// judged: of fewer, their variance is anybody's guess.
const untilLeast = 5

func (f *untilFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.text, "until", "", "`precision` at which to stop, such as 'p99 within 5%' or 'wait{client=mice,p99} within 5%':\n"+
		"replications are added until the interval is so narrow")
	flags.IntVar(&f.most, "max-replications", 100, "`number` of replications at which --until gives up, with the exit code 5")
}

// parse checks the flags; nil without --until.
func (f *untilFlags) parse(given func(string) bool) (*until, error) {
	if !given("until") {
		if given("max-replications") {
			return nil, usagef("give --until too", "--max-replications has no meaning without --until")
		}
		return nil, nil
	}
	if f.most < untilLeast || f.most > replicationsMax {
		return nil, usagef("", "--max-replications %d: legal are %d to %d", f.most, untilLeast, replicationsMax)
	}
	precision, err := compare.ParsePrecision(f.text)
	if err != nil {
		return nil, markedFault("--until", err)
	}
	return &until{precision: precision, most: f.most}, nil
}

// words are the flags as a user would give them again.
func (f *untilFlags) words(given func(string) bool) []string {
	var words []string
	if given("until") {
		words = append(words, "--until", f.text)
	}
	if given("max-replications") {
		words = append(words, "--max-replications", strconv.Itoa(f.most))
	}
	return words
}

// until tells when there are enough replications; nil leaves that to the scenario.
type until struct {
	precision *compare.Precision
	most      int
	// of is the precision of what each scenario has: a name alone may be of a level in one and of a
	// client in another.
	of map[*scenarios.Scenario]*compare.Precision
}

// resolve finds what the precision is of in each scenario, before anything runs.
func (u *until) resolve(loaded []*scenarios.Scenario) error {
	if u == nil {
		return nil
	}
	u.of = map[*scenarios.Scenario]*compare.Precision{}
	for _, s := range loaded {
		precision := *u.precision
		if err := precision.Resolve((&comparedSide{scenario: s}).names()); err != nil {
			flag := "--until"
			if len(loaded) > 1 {
				flag += ", in " + display(s)
			}
			return markedFault(flag, err)
		}
		u.of[s] = &precision
	}
	return nil
}

// wanted tells whether a precision is.
func (u *until) wanted() bool { return u != nil }

// first is how many replications to begin with.
func (u *until) first(s *scenarios.Scenario) int {
	if u == nil {
		return s.Replications
	}
	return min(max(s.Replications, untilLeast), u.most)
}

// more is how many to add.
func (u *until) more(s *scenarios.Scenario, r *reports.Result) int {
	if u == nil {
		return 0
	}
	return u.of[s].More(r, u.most)
}

// reached leaves in a result how well it knows the figure.
func (u *until) reached(s *scenarios.Scenario, r *reports.Result) {
	if u != nil {
		u.of[s].Reached(r)
	}
}
