package seats

import (
	"slices"

	"github.com/apfsim/apfsim/scheduler/release"
)

// Side is one of the two configurations that are compared.
type Side struct {
	// Name says where it comes from: a file, or that it is the built-in objects alone.
	Name string
	Input
}

// Diff is what changes for whom from one configuration to another. Lists hold what
// differs, and nothing else.
type Diff struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Different tells whether any of the lists holds anything.
	Different bool    `json:"different"`
	Before    Summary `json:"before"`
	After     Summary `json:"after"`
	// Behaviour is what the releases do differently, in the order in which it came to be.
	Behaviour []BehaviourChange `json:"behaviour"`
	// Objects are in the order of their kinds, then of their names.
	Objects []ObjectChange `json:"objects"`
	// Levels are in the order of their names.
	Levels   []LevelChange `json:"levels"`
	Requests RequestsDiff  `json:"requests"`
	Costs    CostsDiff     `json:"costs"`
}

// Summary says what one side is.
type Summary struct {
	Name              string `json:"name"`
	KubernetesVersion string `json:"kubernetesVersion"`
	Server            Server `json:"server"`
	Sums              Sums   `json:"sums"`
}

// BehaviourChange is something that one release does and the other does not.
type BehaviourChange struct {
	// Since are the first versions that do it, with the patches that it was brought back to.
	Since []string `json:"since"`
	Text  string   `json:"text"`
	// Lost tells that the release of the side before does it, and that of the side after does
	// not.
	Lost bool `json:"lost,omitempty"`
}

// compareBehaviour lists what is different about two releases.
func compareBehaviour(before, after release.Version) []BehaviourChange {
	changes := []BehaviourChange{}
	for _, c := range release.Between(before, after) {
		b := BehaviourChange{Text: c.Text, Lost: !c.In(after)}
		for _, v := range c.Since {
			b.Since = append(b.Since, v.String())
		}
		changes = append(changes, b)
	}
	return changes
}

// LevelChange is a level whose figures differ. Before is absent for a new level, and After
// for one that is gone.
type LevelChange struct {
	Name   string `json:"name"`
	Before *Level `json:"before,omitempty"`
	After  *Level `json:"after,omitempty"`
}

// Compare tells what changes between two configurations, for these requests among others.
// Without any it takes typical ones, and those that the FlowSchemas which differ were
// written for. The error is that of a configuration which no scheduler can run.
func Compare(before, after Side, requests []Request) (*Diff, error) {
	d := &Diff{APIVersion: modelVersion, Kind: diffKind}
	old, err := For(before.Input)
	if err != nil {
		return nil, err
	}
	now, err := For(after.Input)
	if err != nil {
		return nil, err
	}
	d.Before, d.After = summary(before.Name, old), summary(after.Name, now)
	d.Behaviour = compareBehaviour(before.Configuration.Release, after.Configuration.Release)
	d.Objects = compareObjects(before.Configuration, after.Configuration)
	d.Levels = compareLevels(old, now)
	if requests == nil {
		requests = distinct(append(typicalRequests(), ownRequests(d.changedSchemas(), before.Configuration, after.Configuration)...))
	}
	if d.Requests, err = compareRequests(before.Scheduler, after.Scheduler, requests); err != nil {
		return nil, err
	}
	if d.Costs, err = compareCosts(before.Scheduler, after.Scheduler); err != nil {
		return nil, err
	}
	d.Different = len(d.Behaviour)+len(d.Objects)+len(d.Levels)+len(d.Requests.Changed)+len(d.Costs.Changed) > 0
	return d, nil
}

// changedSchemas lists the FlowSchemas that differ, in the order of their names.
func (d *Diff) changedSchemas() []string {
	var names []string
	for i := range d.Objects {
		if d.Objects[i].Kind == schemaKind {
			names = append(names, d.Objects[i].Name)
		}
	}
	return names
}

func summary(name string, t *Table) Summary {
	return Summary{Name: name, KubernetesVersion: t.KubernetesVersion, Server: t.Server, Sums: t.Sums}
}

// compareLevels lists the levels with other figures.
func compareLevels(old, now *Table) []LevelChange {
	changes := []LevelChange{}
	for _, name := range union(levelNames(old), levelNames(now)) {
		a, b := old.level(name), now.level(name)
		if a == nil || b == nil || !a.equal(b) {
			changes = append(changes, LevelChange{name, a, b})
		}
	}
	return changes
}

func levelNames(t *Table) []string {
	names := make([]string, len(t.Levels))
	for i := range t.Levels {
		names[i] = t.Levels[i].Name
	}
	return names
}

// union returns the names of both lists in order, each once.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// equal tells whether the figures of two levels are the same. Who wrote the object is no
// figure.
func (l *Level) equal(m *Level) bool {
	return l.Type == m.Type && l.Shares == m.Shares && l.LendablePercent == m.LendablePercent &&
		same(l.BorrowingLimitPercent, m.BorrowingLimitPercent) &&
		l.Nominal == m.Nominal && l.Min == m.Min && l.Max == m.Max && same(l.Idle, m.Idle) && same(l.Alone, m.Alone) &&
		l.WidestList == m.WidestList && l.WidestWatch == m.WidestWatch && l.WidestWrite == m.WidestWrite &&
		same(l.Queuing, m.Queuing)
}

// same compares what may be absent.
func same[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
