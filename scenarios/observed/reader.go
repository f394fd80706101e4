package observed

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/apfsim/apfsim/workload/recording"
)

// What an account says of samples.
const (
	leftOther    = "of another instance than --instance"
	leftRepeated = "told twice of the same series at the same time"
	leftNaN      = "NaN, which is no count"
)

// Reader reads scrapes and answers to queries. The zero value is ready. What it keeps grows with
// the number of series of flow control and of their times.
type Reader struct {
	// Account counts what was read, in lines and samples, and what is malformed.
	Account recording.Account
	// Instance is the one that is wanted, "" for all.
	Instance string

	instances map[string]*instance
	files     int
}

// instance is what was read of one API server.
type instance struct {
	name    string
	scrapes []*scrape
	byTime  map[int64]*scrape
	byFile  map[int]*scrape
}

// scrape is what a server told at one time.
type scrape struct {
	// at is in nanoseconds since 1970, since the start of the server if the caller gave it, or noTime.
	at int64
	// file counts the files in the order of reading.
	file     int
	counters snapshot
}

// Read reads a file: plain or gzip, text or JSON. at is when it was scraped, since the start of the
// server, for a text whose samples have no times; a negative one is not known. The error is one
// of the text's.
func (r *Reader) Read(name string, at time.Duration, text io.Reader) error {
	r.files++
	b := bufio.NewReaderSize(text, 64<<10)
	fault := func(line int64, problem string, text []byte) { r.Account.Fault(name, line, problem, text) }
	if magic, _ := b.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			fault(1, "not gzip: "+err.Error(), nil)
			return nil
		}
		defer z.Close()
		b = bufio.NewReaderSize(tolerant{z, func(err error) { fault(r.Account.Lines+1, "the compressed file is damaged: "+err.Error(), nil) }}, 64<<10)
	}
	take := func(s sample) { r.take(s, at) }
	before := r.Account.Requests
	lines, err := readEither(b, fault, take)
	r.Account.Lines += lines
	if err == nil && r.Account.Requests == before && r.Account.Malformed == 0 {
		r.Account.Note(fmt.Sprintf("%s has no metric of API Priority and Fairness", name))
	}
	return err
}

// readEither reads JSON if the text begins like it, and else the text format.
func readEither(b *bufio.Reader, fault func(int64, string, []byte), take func(sample)) (int64, error) {
	for n := 1; n <= b.Size(); n++ {
		begin, err := b.Peek(n)
		if len(begin) < n || err != nil {
			break
		}
		if c := begin[n-1]; c == '{' {
			return readQuery(b, fault, take)
		} else if !strings.ContainsRune(" \t\r\n", rune(c)) {
			break
		}
	}
	return readText(b, fault, take)
}

// tolerant ends a text where it is damaged, and tells.
type tolerant struct {
	from io.Reader
	tell func(error)
}

// Read implements io.Reader.
func (t tolerant) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	if err != nil && err != io.EOF {
		t.tell(err)
		err = io.EOF
	}
	return n, err
}

// take takes a sample.
func (r *Reader) take(s sample, at time.Duration) {
	name := s.label("instance")
	switch {
	case r.Instance != "" && name != r.Instance:
		r.Account.LeaveOut(leftOther)
		return
	case math.IsNaN(s.value) || math.IsInf(s.value, 0):
		r.Account.LeaveOut(leftNaN)
		return
	}
	if s.at == noTime && at >= 0 {
		s.at = int64(at)
	}
	r.Account.Requests++
	if !r.scrape(name, s.at).counters.take(&s) {
		r.Account.LeaveOut(leftRepeated)
	}
}

// scrape finds the scrape of an instance that a sample belongs to.
func (r *Reader) scrape(name string, at int64) *scrape {
	if r.instances == nil {
		r.instances = map[string]*instance{}
	}
	i := r.instances[name]
	if i == nil {
		i = &instance{name: name, byTime: map[int64]*scrape{}, byFile: map[int]*scrape{}}
		r.instances[name] = i
	}
	s := i.byTime[at]
	if at == noTime {
		s = i.byFile[r.files]
	}
	if s == nil {
		s = &scrape{at: at, file: r.files}
		i.scrapes = append(i.scrapes, s)
		if at == noTime {
			i.byFile[r.files] = s
		} else {
			i.byTime[at] = s
		}
	}
	return s
}

// Instances lists the names of the API servers that were read of, in order.
func (r *Reader) Instances() []string { return slices.Sorted(maps.Keys(r.instances)) }

// ordered returns the scrapes of an instance in the order of their times; those without one are in
// the order of reading.
func (i *instance) ordered() []*scrape {
	out := slices.Clone(i.scrapes)
	slices.SortStableFunc(out, func(a, b *scrape) int {
		if a.at == noTime || b.at == noTime {
			return cmp.Compare(a.file, b.file)
		}
		return cmp.Compare(a.at, b.at)
	})
	return out
}

// sortedKeys lists the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
