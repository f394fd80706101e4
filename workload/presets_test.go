package workload

import (
	"slices"
	"testing"
	"time"
)

// TestPresets holds that every preset is a sound population, and a copy.
func TestPresets(t *testing.T) {
	names := PresetNames()
	if want := []string{"elephant", "mice", "list-storm", "leader-election", "nodes", "controller", "informers", "events", "agents", "daemonset-restart", "kubectl-users", "probes", "webhooks"}; !slices.Equal(names, want) {
		t.Fatalf("the presets are %q, want %q", names, want)
	}
	for _, name := range names {
		p, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if faults := p.Validate(); len(faults) > 0 || p.Preset != name {
			t.Errorf("%s: %v, made from %q", name, faults, p.Preset)
		}
		p.Groups[0], p.Requests[0].Verb = "changed", "changed"
		if p.Open != nil {
			p.Open.Rate, p.Open.Count = -1, -1
		}
		if again, _ := Preset(name); len(again.Validate()) > 0 || again.Groups[0] == "changed" {
			t.Errorf("%s: the preset changes with its copies", name)
		}
	}
}

func TestPresetUnknown(t *testing.T) {
	_, err := Preset("elefant")
	const want = `preset: there is no preset "elefant"; did you mean "elephant"?; legal: elephant, mice, list-storm, leader-election, nodes, controller, informers, events, agents, daemonset-restart, kubectl-users, probes, webhooks`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestLeaderElectionPreset holds the timing of the control plane's components, and that the
// client's time limit is half the renew deadline.
func TestLeaderElectionPreset(t *testing.T) {
	p, err := Preset("leader-election")
	if err != nil {
		t.Fatal(err)
	}
	l := p.Behaviour.(Lease)
	if want := (Lease{Duration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, Restart: 5 * time.Second}); l != want {
		t.Errorf("the lease is %v, want %v", l, want)
	}
	if got, want := p.Requests[0].Timeout, l.RenewDeadline/2; got != want {
		t.Errorf("the time limit is %v, want %v", got, want)
	}
}

// TestCloneOfAllKinds holds that a clone shares neither stages nor durations.
func TestCloneOfAllKinds(t *testing.T) {
	d := must(Constant(1))
	p := Population{
		Requests: []Template{{Duration: &d}},
		Open:     open(Stages([]Stage{{1, 1}})),
		Closed:   &Closed{Concurrency: 1},
	}
	c := p.clone()
	*c.Requests[0].Duration = must(Constant(2))
	c.Open.Stages[0].Rate = 2
	c.Closed.Concurrency = 2
	if d.Mean() != 1 || p.Open.Stages[0].Rate != 1 || p.Closed.Concurrency != 1 {
		t.Errorf("the original has changed: %+v", p)
	}
}
