package mutation

var dispatching = []Mutant{
	{Name: "scan-from-zero", Detail: "the first scan starts at queue 1",
		Edits: []Edit{{setFile, "s := &Set{synced: now,", "s := &Set{robin: -1, synced: now,"}}},
	{Name: "no-round-robin", Detail: "ties go to the queue after the one last dispatched from, not to the lowest index",
		Edits: []Edit{{dispatchFile, "s.finish.next(s.robin + 1)", "s.finish.next(0)"}}},
	{Name: "robin-keeps-winner", Detail: "the queue last dispatched from is scanned last",
		Edits: []Edit{{dispatchFile, "s.finish.next(s.robin + 1)", "s.finish.next(max(0, s.robin))"}}},
	{Name: "finish-without-head", Detail: "the key is nextDispatchR plus the work of the head",
		Edits: []Edit{{queuesFile, "key = q.nextDispatchR + s.requests[q.head].work", "key = q.nextDispatchR"}}},
	{Name: "finish-times-width", Detail: "the key adds the work of both phases of the head, not 3 ms a seat",
		Edits: []Edit{{queuesFile, "key = q.nextDispatchR + s.requests[q.head].work", "key = q.nextDispatchR + SeatsTimesDuration(float64(s.requests[q.head].estimate.Width()), guess)"}}},
	{Name: "skips-wide-head", Detail: "a head that does not fit holds the others up",
		Edits: []Edit{{dispatchFile, "s.robin = len(s.order) - 1\n\t\t\t}\n\t\t\ts.refused = Handle(q.head)\n\t\t\treturn\n", `s.robin = len(s.order) - 1
			}
			best := nowhere
			for i, slot := range s.order {
				other := &s.queues[slot]
				if other.head >= 0 && s.fits(s.requests[other.head].estimate.Width()) && (best < 0 || s.finish.keys[s.finish.leaves+i] < s.finish.keys[s.finish.leaves+best]) {
					best = i
				}
			}
			if best < 0 {
				return
			}
			index = best
`}}},
	{Name: "wide-never", Detail: "a request wider than the limit runs when nothing executes",
		Edits: []Edit{{dispatchFile, "return s.executing == 0", "return false"}}},
	{Name: "wide-waits-for-lingering", Detail: "a request wider than the limit does not wait for lingering seats",
		Edits: []Edit{{dispatchFile, "return s.executing == 0", "return s.seatsInUse == 0"}}},
	{Name: "wide-at-once", Detail: "a request wider than the limit waits until nothing executes",
		Edits: []Edit{{dispatchFile, "return s.executing == 0", "return true"}}},
	{Name: "equal-is-wide", Detail: "a request as wide as the limit is not wider than it",
		Edits: []Edit{{dispatchFile, "case width > s.limit:", "case width >= s.limit:"}}},
	{Name: "fit-leaves-one", Detail: "a request fits if it takes the last seat",
		Edits: []Edit{{dispatchFile, "return s.seatsInUse+width <= s.limit", "return s.seatsInUse+width < s.limit"}}},
	{Name: "fit-by-initial", Detail: "the fit is tested with the larger of the two phases",
		Edits: []Edit{{dispatchFile, "if !s.fits(s.requests[q.head].estimate.Width()) {", "if !s.fits(s.requests[q.head].estimate.InitialSeats) {"}}},
	{Name: "seats-by-initial", Detail: "the larger of the two phases is charged for the execution",
		Edits: []Edit{{dispatchFile, "\ts.executing++\n\ts.seatsInUse += width\n\tq.executing++", "\ts.executing++\n\ts.seatsInUse += r.estimate.InitialSeats\n\tq.executing++"}}},
	{Name: "one-dispatch-a-call", Detail: "as many requests go as fit, not one",
		Edits: []Edit{{dispatchFile, "\t\ts.dispatchHead(index)\n", "\t\ts.dispatchHead(index)\n\t\treturn\n"}}},
	{Name: "no-dispatch-on-configure", Detail: "a new limit lets requests go at once",
		Edits: []Edit{{setFile, "\ts.cfg, s.limit = cfg, limit\n\ts.dispatch()\n", "\ts.cfg, s.limit = cfg, limit\n"}}},
	{Name: "dispatch-keeps-queue", Detail: "a dispatch moves nextDispatchR by the work of the request",
		Edits: []Edit{{dispatchFile, "\tq.nextDispatchR += r.work\n", ""}}},
	{Name: "dispatch-adds-trimmed", Detail: "a dispatch moves nextDispatchR by the work estimated at arrival",
		Edits: []Edit{{dispatchFile, "q.nextDispatchR += r.work", "q.nextDispatchR += work(r.estimate)"}}},
	{Name: "dispatch-unbound", Detail: "anti-windup applies on dispatch",
		Edits: []Edit{{dispatchFile, "\tq.nextDispatchR += r.work\n\ts.bound(q)\n", "\tq.nextDispatchR += r.work\n"}}},
	{Name: "enqueue-unbound", Detail: "anti-windup applies on enqueue",
		Edits: []Edit{{queuesFile, "\ts.noteDemand()\n\ts.bound(q)\n\treturn h", "\ts.noteDemand()\n\treturn h"}}},
	{Name: "idle-queue-catches-up", Detail: "an empty queue starts at R, even if it was ahead",
		Edits: []Edit{{queuesFile, "q.nextDispatchR = s.r\n", "q.nextDispatchR = max(s.r, q.nextDispatchR)\n"}}},
	{Name: "idle-queue-keeps-place", Detail: "an empty queue starts at R, even if it was behind",
		Edits: []Edit{{queuesFile, "\t\tq.nextDispatchR = s.r\n", ""}, {queuesFile, "\ts.bound(q)\n\treturn h", "\treturn h"}}},
	{Name: "bound-by-R", Detail: "anti-windup is by the R of the head's arrival, not the present one",
		Edits: []Edit{{queuesFile, "max(q.nextDispatchR, s.requests[q.head].arrivalR)", "max(q.nextDispatchR, s.r)"}}},
	{Name: "newest-first", Detail: "a queue is first come first served",
		Edits: []Edit{{dispatchFile, "h := Handle(q.head)", "h := Handle(q.tail)"}}},
}

var ending = []Mutant{
	{Name: "finish-by-width", Detail: "a finish moves nextDispatchR by (G - S) times the initial seats, not the width",
		Edits: []Edit{{setFile, "SeatsTimesDuration(float64(r.estimate.InitialSeats), guess-(now-r.started))", "SeatsTimesDuration(float64(r.estimate.Width()), guess-(now-r.started))"}}},
	{Name: "finish-keeps-guess", Detail: "a finish replaces G by the real service time",
		Edits: []Edit{{setFile, "q.nextDispatchR -= SeatsTimesDuration(float64(r.estimate.InitialSeats), guess-(now-r.started))", "_ = q.nextDispatchR"}}},
	{Name: "finish-never-later", Detail: "an execution longer than G moves the queue later",
		Edits: []Edit{{setFile, "guess-(now-r.started))", "max(0, guess-(now-r.started)))"}}},
	{Name: "finish-unbound", Detail: "anti-windup applies on finish",
		Edits: []Edit{{setFile, "guess-(now-r.started))\n\t\ts.bound(q)\n", "guess-(now-r.started))\n"}}},
	{Name: "no-dispatch-while-lingering", Detail: "a finish lets requests go also while its own seats linger",
		Edits: []Edit{{setFile, "\t\ts.release(h)\n\t}\n\ts.dispatch()\n", "\t\ts.release(h)\n\t\ts.dispatch()\n\t}\n"}}},
	{Name: "short-latency-ignored", Detail: "seats linger however short the additional latency",
		Edits: []Edit{{setFile, "if latency := r.estimate.AdditionalLatency; latency > 0 {", "if latency := r.estimate.AdditionalLatency; latency > time.Millisecond {"}}},
	{Name: "lingering-keeps-final", Detail: "the larger of the two phases lingers, not the final seats",
		Edits: []Edit{{setFile, "\t\tr.phase = lingering\n", `		r.phase = lingering
		if free := r.estimate.Width() - r.estimate.FinalSeats; free > 0 && r.queue >= 0 {
			s.seatsInUse -= free
			s.queues[r.queue].seatsInUse -= free
			if s.queues[r.queue].present {
				s.queueSeats -= free
			}
			r.estimate.InitialSeats = r.estimate.FinalSeats
		}
`}}},
	{Name: "lingering-from-dispatch", Detail: "the additional latency begins when the execution ends",
		Edits: []Edit{{setFile, "lingers, freeAt = true, now+latency", "lingers, freeAt = true, max(now, r.started+latency)"}}},
	{Name: "release-bounds", Detail: "the end of a lingering does not apply anti-windup",
		Edits: []Edit{{setFile, "\ts.request(h, lingering)\n", "\tif r := s.request(h, lingering); r.queue >= 0 && s.queues[r.queue].head >= 0 {\n\t\ts.queues[r.queue].nextDispatchR = max(s.queues[r.queue].nextDispatchR, s.r)\n\t\ts.rank(&s.queues[r.queue])\n\t}\n"}}},
	{Name: "no-dispatch-on-release", Detail: "the end of a lingering lets requests go",
		Edits: []Edit{{setFile, "\ts.request(h, lingering)\n\ts.release(h)\n\ts.dispatch()\n", "\ts.request(h, lingering)\n\ts.release(h)\n"}}},
	{Name: "expiry-dispatches", Detail: "an expiry lets no request go",
		Edits: []Edit{{setFile, "\ts.recycle(slot)\n\tif invariants {", "\ts.recycle(slot)\n\ts.dispatch()\n\tif invariants {"}}},
	{Name: "expiry-unbound", Detail: "anti-windup applies on expiry",
		Edits: []Edit{{setFile, "if s.rules.BoundsExpiry {", "if !s.rules.BoundsExpiry {"}}},
	{Name: "expiry-charges-queue", Detail: "an expiry leaves nextDispatchR where it is but for anti-windup",
		Edits: []Edit{{setFile, "\ts.free(h)\n\tif s.rules", "\ts.free(h)\n\tq.nextDispatchR += r.work\n\tif s.rules"}}},
	{Name: "expiry-keeps-seats", Detail: "an expiry takes the seats out of the waiting total",
		Edits: []Edit{{setFile, "\ts.seatsWaiting -= r.estimate.Width()\n\ts.noteDemand()\n", "\ts.noteDemand()\n"}}},
	{Name: "expiry-empties-lingering", Detail: "a queue whose last request expires is not active any more",
		Edits: []Edit{{setFile, "\ts.unlink(h)\n\tif q.present && q.idle() {\n", "\ts.unlink(h)\n\tif q.present && q.idle() && q.seatsInUse == 0 {\n"}}},
}

var trimming = []Mutant{
	{Name: "no-trim", Detail: "final seats above the limit are trimmed at dispatch",
		Edits: []Edit{{typesFile, "if e.FinalSeats > limit {", "if false {"}}},
	{Name: "trim-keeps-latency", Detail: "the trim stretches the latency so that the final work stays",
		Edits: []Edit{{typesFile, "\t\te.AdditionalLatency = latencyPerSeat(e, limit)\n", ""}}},
	{Name: "trim-rounds-latency", Detail: "the stretched latency is truncated to nanoseconds",
		Edits: []Edit{{unitsFile, "return time.Duration(float64(s) / seats * nanosPerUnit)", "return time.Duration(math.Round(float64(s) / seats * nanosPerUnit))"}}},
	{Name: "trim-divides-time", Detail: "the stretched latency is computed from the rounded work",
		Edits: []Edit{{queuesFile, "return finalWork(e).DurationPerSeat(float64(seats))", "return time.Duration(float64(e.FinalSeats) * float64(e.AdditionalLatency) / float64(seats))"}}},
	{Name: "no-leak", Detail: "the total of waiting seats loses only the trimmed width",
		Edits: []Edit{{dispatchFile, "\ts.unlink(h)\n\tr := &s.requests[h]\n", "\ts.unlink(h)\n\tr := &s.requests[h]\n\tuntrimmed := r.estimate.Width()\n"}, {dispatchFile, "s.seatsWaiting -= width", "s.seatsWaiting -= untrimmed"}}},
	{Name: "leak-in-queue", Detail: "the queue's sums lose the untrimmed width",
		Edits: []Edit{{queuesFile, "\twidth := r.estimate.Width()\n\tq.waiting--\n\tq.work -= r.work\n\tq.seatsWaiting -= width\n\tif q.present {\n\t\ts.queueSeats -= width\n", "\tq.waiting--\n\tq.work -= r.work\n\ttrimmed := max(r.estimate.InitialSeats, min(r.estimate.FinalSeats, max(1, s.limit)))\n\tq.seatsWaiting -= trimmed\n\tif q.present {\n\t\ts.queueSeats -= trimmed\n"}}},
	{Name: "fit-trimmed", Detail: "the fit is tested with the untrimmed width",
		Edits: []Edit{{dispatchFile, "if !s.fits(s.requests[q.head].estimate.Width()) {", "if e := s.requests[q.head].estimate; !s.fits(max(e.InitialSeats, min(e.FinalSeats, s.limit))) {"},
			{setFile, "&& s.fits(e.Width()) {", "&& s.fits(max(e.InitialSeats, min(e.FinalSeats, s.limit))) {"}}},
	{Name: "trim-without-queues", Detail: "a set without queues does not trim",
		Edits: []Edit{{dispatchFile, "\ts.requests[h] = request{estimate: e, queue: nowhere,", "\tif s.limit > 0 && s.cfg.Queues == 0 && e.FinalSeats > s.limit {\n\t\te.AdditionalLatency, e.FinalSeats = latencyPerSeat(e, s.limit), s.limit\n\t}\n\ts.requests[h] = request{estimate: e, queue: nowhere,"}}},
	{Name: "trim-at-arrival", Detail: "the trim is by the limit at dispatch, not at arrival",
		Edits: []Edit{{queuesFile, "\th := s.alloc()\n\tq := &s.queues[slot]\n", "\tif e.FinalSeats > s.limit && s.limit > 0 {\n\t\te.AdditionalLatency, e.FinalSeats = latencyPerSeat(e, s.limit), s.limit\n\t}\n\th := s.alloc()\n\tq := &s.queues[slot]\n"}}},
}

var draining = []Mutant{
	{Name: "remove-at-once", Detail: "an idle surplus queue stays until a request of its own releases seats",
		Edits: []Edit{{setFile, "\ts.cfg, s.limit = cfg, limit\n", `	s.cfg, s.limit = cfg, limit
	for len(s.order) > max(0, cfg.Queues) {
		last := s.order[len(s.order)-1]
		if q := &s.queues[last]; !q.idle() || q.seatsInUse > 0 {
			break
		}
		s.removeIfSurplus(last)
	}
`}}},
	{Name: "remove-on-expiry", Detail: "an expiry removes no queue",
		Edits: []Edit{{setFile, "\ts.recycle(slot)\n\tif invariants {", "\tif q.seatsInUse == 0 {\n\t\ts.removeIfSurplus(slot)\n\t} else {\n\t\ts.recycle(slot)\n\t}\n\tif invariants {"}}},
	{Name: "remove-waits-for-lingering", Detail: "lingering seats do not keep a surplus queue",
		Edits: []Edit{{queuesFile, "if len(s.order) <= max(s.cfg.Queues, 0) || !q.idle() {", "if len(s.order) <= max(s.cfg.Queues, 0) || !q.idle() || q.seatsInUse > 0 {"}}},
	{Name: "remove-only-highest", Detail: "any queue may be the surplus one, not only those beyond the number wanted",
		Edits: []Edit{{queuesFile, "|| !q.idle() {\n", "|| !q.idle() || int(q.index) < s.cfg.Queues {\n"}}},
	{Name: "remove-no-wrong-queue", Detail: "a removed queue whose seats linger takes another with it, by its stale index",
		Edits: []Edit{{queuesFile, "if index := int(q.index); index >= len(s.order) {", "if index := int(q.index); !q.present || index >= len(s.order) {"}}},
	{Name: "remove-keeps-indexes", Detail: "queues behind a removed one move down",
		Edits: []Edit{{queuesFile, "\t\tvictim := s.order[index]\n", "\t\tlast := len(s.order) - 1\n\t\tvictim := s.order[index]\n\t\ts.order[index], s.order[last] = s.order[last], victim\n\t\ts.queues[s.order[index]].index, s.queues[victim].index = int32(index), int32(last)\n\t\tindex = last\n"}}},
	{Name: "remove-keeps-robin", Detail: "the round robin index goes down with the queues",
		Edits: []Edit{{queuesFile, "\t\t\ts.robin--\n", ""}}},
	{Name: "remove-robin-negative", Detail: "a refused attempt turns the round robin index -1, left by the removal of queue 0, into the last",
		Edits: []Edit{{dispatchFile, "s.robin = len(s.order) - 1", "s.robin = -1"}}},
	{Name: "remove-robin-wraps", Detail: "the round robin index -1 stays until the next attempt",
		Edits: []Edit{{queuesFile, "\t\t\ts.robin--\n", "\t\t\tif s.robin--; s.robin < 0 {\n\t\t\t\ts.robin = len(s.order) - 1\n\t\t\t}\n"}}},
	{Name: "remove-robin-behind", Detail: "the round robin index goes down also if its own queue is removed",
		Edits: []Edit{{queuesFile, "if s.robin >= index {", "if s.robin > index {"}}},
	{Name: "reject-drops-queues", Detail: "a level that stops queuing drains its queues",
		Edits: []Edit{{dispatchFile, "for s.waiting != 0 &&", "for s.cfg.Queues != 0 && s.waiting != 0 &&"}}},
}

var demand = []Mutant{
	{Name: "demand-on-change", Detail: "the demand is integrated at each event, also if it does not change",
		Edits: []Edit{{demandFile, "func (g *Integrator) Set(now time.Duration, x float64) {\n", "func (g *Integrator) Set(now time.Duration, x float64) {\n\tif x == g.x {\n\t\treturn\n\t}\n"}}},
	{Name: "demand-without-waiting", Detail: "demand counts waiting seats",
		Edits: []Edit{{queuesFile, "float64(s.seatsInUse+s.seatsWaiting))", "float64(s.seatsInUse))"}}},
	{Name: "demand-in-requests", Detail: "demand counts seats, not requests",
		Edits: []Edit{{queuesFile, "float64(s.seatsInUse+s.seatsWaiting))", "float64(s.executing+s.waiting))"}}},
	{Name: "demand-not-on-release", Detail: "the end of a lingering is a demand event",
		Edits: []Edit{{queuesFile, "\ts.seatsInUse -= width\n\ts.noteDemand()\n", "\ts.seatsInUse -= width\n"}}},
	{Name: "demand-not-on-dispatch", Detail: "a dispatch is a demand event",
		Edits: []Edit{{dispatchFile, "\tr.phase = executing\n\ts.noteDemand()\n", "\tr.phase = executing\n"}}},
	{Name: "demand-in-one-product", Detail: "the second moment is (x times x) times dt",
		Edits: []Edit{{demandFile, "float64(float64(g.x*g.x) * dt)", "float64(g.x * float64(g.x*dt))"}}},
	{Name: "demand-seconds-at-once", Detail: "seconds are whole ones plus a fraction, as time.Duration gives them",
		Edits: []Edit{{demandFile, "dt := (now - g.since).Seconds()", "dt := float64(now-g.since) * 1e-9"}}},
	{Name: "demand-welford", Detail: "the variance is the mean square less the squared mean",
		Edits: []Edit{{demandFile, "variance := g.s2/g.s0 - float64(avg*avg)", "variance := (g.s2 - g.s1*avg) / g.s0"}}},
	{Name: "demand-variance-zero", Detail: "a variance below zero is not a number here",
		Edits: []Edit{{demandFile, "\tif variance < 0 {\n\t\treturn avg, math.NaN()\n", "\tif variance < 0 {\n\t\treturn avg, 0\n"}}},
	{Name: "demand-watermark-keeps", Detail: "the high watermark is that of the period",
		Edits: []Edit{{demandFile, "x: g.x, max: g.x}", "x: g.x, max: g.max}"}}},
}
