package workload

import "time"

// informerMachine is the machine of an Informer.
type informerMachine struct {
	Informer
	reflectors
}

// timerStart is the timer of what a client does first. Those from 0 on belong to its reflectors.
const timerStart int32 = -1

// Machine is part of Behaviour.
func (i Informer) Machine(clients int, requests []Template) Machine {
	return &informerMachine{i, newReflectors(clients, requests, 0)}
}

// Start is part of Machine.
func (m *informerMachine) Start(w World, client int32) {
	w.Wake(client, timerStart, m.At+within(w, client, m.Over))
}

// within draws a time in [0, over).
func within(w World, client int32, over time.Duration) time.Duration {
	if over == 0 {
		return 0
	}
	return time.Duration(w.Random(client).Float64() * float64(over))
}

// Due is part of Machine.
func (m *informerMachine) Due(w World, client, timer int32) {
	if timer == timerStart {
		m.start(w, client)
		return
	}
	m.due(w, client, int(timer))
}

// Answered is part of Machine.
func (m *informerMachine) Answered(w World, client int32, op Operation, a Answer) {
	m.answered(w, client, op, a)
}

// WatchEnded is part of Machine.
func (m *informerMachine) WatchEnded(w World, client, request int32, a Answer) {
	m.watchEnded(w, client, request, a)
}
