package sim

import (
	"time"

	"github.com/apfsim/apfsim/sim/backend"
)

// The figures are those of now, to be looked at in a call of an Observer: at each adjustment,
// say, which comes every ten seconds, or at the end. Differences of two looks are what happened
// between them: Used over the time and the cores is the utilization that
// process_cpu_seconds_total gives an operator.

// MachineLoad is what can be known of the machine of an API server.
type MachineLoad struct {
	// Cores are in thousandths. Used is the core time that was used since the beginning, and
	// Jobs how many share the cores now.
	Cores int64
	Used  time.Duration
	Jobs  int
	// Memory is what is in use now in bytes, Peak the most that ever was, Limit what is
	// allowed, 0 for anything. Held is the part of Memory that Answers in flight hold.
	Memory, Peak, Limit, Held int64
	Answers                   int
	// Kills is how often the server was killed for its memory.
	Kills int64
}

// MachineLoad returns the load of the machine of an API server as it is now; false if the run
// has no backend.
func (w *World) MachineLoad(server int32) (MachineLoad, bool) {
	if w.behind == nil {
		return MachineLoad{}, false
	}
	m := &w.behind.machines[server]
	held, answers := m.memory.InFlight()
	return MachineLoad{
		Cores: m.cpu.Cores(), Used: m.cpu.Used(w.now), Jobs: m.cpu.Jobs(),
		Memory: m.memory.InUse(), Peak: m.memory.Peak(), Limit: w.behind.cfg.Memory.Limit,
		Held: held, Answers: answers, Kills: m.memory.Kills(),
	}, true
}

// MemberLoad is what can be known of an etcd member.
type MemberLoad struct {
	Reads, Writes backend.StationState
}

// EtcdMembers is how many etcd members there are, 0 without a backend.
func (w *World) EtcdMembers() int {
	if w.behind == nil {
		return 0
	}
	return w.behind.storage.Members()
}

// MemberLoad returns the load of an etcd member as it is now. There must be a backend.
func (w *World) MemberLoad(member int) MemberLoad {
	return MemberLoad{Reads: w.behind.storage.Reads(w.now, member), Writes: w.behind.storage.Writes(w.now, member)}
}
