package recording

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// merger merges the sorted runs of a sorter with what it still holds in memory.
type merger struct {
	sorter *Sorter
	// memory is the next entry in memory.
	memory int
	// runs is a heap by the heads of the runs that have one.
	runs []*run
	// batch holds the requests that arrived at the same time, in the order in which they were
	// added, and given how many of them were given out.
	batch []piece
	given int
	bytes []byte
	// at is when they arrived.
	at int64
}

// run is a sorted run, with its head read.
type run struct {
	from *bufio.Reader
	key
	bytes []byte
}

// piece is a request of a batch.
type piece struct {
	id, order  uint64
	begin, end int
}

// advance reads the next head of a run, and returns io.EOF at the end.
func (r *run) advance() error {
	var err error
	read := func() (n uint64) {
		if err == nil {
			n, err = binary.ReadUvarint(r.from)
		}
		return n
	}
	r.received, err = binary.ReadVarint(r.from)
	if err == io.EOF {
		return io.EOF
	}
	r.id, r.order = read(), read()
	n := int(read())
	if err == nil {
		r.bytes = slices.Grow(r.bytes[:0], n)[:n]
		_, err = io.ReadFull(r.from, r.bytes)
	}
	if err != nil {
		return errors.Join(errScratch, err)
	}
	return nil
}

// push reads the head of a run and puts it among the others, or drops a run that has ended.
func (m *merger) push(r *run) error {
	err := r.advance()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	i := len(m.runs)
	m.runs = append(m.runs, r)
	for i > 0 {
		parent := (i - 1) / 2
		if compareKeys(&m.runs[i].key, &m.runs[parent].key) >= 0 {
			break
		}
		m.runs[i], m.runs[parent] = m.runs[parent], m.runs[i]
		i = parent
	}
	return nil
}

// step reads the next head of the first run, and puts it in its place.
func (m *merger) step() error {
	err := m.runs[0].advance()
	if err == io.EOF {
		last := len(m.runs) - 1
		m.runs[0] = m.runs[last]
		m.runs = m.runs[:last]
	} else if err != nil {
		return err
	}
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(m.runs) {
			return nil
		}
		if child+1 < len(m.runs) && compareKeys(&m.runs[child+1].key, &m.runs[child].key) < 0 {
			child++
		}
		if compareKeys(&m.runs[i].key, &m.runs[child].key) <= 0 {
			return nil
		}
		m.runs[i], m.runs[child] = m.runs[child], m.runs[i]
		i = child
	}
}

// head returns the first key of all, and whether it is in memory.
func (m *merger) head() (k key, inMemory, any bool) {
	entries := m.sorter.entries
	inMemory = m.memory < len(entries)
	if len(m.runs) == 0 {
		if !inMemory {
			return key{}, false, false
		}
		return entries[m.memory].key, true, true
	}
	k = m.runs[0].key
	if inMemory && compareKeys(&entries[m.memory].key, &k) < 0 {
		return entries[m.memory].key, true, true
	}
	return k, false, true
}

// next gives the next request.
func (m *merger) next(r *Request) (bool, error) {
	if m.given == len(m.batch) {
		if err := m.fill(); err != nil {
			return false, err
		}
		if len(m.batch) == 0 {
			return false, nil
		}
	}
	p := m.batch[m.given]
	m.given++
	m.sorter.codec.decode(m.bytes[p.begin:p.end], r)
	r.ID = p.id
	r.Received = m.at
	return true, nil
}

// fill gathers the requests that arrive next, at the same time, and joins their parts.
func (m *merger) fill() error {
	m.batch, m.given, m.bytes = m.batch[:0], 0, m.bytes[:0]
	for {
		k, inMemory, any := m.head()
		if !any || len(m.batch) > 0 && k.received != m.at {
			break
		}
		m.at = k.received
		if inMemory {
			e := &m.sorter.entries[m.memory]
			m.add(k, m.sorter.held[e.begin:e.end])
			m.memory++
			continue
		}
		m.add(k, m.runs[0].bytes)
		if err := m.step(); err != nil {
			return err
		}
	}
	if len(m.batch) > 1 {
		slices.SortFunc(m.batch, func(a, b piece) int { return cmp.Compare(a.order, b.order) })
	}
	return nil
}

// add adds a request to the batch, or joins it with the one before.
func (m *merger) add(k key, bytes []byte) {
	begin := len(m.bytes)
	n := len(m.batch)
	if n == 0 || k.id == 0 || m.batch[n-1].id != k.id {
		m.bytes = append(m.bytes, bytes...)
		m.batch = append(m.batch, piece{k.id, k.order, begin, len(m.bytes)})
		return
	}
	last := &m.batch[n-1]
	m.bytes = m.sorter.join(m.bytes, k.received, m.bytes[last.begin:last.end], bytes)
	last.begin, last.end = begin, len(m.bytes)
}
