package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/google/go-cmp/cmp"
)

// tunedIncidents are the incidents of the library that state goals and knobs.
var tunedIncidents = []struct {
	scenario string
	quick    bool
	// added are the objects that the proposal adds, as KIND/NAME.
	added []string
}{
	{scenario: "one-user-floods-global-default"},
	{scenario: "agent-sandbox-burst"},
	{scenario: "lists-never-read", quick: true},
	{scenario: "event-flood", added: []string{"prioritylevelconfiguration/events", "flowschema/events"}},
}

// TestTuneIncidents proposes for incidents of the library what meets the goals that they state, on fresh
// replications too, where today's configuration does not. What is handed over passes lint, and its
// difference from today is what is proposed.
func TestTuneIncidents(t *testing.T) {
	t.Parallel()
	for _, x := range tunedIncidents {
		if !x.quick && !*everything {
			continue
		}
		t.Run(x.scenario, func(t *testing.T) {
			t.Parallel()
			process := newProcess(nil, "tune", x.scenario, "-o", "json", "-o", "manifests=proposal.yaml", "-o", "diff=proposal.diff")
			p := tune(t, process, exitOK)
			s, _ := scenarios.LoadLibrary(x.scenario)
			checkGoals(t, s, p)
			newProcess(process.fs.files, "lint", "--kubernetes-version", s.KubernetesVersion, "proposal.yaml").want(t, exitOK, " object", "")
			checkDifference(t, p, process.fs.files["proposal.diff"], x.added)
		})
	}
}

// checkGoals holds that the goals are those of the scenario, that they are missed today, and that they are
// met by what is proposed, in the search and on replications that it has not seen.
func checkGoals(t *testing.T, s *scenarios.Scenario, p *tuning.Proposal) {
	t.Helper()
	if len(p.Search.Goals) != len(s.Tune.Goals) || len(p.Search.Knobs) != len(s.Tune.Knobs) || len(s.Tune.Goals) == 0 {
		t.Errorf("the goals are %q, the knobs %v", p.Search.Goals, p.Search.Knobs)
	}
	for _, goals := range [][]tuning.Judged{p.Today.Goals, p.Recommended.Goals, p.Verification.Goals} {
		if len(goals) != len(s.Tune.Goals) {
			t.Errorf("%d goals are judged of %d", len(goals), len(s.Tune.Goals))
		}
	}
	if p.Today.Verdict != tuning.Missed || p.Recommended.Verdict != tuning.Met || p.Verification.Verdict != tuning.Met {
		t.Errorf("today %s, proposed %s, fresh %s", p.Today.Verdict, p.Recommended.Verdict, p.Verification.Verdict)
	}
	if v := p.Verification; v.Replications != defaultReplications || v.First < p.Runs.Replications || p.Runs.Replications != defaultReplications {
		t.Errorf("%d replications from %d on are no %d fresh ones", v.Replications, v.First, defaultReplications)
	}
}

// checkDifference holds that a diff has what is proposed, the mark that keeps the server from restoring its own
// objects, and nothing else.
func checkDifference(t *testing.T, p *tuning.Proposal, diff string, added []string) {
	t.Helper()
	want := slices.Clone(added)
	for _, c := range p.Changes {
		if c.Value != c.Today && !strings.HasPrefix(c.Path, "flowControl.") {
			field := c.Path[strings.LastIndex(c.Path, ".")+1:]
			want = append(want, "- "+field+": "+c.Today, "+ "+field+": "+c.Value)
		}
	}
	got := differences(diff)
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the diff is not what is proposed (-want +got):\n%s\n%s", d, diff)
	}
}

// differences are the objects that a diff adds, as KIND/NAME, and the fields that it changes in others.
func differences(diff string) []string {
	var out []string
	object, added := "", false
	for line := range strings.Lines(diff) {
		sign, text := line[:1], strings.TrimSpace(line[1:])
		field, value, _ := strings.Cut(text, ": ")
		switch {
		case strings.HasPrefix(line, "diff live/"):
			object, _, _ = strings.Cut(strings.TrimPrefix(line, "diff live/"), " ")
		case strings.HasPrefix(line, "@@ "):
			if added = strings.HasPrefix(line, "@@ -0,0 "); added {
				out = append(out, object)
			}
		case strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ "):
		case sign == " " || added && sign == "+" || field == "apf.kubernetes.io/autoupdate-spec":
		case strings.HasSuffix(field, "ConcurrencyShares"):
			out = append(out, sign+" shares: "+value)
		default:
			out = append(out, sign+" "+text)
		}
	}
	return out
}
