package scenarios

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// What an operation does where the file does not say. Static pods, as which API servers
// mostly run, have 30 s to end in.
const (
	defaultGrace = duration(30 * time.Second)
	defaultDown  = duration(30 * time.Second)
	defaultPause = duration(60 * time.Second)
)

// maxServers is the largest number of API servers.
const maxServers = 1000

// step is one thing that is done to a server, and the entry of the file that says so.
type step struct {
	sim.ServerOperation
	entry int
	// joins tells that the server is not there before.
	joins bool
	// made tells that it follows from the entry, which has another time: a server that stops
	// when its grace is over.
	made bool
}

// operator reads the operations of a scenario.
type operator struct {
	*loader
	servers int
	// end is when the run is over, with its traces if it is 0.
	end   time.Duration
	steps []step
}

// operations reads what is done to the servers, and checks it server by server.
func (l *loader) operations(specs []operationSpec, servers int, end time.Duration) *operator {
	o := &operator{loader: l, servers: servers, end: end}
	for i := range specs {
		o.operation(i, &specs[i])
	}
	slices.SortStableFunc(o.steps, func(a, b step) int { return cmp.Compare(a.At, b.At) })
	o.follow()
	return o
}

// compiled returns the operations as the simulation takes them.
func (o *operator) compiled() []sim.ServerOperation {
	var out []sim.ServerOperation
	for i := range o.steps {
		out = append(out, o.steps[i].ServerOperation)
	}
	return out
}

// operation reads one entry.
func (o *operator) operation(i int, s *operationSpec) {
	path := index("operations", i)
	kind, ok := o.oneOf(path, &s.operationChoice)
	at := time.Duration(value(s.At, 0))
	ok = o.require(path, "at", durationLegal) && o.operationTime(path, at) && ok
	fits := map[string][]string{
		"restart": {"grace", "down", "kubernetesVersion"}, "start": {"kubernetesVersion"}, "join": {"kubernetesVersion"},
	}[kind]
	for _, f := range []string{"grace", "down", "kubernetesVersion"} {
		if kind != "" && !slices.Contains(fits, f) {
			o.excluded(path, "with "+kind, f)
		}
	}
	v := o.stepRelease(join(path, "kubernetesVersion"), s.KubernetesVersion)
	if kind == "rollingUpgrade" {
		o.rollingUpgrade(i, at, s.RollingUpgrade, ok)
		return
	}
	server := o.serverOf(path, kind, s)
	if !ok || server < 0 {
		return
	}
	add := func(at time.Duration, k sim.OperationKind, v release.Version, made bool) {
		o.add(step{ServerOperation: sim.ServerOperation{At: at, Server: server, Kind: k, Release: v}, entry: i, joins: kind == "join", made: made})
	}
	switch kind {
	case "stop":
		add(at, sim.Stop, release.Version{}, false)
	case "drain":
		add(at, sim.Drain, release.Version{}, false)
	case "start", "join":
		add(at, sim.Start, v, false)
	case "restart":
		o.restart(i, at, server, v, time.Duration(value(s.Grace, 0)), time.Duration(value(s.Down, defaultDown)))
	}
}

// operationTime checks when an operation is.
func (o *operator) operationTime(path string, at time.Duration) bool {
	inner := join(path, "at")
	f := fault{code: CodeOutOfRange}
	switch {
	case !o.sound(inner):
		return false
	case at == 0:
		f.message, f.legal = inner+" is 0", "a duration above 0"
		f.hint = "a server that is not there from the beginning is one that joins"
	case o.end > 0 && at >= o.end:
		f.message, f.legal = fmt.Sprintf("%s is %s, and the run is over by then", inner, durationText(at)), "a duration below "+durationText(o.end)
	default:
		return true
	}
	o.refuse(inner, f)
	return false
}

// stepRelease reads the release that a server starts as, the zero value for the one that it
// had.
func (o *operator) stepRelease(path string, text *string) release.Version {
	if text == nil || !o.sound(path) {
		return release.Version{}
	}
	return o.parseVersion(path, *text)
}

// serverOf returns the server that an operation is about, or -1 after a fault.
func (o *operator) serverOf(path, kind string, s *operationSpec) int32 {
	server := map[string]*int{"stop": s.Stop, "drain": s.Drain, "start": s.Start, "restart": s.Restart, "join": s.Join}[kind]
	inner := join(path, kind)
	if server == nil || !o.sound(inner) || !o.knownServer(inner, *server) {
		return -1
	}
	return int32(*server)
}

// knownServer reports an index that is not of a server.
func (l *loader) knownServer(path string, server int) bool {
	servers := value(l.spec.Server.Count, 1)
	if server >= 0 && server < servers {
		return true
	}
	if l.sound("server.count") {
		f := fault{code: CodeReference, message: fmt.Sprintf("%s: there is no server %d", path, server), legal: numbersOf(servers),
			hint: "server.count says how many there are, those that join later included"}
		l.refuse(path, f)
	}
	return false
}

// numbersOf says which numbers n things have.
func numbersOf(n int) string {
	if n == 1 {
		return "0"
	}
	return fmt.Sprintf("0 to %d", n-1)
}

// add takes a step, unless it is so late that it cannot matter.
func (o *operator) add(s step) {
	if s.At > workload.MaxDuration || o.end > 0 && s.At >= o.end {
		return
	}
	o.steps = append(o.steps, s)
}

// restart lets a server stop, at once or after its grace, and start again.
func (o *operator) restart(entry int, at time.Duration, server int32, v release.Version, grace, down time.Duration) {
	add := func(at time.Duration, k sim.OperationKind, v release.Version) {
		o.add(step{ServerOperation: sim.ServerOperation{At: at, Server: server, Kind: k, Release: v}, entry: entry, made: true})
	}
	if grace > 0 {
		add(at, sim.Drain, release.Version{})
	}
	add(at+grace, sim.Stop, release.Version{})
	add(at+grace+down, sim.Start, v)
}

// rollingUpgrade restarts one server after the other. Those that join later are left out:
// what they start as is said where they join.
func (o *operator) rollingUpgrade(entry int, at time.Duration, s *rollingUpgradeSpec, ok bool) {
	path := join(index("operations", entry), "rollingUpgrade")
	inner := join(path, "kubernetesVersion")
	if s == nil || !o.require(path, "kubernetesVersion", versionLegal) || !ok {
		return
	}
	v := o.parseVersion(inner, *s.KubernetesVersion)
	if !o.sound(inner) {
		return
	}
	grace, down, pause := time.Duration(value(s.Grace, defaultGrace)), time.Duration(value(s.Down, defaultDown)), time.Duration(value(s.Pause, defaultPause))
	upgraded := 0
	for server := range o.servers {
		if o.willJoin(server) {
			continue
		}
		if o.end > 0 && at+grace+down >= o.end {
			o.c.warning(o.at(path), fault{code: CodeNoEffect, field: path,
				message: fmt.Sprintf("%s: server %d would be upgraded at %s, and the run is over by then", path, server, durationText(at+grace+down))})
			return
		}
		o.restart(entry, at, int32(server), v, grace, down)
		at = min(at+grace+down+pause, math.MaxInt64/4)
		upgraded++
	}
	if upgraded == 0 {
		o.c.warning(o.at(path), fault{code: CodeNoEffect, field: path, message: path + ": all servers join later, so that there is none to upgrade"})
	}
}

// willJoin tells whether some entry lets a server join.
func (o *operator) willJoin(server int) bool {
	return slices.ContainsFunc(o.spec.Operations, func(s operationSpec) bool { return s.Join != nil && *s.Join == server })
}
