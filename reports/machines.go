package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
	sims "github.com/apfsim/apfsim/sim/backend"
)

type stationState = sims.StationState

// backend is what collectors ask of what stands behind the servers: sim.World, or a test.
type backend interface {
	MachineLoad(server int32) (sim.MachineLoad, bool)
	EtcdMembers() int
	MemberLoad(member int) sim.MemberLoad
}

// machineUse is what a machine did in the time that counts.
type machineUse struct {
	// used is the core time, offered what its cores could have given.
	used, offered Total
	// peak and limit are of its memory, in bytes. The peak is of all the time.
	peak, limit int64
}

// stationUse is what the reads or the writes of an etcd member did in the time that counts.
type stationUse struct {
	served        int64
	busy, offered Total
	waitingPeak   int // of all the time
}

// memberUse is what an etcd member did.
type memberUse struct{ reads, writes stationUse }

// looks are what the backend was when the warm-up was over.
type looks struct {
	at       time.Duration
	machines []sim.MachineLoad
	members  []sim.MemberLoad
}

// look takes the state of all there is behind the servers, nothing without a backend.
func look(b backend, now time.Duration, servers int) *looks {
	if b == nil {
		return nil
	}
	l := &looks{at: now}
	for i := range int32(servers) {
		load, there := b.MachineLoad(i)
		if !there {
			return nil
		}
		l.machines = append(l.machines, load)
	}
	for i := range b.EtcdMembers() {
		l.members = append(l.members, b.MemberLoad(i))
	}
	return l
}

// uses returns what was done between two looks.
func (l *looks) uses(until *looks) (machines []machineUse, members []memberUse) {
	d := until.at - l.at
	for i := range until.machines {
		a, b := &l.machines[i], &until.machines[i]
		u := machineUse{peak: b.Peak, limit: b.Limit}
		u.used.add(b.Used - a.Used)
		u.offered.addProduct(b.Cores, d/1000)
		machines = append(machines, u)
	}
	for i := range until.members {
		members = append(members, memberUse{
			reads:  stationUsed(&l.members[i].Reads, &until.members[i].Reads, d),
			writes: stationUsed(&l.members[i].Writes, &until.members[i].Writes, d),
		})
	}
	return machines, members
}

// stationUsed returns what was done between two looks.
func stationUsed(a, b *stationState, d time.Duration) stationUse {
	u := stationUse{served: b.Served - a.Served, waitingPeak: b.WaitingPeak}
	u.busy.add(b.Busy - a.Busy)
	u.offered.addProduct(int64(b.Slots), d)
	return u
}

func (u *machineUse) plus(from *machineUse) {
	u.used.plus(from.used)
	u.offered.plus(from.offered)
	u.peak, u.limit = max(u.peak, from.peak), max(u.limit, from.limit)
}

func (u *stationUse) plus(from *stationUse) {
	u.served += from.served
	u.busy.plus(from.busy)
	u.offered.plus(from.offered)
	u.waitingPeak = max(u.waitingPeak, from.waitingPeak)
}

// machine renders the use of a machine.
func (u *machineUse) machine() *MachineUse {
	return &MachineUse{Utilization: part(u.used, u.offered), MemoryPeak: u.peak, MemoryLimit: u.limit}
}

// station renders the use of the reads or writes of a member.
func (u *stationUse) station() StationUse {
	return StationUse{Served: u.served, Utilization: part(u.busy, u.offered), WaitingPeak: u.waitingPeak}
}

// part returns a part of a whole, 0 of nothing.
func part(of, whole Total) Number {
	if whole == (Total{}) {
		return 0
	}
	return newNumber(of.float() / whole.float())
}

// etcd renders the members, none without a backend.
func (m *merger) etcd() []MemberUse {
	var sums []memberUse
	for _, run := range m.runs {
		if len(run.members) > len(sums) {
			sums = append(sums, make([]memberUse, len(run.members)-len(sums))...)
		}
		for i := range run.members {
			sums[i].reads.plus(&run.members[i].reads)
			sums[i].writes.plus(&run.members[i].writes)
		}
	}
	var out []MemberUse
	for i := range sums {
		out = append(out, MemberUse{i, sums[i].reads.station(), sums[i].writes.station()})
	}
	return out
}

// machineOf adds up the machine of a server over the replications, nil without a backend.
func (m *merger) machineOf(server int) *MachineUse {
	var sum machineUse
	known := false
	for _, run := range m.runs {
		if server < len(run.machines) {
			sum.plus(&run.machines[server])
			known = true
		}
	}
	if !known {
		return nil
	}
	return sum.machine()
}
