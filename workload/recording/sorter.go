package recording

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Scratch is a file without a name, for what does not fit into memory.
type Scratch interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// Sorter puts requests in the order of their arrivals, those that arrive at the same time in the
// order in which they were added. Beyond a bound of memory it sorts what it holds, writes it to a
// scratch file, and merges at the end. The zero value is ready.
//
// Parts of one request (Request.ID) become one request on the way, since they arrive at the same
// time and so come to lie side by side: no table of unfinished requests is needed, however long
// they last and however far apart the record tells of their parts.
type Sorter struct {
	// Join adds a part to a request of which it is. It must be set if any request has an ID. The
	// two come in the order in which they were added.
	Join func(into, part *Request)
	// Open opens a scratch file. It is called once, and not at all if all fits into memory.
	Open func() (Scratch, error)
	// Bound is how many bytes are held at most before the scratch file is used; 0 is a default.
	Bound int

	codec   codec
	added   uint64
	held    []byte
	entries []entry
	scratch Scratch
	// size is how much of the scratch file is written, and runs are where its sorted runs begin.
	size int64
	runs []int64
	// Two buffers for joining: the one that the last result is in, and the other.
	joined, spare []byte
	merge         *merger
}

// entry is a request that is held: where its bytes are, and what it is ordered by.
type entry struct {
	key
	begin, end int
}

// key is what requests are ordered by within and between runs: parts of the same request lie
// together.
type key struct {
	received int64
	id       uint64
	order    uint64
}

func compareKeys(a, b *key) int {
	if a.received != b.received {
		return cmp.Compare(a.received, b.received)
	}
	if a.id != b.id {
		return cmp.Compare(a.id, b.id)
	}
	return cmp.Compare(a.order, b.order)
}

// defaultBound and entrySize: 32 MiB are a few hundred thousand requests.
const (
	defaultBound = 32 << 20
	entrySize    = 40
)

// Add takes a request, or a part of one. It copies what it keeps.
func (s *Sorter) Add(r *Request) error {
	s.held, s.entries = roomFor(s.held, 1<<10), roomFor(s.entries, 1)
	begin := len(s.held)
	s.held = s.codec.append(s.held, r)
	s.entries = append(s.entries, entry{key{r.Received, r.ID, s.added}, begin, len(s.held)})
	s.added++
	bound := cmp.Or(s.Bound, defaultBound)
	if len(s.held)+entrySize*len(s.entries) < bound {
		return nil
	}
	return s.spill()
}

// roomFor doubles the memory of a slice that has no room for n more: append adds a quarter only, and
// copies four times as much.
func roomFor[E any](all []E, n int) []E {
	if cap(all)-len(all) < n {
		return slices.Grow(all, len(all)+n)
	}
	return all
}

// Added returns how many requests and parts were added.
func (s *Sorter) Added() uint64 { return s.added }

func (s *Sorter) sort() {
	slices.SortFunc(s.entries, func(a, b entry) int { return compareKeys(&a.key, &b.key) })
}

// spill writes what is held as a sorted run.
func (s *Sorter) spill() error {
	if s.scratch == nil {
		f, err := s.Open()
		if err != nil {
			return err
		}
		s.scratch = f
	}
	s.sort()
	s.runs = append(s.runs, s.size)
	w := bufio.NewWriterSize(s.scratch, 1<<18)
	var head [binary.MaxVarintLen64 * 4]byte
	for i := 0; i < len(s.entries); {
		k := &s.entries[i].key
		bytes, next := s.whole(i)
		h := binary.AppendVarint(head[:0], k.received)
		h = binary.AppendUvarint(h, k.id)
		h = binary.AppendUvarint(h, k.order)
		h = binary.AppendUvarint(h, uint64(len(bytes)))
		w.Write(h) // an error stays until Flush
		w.Write(bytes)
		s.size += int64(len(h) + len(bytes))
		i = next
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("the scratch file: %w", err)
	}
	s.held, s.entries = s.held[:0], s.entries[:0]
	return nil
}

// whole returns the bytes of the i-th entry, with the parts that follow it joined, and the number
// of the entry after these. The bytes are valid until the next call.
func (s *Sorter) whole(i int) (bytes []byte, next int) {
	e := &s.entries[i]
	bytes = s.held[e.begin:e.end]
	for next = i + 1; next < len(s.entries) && same(&e.key, &s.entries[next].key); next++ {
		part := &s.entries[next]
		s.spare = s.join(s.spare[:0], e.received, bytes, s.held[part.begin:part.end])
		s.joined, s.spare = s.spare, s.joined
		bytes = s.joined
	}
	return bytes, next
}

// same tells whether two keys are of parts of one request.
func same(a, b *key) bool { return a.id != 0 && a.id == b.id && a.received == b.received }

// join appends what two parts of a request make.
func (s *Sorter) join(dst []byte, received int64, into, part []byte) []byte {
	var first, second Request
	s.codec.decode(into, &first)
	s.codec.decode(part, &second)
	first.Received, second.Received = received, received
	s.Join(&first, &second)
	return s.codec.append(dst, &first)
}

// Next gives the next request, and returns false after the last one. After the first call
// nothing can be added. The request is valid until the next call.
func (s *Sorter) Next(r *Request) (bool, error) {
	if s.merge == nil {
		if err := s.start(); err != nil {
			return false, err
		}
	}
	return s.merge.next(r)
}

// start begins the merge.
func (s *Sorter) start() error {
	s.merge = &merger{sorter: s}
	s.sort()
	s.merge.memory = 0
	const all, least = 64 << 20, 4 << 10
	buffer := min(max(all/max(len(s.runs), 1), least), 1<<20)
	for i, begin := range s.runs {
		end := s.size
		if i+1 < len(s.runs) {
			end = s.runs[i+1]
		}
		section := io.NewSectionReader(s.scratch, begin, end-begin)
		run := &run{from: bufio.NewReaderSize(section, buffer)}
		if err := s.merge.push(run); err != nil {
			return err
		}
	}
	return nil
}

// Close removes the scratch file.
func (s *Sorter) Close() error {
	if s.scratch == nil {
		return nil
	}
	return s.scratch.Close()
}

// errScratch is what a scratch file that is not as it was written leads to.
var errScratch = errors.New("the scratch file is damaged")
