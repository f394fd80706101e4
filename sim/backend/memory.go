package backend

import "fmt"

// Memory is that of one API server: what it always has, and what the answers to LISTs take
// while they are made and sent.
//
// It knows nothing of a garbage collector, and the sum is of what is alive: GOGC=100 lets the
// heap grow to twice that before anything is given back, unless GOMEMLIMIT says otherwise. A
// limit that is to be compared with it is that of the container less what is left to the
// collector.
type Memory struct {
	base, limit int64
	held        int64
	holders     int
	peak        int64
	kills       int64
}

// NewMemory returns the memory of a server that has nothing in flight.
func NewMemory(c *MemoryConfig) *Memory {
	return &Memory{base: c.Base, limit: c.Limit, peak: c.Base}
}

// Hold takes memory for an answer. It returns false if that is more than the limit: the
// server is killed at this moment, and Kill has to follow. bytes is not negative.
func (m *Memory) Hold(bytes int64) bool {
	if bytes < 0 {
		panic(fmt.Sprintf("backend: %d bytes are held", bytes))
	}
	// What is more than a number can tell is more than any memory.
	if m.held += bytes; m.held < 0 || m.base+m.held < 0 {
		m.held = 1<<63 - 1 - m.base
	}
	m.holders++
	m.peak = max(m.peak, m.base+m.held)
	return m.limit == 0 || m.base+m.held <= m.limit
}

// Free gives back what an answer has held.
func (m *Memory) Free(bytes int64) {
	if m.held -= bytes; m.held < 0 {
		panic(fmt.Sprintf("backend: %d bytes more are freed than were held", -m.held))
	}
	m.holders--
}

// Kill empties the memory and counts the kill: the kernel has ended the server for the
// memory that it takes, and what it was doing is gone.
func (m *Memory) Kill() {
	m.kills++
	m.Clear()
}

// Clear empties the memory: the server has ended in another way.
func (m *Memory) Clear() { m.held, m.holders = 0, 0 }

// InUse is what is in use now, in bytes, with the base.
func (m *Memory) InUse() int64 { return m.base + m.held }

// InFlight is what the answers in flight hold now, and how many they are.
func (m *Memory) InFlight() (bytes int64, answers int) { return m.held, m.holders }

// Peak is the most that ever was in use, in bytes, with the base; also if it was too much.
func (m *Memory) Peak() int64 { return m.peak }

// Kills is how often the server was killed.
func (m *Memory) Kills() int64 { return m.kills }
