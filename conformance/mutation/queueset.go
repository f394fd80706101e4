package mutation

// The files of the queue set.
const (
	setFile      = "scheduler/fairqueue/set.go"
	queuesFile   = "scheduler/fairqueue/queues.go"
	dispatchFile = "scheduler/fairqueue/dispatch.go"
	typesFile    = "scheduler/fairqueue/types.go"
	unitsFile    = "scheduler/fairqueue/seatseconds.go"
	demandFile   = "scheduler/borrowing/demand.go"
)

// QueueSet are the wrong queue sets.
var QueueSet = []Group{
	{"the four that the recorded decisions do not catch", uncaught},
	{"choice of a queue", choice},
	{"rejection", rejection},
	{"virtual time", virtualTime},
	{"dispatch", dispatching},
	{"finish, release and expiry", ending},
	{"trimmed final seats", trimming},
	{"fewer queues", draining},
	{"demand", demand},
}

var uncaught = []Mutant{
	{Name: "refused-moves-robin", Detail: "a refused attempt leaves the round robin index where it was",
		Edits: []Edit{{dispatchFile, "s.robin = len(s.order) - 1\n\t\t\t}\n", "s.robin = len(s.order) - 1\n\t\t\t}\n\t\t\ts.robin = index\n"}}},
	{Name: "idle-counts-lingering", Detail: "a queue with lingering seats alone is empty: the next arrival sets its nextDispatchR to R",
		Edits: []Edit{{queuesFile, "\t\tq.nextDispatchR = s.r\n", "\t\tif q.seatsInUse == 0 {\n\t\t\tq.nextDispatchR = s.r\n\t\t}\n"}}},
	{Name: "active-counts-lingering", Detail: "a queue with lingering seats alone is not active",
		Edits: []Edit{{dispatchFile, "\tif s.active == 0 {\n\t\treturn 0\n\t}\n", `
	active := s.active
	for _, slot := range s.order {
		if q := &s.queues[slot]; q.idle() && q.seatsInUse > 0 {
			active++
		}
	}
	if active == 0 {
		return 0
	}
`}, {dispatchFile, "/ float64(s.active)", "/ float64(active)"}}},
	{Name: "set-idle-counts-lingering", Detail: "a set with lingering seats alone is idle",
		Edits: []Edit{{setFile, "return s.waiting == 0 && s.executing == 0 }", "return s.waiting == 0 && s.executing == 0 && s.seatsInUse == 0 }"}}},
	{Name: "watermark-from-zero", Detail: "the high watermark restarts at the present demand",
		Edits: []Edit{{demandFile, "x: g.x, max: g.x}", "x: g.x}"}}},
	{Name: "no-guard", Detail: "the dispatch loop runs only while seats in use < limit",
		Edits: []Edit{
			{dispatchFile, "for s.waiting != 0 && s.seatsInUse < s.limit {", "for s.waiting != 0 {"},
			{setFile, "if s.waiting == 1 && s.seatsInUse < s.limit && ", "if s.waiting == 1 && "},
		}},
}

var choice = []Mutant{
	{Name: "no-rotation", Detail: "the visit of the hand starts one card later for each arrival",
		Edits: []Edit{{queuesFile, "i := s.arrivals % len(hand)", "i := 0"}}},
	{Name: "rotation-from-one", Detail: "the enqueue counter starts at 0",
		Edits: []Edit{{queuesFile, "i := s.arrivals % len(hand)", "i := (s.arrivals + 1) % len(hand)"}}},
	{Name: "rejects-keep-rotation", Detail: "the enqueue counter advances for rejected requests too",
		Edits: []Edit{{setFile, "\t\ts.rank(q)\n\t\treturn None, index, QueueFull", "\t\ts.rank(q)\n\t\ts.arrivals--\n\t\treturn None, index, QueueFull"}}},
	{Name: "last-minimum", Detail: "the first queue with the least work wins",
		Edits: []Edit{{queuesFile, "work < least {", "work <= least {"}}},
	{Name: "choice-by-requests", Detail: "the choice compares work, not the number of waiting requests",
		Edits: []Edit{{queuesFile, "if work := s.queues[s.order[hand[i]]].work; work", "if work := SeatSeconds(s.queues[s.order[hand[i]]].waiting); work"}}},
	{Name: "choice-by-seats", Detail: "the choice compares work, not waiting seats",
		Edits: []Edit{{queuesFile, "if work := s.queues[s.order[hand[i]]].work; work", "if work := SeatSeconds(s.queues[s.order[hand[i]]].seatsWaiting); work"}}},
	{Name: "choice-counts-executing", Detail: "the choice does not look at executing requests",
		Edits: []Edit{{queuesFile, "if work := s.queues[s.order[hand[i]]].work; work", "if work := s.queues[s.order[hand[i]]].work + SeatSeconds(s.queues[s.order[hand[i]]].seatsInUse); work"}}},
	{Name: "work-by-width", Detail: "the work of the first phase is initial seats, not the width, times 3 ms",
		Edits: []Edit{{queuesFile, "SeatSeconds(e.InitialSeats)*", "SeatSeconds(e.Width())*"}}},
	{Name: "no-final-work", Detail: "work includes that of the final seats",
		Edits: []Edit{{queuesFile, "guessPerSeat + finalWork(e)", "guessPerSeat"}}},
	{Name: "other-guess", Detail: "G is 3 ms",
		Edits: []Edit{{setFile, "const guess = 3 * time.Millisecond", "const guess = 5 * time.Millisecond"}}},
}

var rejection = []Mutant{
	{Name: "full-while-seats-free", Detail: "queue-full needs seats in use >= limit beside a full queue",
		Edits: []Edit{{setFile, "if s.seatsInUse >= s.limit && int(q.waiting)", "if int(q.waiting)"}}},
	{Name: "full-counts-request", Detail: "queue-full compares the seats in use before the request",
		Edits: []Edit{{setFile, "if s.seatsInUse >= s.limit && int(q.waiting)", "if s.seatsInUse+e.Width() > s.limit && int(q.waiting)"}}},
	{Name: "one-more-in-queue", Detail: "a queue is full at its length limit",
		Edits: []Edit{{setFile, ">= s.cfg.QueueLengthLimit {", "> s.cfg.QueueLengthLimit {"}}},
	{Name: "length-in-seats", Detail: "queueLengthLimit counts requests, not seats",
		Edits: []Edit{{setFile, "int(q.waiting) >= s.cfg.QueueLengthLimit {", "q.seatsWaiting >= s.cfg.QueueLengthLimit {"}}},
	{Name: "reject-limit-zero", Detail: "limit 0 without queues admits one request at a time",
		Edits: []Edit{{dispatchFile, "return s.executing == 0", "return s.executing == 0 && s.limit > 0"}}},
	{Name: "exempt-limited", Detail: "an exempt set admits everything",
		Edits: []Edit{{dispatchFile, "\tcase s.cfg.Queues < 0:\n\t\treturn true\n", ""}}},
	{Name: "rejected-keeps-R", Detail: "R is brought up to date on rejected arrivals too",
		Edits: []Edit{{setFile, ", tag uint32) (Handle, int, Reason, []Dispatch) {\n\ts.begin(now)\n", `, tag uint32) (Handle, int, Reason, []Dispatch) {
	if s.cfg.Queues > 0 && s.seatsInUse >= s.limit {
		arrivals := s.arrivals
		index := s.choose(hand)
		if int(s.queues[s.order[index]].waiting) >= s.cfg.QueueLengthLimit {
			s.out = s.out[:0]
			return None, index, QueueFull, s.end()
		}
		s.arrivals = arrivals
	}
	s.begin(now)
`}}},
}

var virtualTime = []Mutant{
	{Name: "R-truncates", Detail: "work and R are rounded, not truncated",
		Edits: []Edit{{unitsFile, "math.Round(product / nanosPerUnit)", "math.Trunc(product / nanosPerUnit)"}}},
	{Name: "R-half-even", Detail: "halves are rounded away from zero, not to even",
		Edits: []Edit{{unitsFile, "math.Round(product / nanosPerUnit)", "math.RoundToEven(product / nanosPerUnit)"}}},
	{Name: "R-half-up", Detail: "negative halves are rounded away from zero, not up",
		Edits: []Edit{{unitsFile, "math.Round(product / nanosPerUnit)", "math.Floor(product/nanosPerUnit + 0.5)"}}},
	{Name: "R-divides-time-first", Detail: "seats times time is computed first and divided by 10 then",
		Edits: []Edit{{unitsFile, "float64(seats * float64(d))\n", "float64(seats * (float64(d) / nanosPerUnit))\n"}, {unitsFile, "math.Round(product / nanosPerUnit)", "math.Round(product)"}}},
	{Name: "R-divides-queues-last", Detail: "seats are divided by the active queues before they are multiplied by the time",
		Edits: []Edit{
			{dispatchFile, "s.r += SeatsTimesDuration(s.speed(), elapsed)", "if s.active > 0 {\n\t\ts.r += SeatSeconds(int64(math.Round(s.speed() * float64(elapsed) / nanosPerUnit / float64(s.active))))\n\t}"},
			{dispatchFile, " / float64(s.active)\n", "\n"},
		}},
	{Name: "R-unlimited", Detail: "R goes no faster than the limit allows",
		Edits: []Edit{{dispatchFile, "float64(min(s.queueSeats, s.limit))", "float64(s.queueSeats)"}}},
	{Name: "R-ignores-waiting", Detail: "waiting seats count in the speed of R",
		Edits: []Edit{{dispatchFile, "min(s.queueSeats, s.limit)", "min(s.seatsInUse, s.limit)"}}},
	{Name: "R-ignores-lingering", Detail: "lingering seats count in the speed of R",
		Edits: []Edit{{dispatchFile, "\treturn float64(min(s.queueSeats,", `
	seats := s.queueSeats
	for i := range s.requests {
		if r := &s.requests[i]; r.phase == lingering && r.queue >= 0 && s.queues[r.queue].present {
			seats -= r.estimate.Width()
		}
	}
	return float64(min(seats,`}}},
	{Name: "R-counts-trimmed", Detail: "the speed of R counts the queues' own sums, not the totals of the level",
		Edits: []Edit{{dispatchFile, "min(s.queueSeats, s.limit)", "min(s.seatsInUse+s.seatsWaiting, s.limit)"}}},
	{Name: "R-over-all-queues", Detail: "R is shared by the active queues, not by all",
		Edits: []Edit{{dispatchFile, "float64(s.active)\n", "float64(len(s.order))\n"}}},
	{Name: "R-after-limit", Detail: "an adjustment brings R up to date at the old limit",
		Edits: []Edit{{setFile, "\ts.begin(now)\n\tif cfg.Queues <= 0 {", "\ts.limit = limit\n\ts.begin(now)\n\tif cfg.Queues <= 0 {"}}},
	{Name: "R-unchanged-limit", Detail: "setting the limit that is in force brings R up to date too",
		Edits: []Edit{{setFile, "\ts.begin(now)\n\tif cfg.Queues <= 0 {", "\tif cfg == s.cfg && limit == s.limit {\n\t\ts.out = s.out[:0]\n\t\treturn s.end()\n\t}\n\ts.begin(now)\n\tif cfg.Queues <= 0 {"}}},
	{Name: "R-on-demand", Detail: "taking the demand does not bring R up to date",
		Edits: []Edit{{setFile, "return s.demand.Take(now) }", "s.begin(now); return s.demand.Take(now) }"}}},
	{Name: "R-not-on-expiry", Detail: "expiry brings R up to date",
		Edits: []Edit{{setFile, "\ts.begin(now)\n\tr := s.request(h, waiting)", "\tbefore, synced := s.r, s.synced\n\ts.begin(now)\n\ts.r, s.synced = before, synced\n\tr := s.request(h, waiting)"}}},
	{Name: "R-not-on-release", Detail: "the end of a lingering brings R up to date, at the seats in use until then",
		Edits: []Edit{{setFile, "\ts.begin(now)\n\ts.request(h, lingering)\n\ts.release(h)\n", "\ts.request(h, lingering)\n\ts.release(h)\n\ts.begin(now)\n"}}},
	{Name: "epoch-late", Detail: "R is wound back at three quarters of its range",
		Edits: []Edit{{dispatchFile, "highR = epoch + epoch/2", "highR = epoch + epoch/2 + epoch/4"}}},
	{Name: "epoch-keeps-arrivals", Detail: "an epoch winds back the readings at arrival too",
		Edits: []Edit{{dispatchFile, "s.requests[h].arrivalR -= epoch", "_ = h"}}},
	{Name: "epoch-keeps-queues", Detail: "an epoch winds back the readings of the queues",
		Edits: []Edit{{dispatchFile, "\t\tq.nextDispatchR -= epoch\n", ""}}},
	{Name: "epoch-winds-idle", Detail: "an epoch sets the reading of an idle queue to 0",
		Edits: []Edit{{dispatchFile, "q.nextDispatchR = 0", "q.nextDispatchR -= epoch"}}},
	{Name: "epoch-saturates", Detail: "a reading wound back below zero wraps",
		Edits: []Edit{{dispatchFile, "\t\tq.nextDispatchR -= epoch\n", "\t\tq.nextDispatchR -= min(epoch, q.nextDispatchR)\n"}}},
}
