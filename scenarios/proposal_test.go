package scenarios

import (
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scheduler/release"
)

// proposeSettings loads a scenario of a release with and without settings.
func proposeSettings(t *testing.T, v string, settings ...string) *Proposal {
	t.Helper()
	text := "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata: {name: s}\nkubernetesVersion: \"" + v + "\"\nduration: 1m\n" +
		"clients:\n- name: c\n  user: u\n  requests: [{verb: get, resource: pods}]\n  arrivals: {poisson: {rate: 1}}\n  duration: {constant: 1ms}\n"
	files := memoryFiles{"s.yaml": text}
	var both [2]*Configuration
	for i := range both {
		o := Options{}
		for _, text := range settings[:i*len(settings)] {
			o.Settings = append(o.Settings, Setting{Flag: "--set", Text: text})
		}
		s, faults := LoadWith("s.yaml", files, o)
		if faults.HasErrors() {
			t.Fatal(faults)
		}
		both[i], _ = s.Configuration(s.Release)
	}
	return Propose(both[0], both[1])
}

// TestProposalsHoldWhatChanges applies proposals of every release to its built-in objects.
func TestProposalsHoldWhatChanges(t *testing.T) {
	for minor := 20; minor <= release.Last.Minor; minor++ {
		v := release.Version{Minor: minor, Patch: release.Newest}
		p := proposeSettings(t, minorText(minor), "priorityLevel/workload-low.queues=32", "flowSchema/service-accounts.matchingPrecedence=8500", "server.maxRequestsInflight=500")
		if len(p.Objects) != 2 || p.Objects[0].Name != "workload-low" || p.Objects[1].Name != "service-accounts" || len(p.Gone) > 0 {
			t.Fatalf("1.%d: %+v", minor, p)
		}
		if len(p.Flags) != 1 || p.Flags[0] != (ProposedFlag{"max-requests-inflight", 400, 500}) {
			t.Errorf("1.%d: flags %+v", minor, p.Flags)
		}
		files := memoryFiles{"p.yaml": p.Manifests()}
		applied, faults := LoadConfiguration([]string{"p.yaml"}, files, ConfigurationOptions{Release: v})
		if len(faults) > 0 {
			t.Fatalf("1.%d: %v\n%s", minor, faults, p.Manifests())
		}
		plain, _ := LoadConfiguration(nil, files, ConfigurationOptions{Release: v})
		for i, l := range applied.Levels {
			same := (&proposable{&l.Object.ObjectMeta, &l.Object.Spec, nil}).same(&proposable{&plain.Levels[i].Object.ObjectMeta, &plain.Levels[i].Object.Spec, nil})
			if same == (l.Object.Name == "workload-low") {
				t.Errorf("1.%d: %s: the same: %v", minor, l.Object.Name, same)
			}
		}
		if q := applied.Levels[len(applied.Levels)-1].Object.Spec.Limited.LimitResponse.Queuing; q.Queues != 32 {
			t.Errorf("1.%d: %d queues", minor, q.Queues)
		}
	}
}

func TestProposalText(t *testing.T) {
	const want = `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata:
  annotations:
    apf.kubernetes.io/autoupdate-spec: "false"
  name: workload-low
spec:
  limited:
    lendablePercent: 90
    limitResponse:
      queuing:
        handSize: 4
        queueLengthLimit: 50
        queues: 128
      type: Queue
    nominalConcurrencyShares: 100
  type: Limited
`
	p := proposeSettings(t, "1.37", "priorityLevel/workload-low.handSize=4")
	if got := p.Manifests(); got != want {
		t.Errorf("got\n%s", got)
	}
	if !strings.Contains(p.Objects[0].Before, "handSize: 6") {
		t.Errorf("before is\n%s", p.Objects[0].Before)
	}
	if p := proposeSettings(t, "1.37"); !p.Empty() || p.Manifests() != "" {
		t.Errorf("nothing changes: %+v", p)
	}
	old := proposeSettings(t, "1.24", "priorityLevel/workload-low.shares=120")
	for _, part := range []string{"flowcontrol.apiserver.k8s.io/v1beta2", "assuredConcurrencyShares: 120"} {
		if !strings.Contains(old.Manifests(), part) || strings.Contains(old.Manifests(), "lendablePercent") {
			t.Errorf("1.24: no %s in\n%s", part, old.Manifests())
		}
	}
}
