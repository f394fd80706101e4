package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload"
)

// apiServer is one API server: its APF, and whether it is there.
type apiServer struct {
	apf *scheduler.Server
	// up tells that the process runs; draining that it takes no new requests.
	up, draining bool
	// digests is how many configurations it had put into force when the observer was last
	// told.
	digests int
	// adjustment is the order of its next adjustment in the event queue, and adjustedAt its time.
	adjustment uint64
	adjustedAt time.Duration
	// cacheFrom is when its watch cache was filled, which is also the oldest version that it
	// knows; 0 at the beginning, when it knows everything.
	cacheFrom time.Duration
	// inFlight counts the requests that were sent to it and have no answer yet.
	inFlight int32
}

// serves tells whether the server takes new requests.
func (s *apiServer) serves() bool { return s.up && !s.draining }

// openServers makes the servers, each with an APF of its own. All of them number subjects,
// targets, levels and schemas alike, since they are told of them in the same order.
func (w *World) openServers() error {
	w.servers = make([]apiServer, max(w.cfg.Servers, 1))
	for i := range w.servers {
		apf, err := scheduler.New(w.cfg.Scheduler, 0)
		if err != nil {
			return err
		}
		w.servers[i] = apiServer{apf: apf, up: !w.joins(int32(i)), digests: apf.Digests()}
	}
	return nil
}

// What a server knows of flows, hands and seats is its own: kube-apiserver shares nothing of
// APF with its peers but the objects that configure it. So with three servers a user has
// three times the seats of one server, if the balancer spreads its requests, and one third of
// all seats if it does not.

// joins tells whether a server is not there at the beginning: it is started before
// anything else is done to it.
func (w *World) joins(server int32) bool {
	for i := range w.cfg.Operations {
		if o := &w.cfg.Operations[i]; o.Server == server {
			return o.Kind == Start
		}
	}
	return false
}

// subject makes a user and groups known to all servers.
func (w *World) subject(user string, groups []string) scheduler.SubjectID {
	id := w.servers[0].apf.Subject(user, groups)
	for i := range w.servers[1:] {
		w.servers[i+1].apf.Subject(user, groups)
	}
	if int(id) == len(w.askers) {
		w.askers = append(w.askers, Asker{user, groups})
	}
	w.knowSubject(id, user, groups)
	if m := w.cfg.Matches; m != nil {
		m.introduceSubject(id, user, groups)
	}
	return id
}

// target makes what can be asked for known to all servers.
func (w *World) target(t scheduler.Target) scheduler.TargetID {
	id := w.servers[0].apf.Target(t)
	for i := range w.servers[1:] {
		w.servers[i+1].apf.Target(t)
	}
	if w.behind != nil {
		w.behind.noteTarget(id, t)
	}
	w.knowTarget(id, t)
	if m := w.cfg.Matches; m != nil {
		m.introduceTarget(id, t)
	}
	return id
}

// namedWatches tells whether any server counts watches of single objects.
func (w *World) namedWatches() bool {
	for i := range w.servers {
		if w.servers[i].apf.NamedWatches() {
			return true
		}
	}
	return false
}

// firstAdjustment is how long after the start the limits of a server are adjusted.
func (w *World) firstAdjustment(server int32) time.Duration {
	if w.cfg.Start != nil {
		for i := range w.cfg.Start.Servers {
			if s := &w.cfg.Start.Servers[i]; s.Server == server && s.Adjustment > 0 {
				return s.Adjustment
			}
		}
	}
	return AdjustmentPeriod
}

// scheduleAdjustment puts the next adjustment of a server into the event queue.
func (w *World) scheduleAdjustment(server int32, in time.Duration) {
	w.servers[server].adjustedAt = w.now + in
	w.servers[server].adjustment = w.queue.push(w.now+in, classAdjust, actAdjust, server)
	w.background++
}

// adjust adjusts the limits of a server, unless it has stopped since that was scheduled.
func (w *World) adjust(server int32, order uint64) {
	w.background--
	s := &w.servers[server]
	if s.adjustment != order {
		return
	}
	w.decide(s.apf.Adjust(w.now))
	w.adjusted(server)
	w.scheduleAdjustment(server, AdjustmentPeriod)
}

// adjusted records the new limits. They enter the fingerprint, so that two runs with the
// same fingerprint had the same limits all the time, also where no request noticed.
func (w *World) adjusted(server int32) {
	w.recordLimits(server)
	w.observer.Adjusted(w.now, server)
}

func (w *World) recordLimits(server int32) {
	w.graph.changed = true // a call that is sent again may find room
	for i, level := range w.servers[server].apf.Levels() {
		if level.Status != scheduler.Gone {
			w.fingerprint.add(factLimit, int64(server)<<32|int64(i), w.now, int64(level.Current))
		}
	}
}

// awaitOperation schedules an operation, if there is one of this number. As with changes,
// only the next one is in the event queue.
func (w *World) awaitOperation(number int32) {
	if int(number) < len(w.cfg.Operations) {
		w.queue.push(w.cfg.Operations[number].At, classChange, actOperation, number)
		w.background++
	}
}

// operate does to a server what is due. What is the case already is left as it is, as a
// restart that is due while the server is down anyway. Who stops or starts a server that was
// killed takes it out of the hands of the kubelet, which would start it later on.
func (w *World) operate(number int32) {
	w.background--
	w.awaitOperation(number + 1)
	o := &w.cfg.Operations[number]
	s := &w.servers[o.Server]
	if w.behind != nil && (o.Kind == Stop || o.Kind == Start) {
		w.behind.machines[o.Server].restart = 0
	}
	switch {
	case o.Kind == Unready && s.serves():
		w.routeUnready(o.Server)
	case o.Kind == Stop && s.up:
		w.stopServer(o.Server)
	case o.Kind == Drain && s.serves():
		w.drainServer(o.Server)
	case o.Kind == Start && !s.up:
		s.apf.Restart(w.now, o.Release)
		w.startServer(o.Server)
	}
}

// stopServer ends a server at once. Its clients' connections break, in the order in which
// their requests lie in memory, and then those of their watches, client by client.
func (w *World) stopServer(server int32) {
	s := &w.servers[server]
	s.up, s.draining = false, false
	s.adjustment = 0
	w.fingerprint.add(factServer, int64(server), w.now, int64(ServerStopped))
	w.observer.Server(w.now, ServerStopped, server)
	w.routeStopped(server)
	for slot := range w.slots {
		if r := &w.slots[slot]; r.state != stateFree && r.Server == server {
			w.cut(int32(slot))
		}
	}
	s.inFlight = 0
	if w.behind != nil {
		w.machineStopped(server)
	}
	w.endWatches(server, workload.Answer{Status: workload.Lost})
	s.apf.Restart(w.now, release.Version{})
	s.digests = s.apf.Digests()
}

// drainServer lets a server finish what it has. It ends its watches: their clients go
// elsewhere.
func (w *World) drainServer(server int32) {
	w.servers[server].draining = true
	w.fingerprint.add(factServer, int64(server), w.now, int64(ServerDraining))
	w.observer.Server(w.now, ServerDraining, server)
	w.routeDraining(server)
	// Watches that are being initialised end like those that are open, and so do those that get
	// their seats, wherever they lie in memory.
	for w.endInitialising(server) {
	}
	w.endWatches(server, workload.Answer{Status: workload.OK})
}

// endInitialising ends the watches that are being initialised, and tells whether there were any.
func (w *World) endInitialising(server int32) (some bool) {
	for slot := range w.slots {
		r := &w.slots[slot]
		if r.state == stateExecuting && r.watch && r.Server == server {
			some = true
			r.Status = workload.Lost
			w.leaveStage(int32(slot))
			w.finish(int32(slot))
		}
	}
	return some
}

// startServer lets a server serve. Its APF has begun anew.
func (w *World) startServer(server int32) {
	s := &w.servers[server]
	s.up, s.draining, s.digests = true, false, s.apf.Digests()
	s.cacheFrom = w.queue.whole(w.now + w.cfg.CacheFill)
	w.fingerprint.add(factServer, int64(server), w.now, int64(ServerStarted))
	w.observer.Server(w.now, ServerStarted, server)
	w.routeStarted(server)
	w.adjusted(server)
	w.scheduleAdjustment(server, AdjustmentPeriod)
	w.queue.push(s.cacheFrom, classChange, actCacheReady, server)
	w.background++
}

// cacheReady tells that a server has filled its watch cache, unless it has been started anew
// meanwhile.
func (w *World) cacheReady(server int32) {
	w.background--
	if s := &w.servers[server]; s.up && s.cacheFrom == w.now {
		w.observer.Server(w.now, CacheReady, server)
	}
}
