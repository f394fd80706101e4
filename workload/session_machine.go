package workload

// sessionMachine is the machine of a Session.
type sessionMachine struct {
	Session
	of []session
}

// session is where a client is.
type session struct {
	// done counts the sessions so far, step is the step, and left how many of its requests are
	// still to be sent.
	done, step, left int32
	// waiting is how many answers are missing, and failed tells that one was not OK.
	waiting int32
	failed  bool
}

// Machine is part of Behaviour.
func (s Session) Machine(clients int, _ []Template) Machine {
	return &sessionMachine{s, make([]session, clients)}
}

// Start is part of Machine.
func (m *sessionMachine) Start(w World, client int32) {
	w.Wake(client, timerStart, m.At+within(w, client, m.Over))
}

// Due is part of Machine.
func (m *sessionMachine) Due(w World, client, _ int32) {
	s := &m.of[client]
	*s = session{done: s.done, left: int32(m.Steps[0].times())}
	m.send(w, client)
}

// send sends what is next in a step: one request, or all of them. It is sent after the pause of
// the answer before it, which is the session's first if there is none.
func (m *sessionMachine) send(w World, client int32) {
	s := &m.of[client]
	step := &m.Steps[s.step]
	n := int32(1)
	if step.Together {
		n = s.left
	}
	s.left -= n
	s.waiting = n
	at := w.Now()
	if i := s.step; s.left+n < int32(step.times()) {
		at += step.Pause
	} else if i > 0 {
		at += m.Steps[i-1].Pause
	}
	for range n {
		w.Send(client, int32(step.Request), at, 0)
	}
}

// Answered is part of Machine.
func (m *sessionMachine) Answered(w World, client int32, _ Operation, a Answer) {
	s := &m.of[client]
	s.waiting--
	s.failed = s.failed || a.Status != OK
	if s.waiting > 0 {
		return
	}
	if s.left == 0 && !s.failed {
		s.step++
		if int(s.step) < len(m.Steps) {
			s.left = int32(m.Steps[s.step].times())
		}
	}
	if !s.failed && int(s.step) < len(m.Steps) {
		m.send(w, client)
		return
	}
	s.done++
	if m.Times == 0 || int(s.done) < m.Times {
		w.Wake(client, timerStart, w.Now()+m.Think.Sample(w.Random(client)))
	}
}

// WatchEnded is part of Machine. A session has no watches to go on with.
func (m *sessionMachine) WatchEnded(World, int32, int32, Answer) {}
