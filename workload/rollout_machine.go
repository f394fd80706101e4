package workload

// rolloutMachine is the machine of a Rollout. The pods restart in the order of their numbers.
type rolloutMachine struct {
	Rollout
	reflectors
	begun int32 // how many have restarted
	pods  int32
}

// timerRollout begins the rollout; it is one of client 0.
const timerRollout int32 = -2

// Machine is part of Behaviour.
func (r Rollout) Machine(clients int, requests []Template) Machine {
	return &rolloutMachine{Rollout: r, reflectors: newReflectors(clients, requests, 0), pods: int32(clients)}
}

// Start is part of Machine.
func (m *rolloutMachine) Start(w World, client int32) {
	if client == 0 {
		w.Wake(0, timerRollout, m.At)
	}
}

// Due is part of Machine.
func (m *rolloutMachine) Due(w World, client, timer int32) {
	switch timer {
	case timerRollout:
		n := m.pods
		if m.MaxUnavailable > 0 {
			n = min(n, int32(m.MaxUnavailable))
		}
		for range n {
			m.next(w)
		}
	case timerStart:
		w.Tell(client, Restarted, 0)
		if m.start(w, client) {
			m.next(w)
		}
	default:
		m.due(w, client, int(timer))
	}
}

// next takes the next pod down, if there is one, and lets its successor start.
func (m *rolloutMachine) next(w World) {
	if m.begun == m.pods {
		return
	}
	pod := m.begun
	m.begun++
	w.Wake(pod, timerStart, w.Now()+m.Rollout.Start.Sample(w.Random(pod)))
}

// Answered is part of Machine.
func (m *rolloutMachine) Answered(w World, client int32, op Operation, a Answer) {
	if _, synced := m.answered(w, client, op, a); synced {
		m.next(w)
	}
}

// WatchEnded is part of Machine.
func (m *rolloutMachine) WatchEnded(w World, client, request int32, a Answer) {
	m.watchEnded(w, client, request, a)
}
