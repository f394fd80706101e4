package mutation

// The file of saved states, and the test that notices.
const (
	savedFile = "scheduler/fairqueue/saved.go"
	goesOn    = "TestRestoredSetGoesOn"
)

// saving are wrong ways to save the state of a queue set and to go on from it.
var saving = []Mutant{
	{Name: "restore-no-r", Detail: "a restored set goes on with the saved R",
		Edits:   []Edit{{savedFile, "s.r, s.synced, s.robin, s.arrivals = m.R, m.Synced,", "s.synced, s.robin, s.arrivals = m.Synced,"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-synced-at-zero", Detail: "R of a restored set goes on from the time at which it was last brought up to date",
		Edits:   []Edit{{savedFile, "s.r, s.synced, s.robin, s.arrivals = m.R, m.Synced,", "s.r, s.robin, s.arrivals = m.R,"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-no-robin", Detail: "a restored set goes on from the queue last dispatched from",
		Edits:   []Edit{{savedFile, "s.r, s.synced, s.robin, s.arrivals = m.R, m.Synced, m.Robin, m.Arrivals", "s.r, s.synced, s.arrivals = m.R, m.Synced, m.Arrivals"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-no-arrivals", Detail: "the rotation of hands goes on in a restored set",
		Edits:   []Edit{{savedFile, "s.r, s.synced, s.robin, s.arrivals = m.R, m.Synced, m.Robin, m.Arrivals", "s.r, s.synced, s.robin = m.R, m.Synced, m.Robin"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-no-next-dispatch", Detail: "restored queues have their places in virtual time",
		Edits:   []Edit{{savedFile, "s.queues[s.order[i]].nextDispatchR = m.Queues[i].NextDispatchR", "_ = i"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-no-trimmed", Detail: "the total of waiting seats keeps what was trimmed at dispatches",
		Edits:   []Edit{{savedFile, "\ts.seatsWaiting += m.Trimmed\n", ""}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-no-demand", Detail: "the integrator of the demand goes on in a restored set",
		Edits:   []Edit{{savedFile, "\ts.demand = m.Demand.Integrator()\n", ""}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-lingering-is-active", Detail: "a restored queue with lingering seats alone is not active",
		Edits:   []Edit{{savedFile, "q.idle() && m.Phase != Lingers {", "q.idle() {"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-active-per-request", Detail: "a restored queue is active once, however many requests it has",
		Edits:   []Edit{{savedFile, "q.idle() && m.Phase != Lingers {", "q != nil && m.Phase != Lingers {"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-backwards", Detail: "restored requests wait in their order",
		Edits:   []Edit{{savedFile, "\tfor i := range m.Requests {\n\t\thandles[i] = s.restore(&m.Requests[i])\n\t}\n\ts.seatsWaiting", "\tfor i := len(m.Requests) - 1; i >= 0; i-- {\n\t\thandles[i] = s.restore(&m.Requests[i])\n\t}\n\ts.seatsWaiting"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-executing-is-work", Detail: "the work of a restored queue is that of those that wait",
		Edits:   []Edit{{savedFile, "\t\tif m.Phase == Executes {\n\t\t\tq.executing++\n", "\t\tif m.Phase == Executes {\n\t\t\tq.work += work(m.Estimate)\n\t\t\tq.executing++\n"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-lingering-holds-nothing", Detail: "seats that linger are in use in a restored set",
		Edits:   []Edit{{savedFile, "\t\ts.executing++\n\t}\n\ts.seatsInUse += width\n\tif slot", "\t\ts.executing++\n\t\ts.seatsInUse += width\n\t}\n\tif slot"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-in-use", Detail: "a set in use cannot be restored",
		Edits:   []Edit{{savedFile, "if s.waiting+s.executing+s.seatsInUse > 0 {", "if false {"}},
		Package: fairqueueTests, Run: "TestRestoreRefusesASetInUse"},
	{Name: "restore-no-virtual-start", Detail: "restored queues of 1.22 and before have their places in virtual time",
		Edits:   []Edit{{savedFile, "s.queues[i].start = m.Queues[i].VirtualStart", "_ = i"}},
		Package: fairqueueTests, Run: goesOn},
	{Name: "restore-no-virtual", Detail: "a restored set of 1.22 and before goes on with the saved virtual time",
		Edits:   []Edit{{savedFile, "s.virtual, s.synced, s.robin = m.Virtual, m.Synced,", "s.synced, s.robin = m.Synced,"}},
		Package: fairqueueTests, Run: goesOn},
}
