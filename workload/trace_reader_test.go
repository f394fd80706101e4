package workload

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTraceOrder draws arrivals in any order, with ties, and holds that records come by
// (arrival, line), each with its own name and selectors, also those that had to be held.
func TestTraceOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spread := rapid.IntRange(0, 1000).Draw(t, "spread")
		jumps := rapid.SliceOf(rapid.IntRange(0, spread)).Draw(t, "jumps")
		var b strings.Builder
		type key struct {
			at   time.Duration
			line int64
		}
		want := make([]key, len(jumps))
		for i, jump := range jumps {
			want[i] = key{time.Duration(i/3*10 + jump), int64(i)}
			b.WriteString(lineWithTexts(want[i].at, int64(i)) + "\n")
		}
		slices.SortFunc(want, func(a, b key) int {
			return int(a.at-b.at)*len(jumps) + int(a.line-b.line)
		})
		trace, faults := OpenTrace("f", opener([]byte(b.String())))
		if len(faults) > 0 {
			t.Fatal(faults[0].Error())
		}
		r, err := trace.Reader()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range want {
			var rec Record
			more, err := r.Next(&rec)
			if !more || err != nil || rec.Arrival != k.at || rec.Line != k.line {
				t.Fatalf("got %v, %v, %+v, want %+v", more, err, rec, k)
			}
			name, fields, labels := lineTexts(k.line)
			if string(rec.Name) != name || string(rec.FieldSelector) != fields || string(rec.LabelSelector) != labels {
				t.Fatalf("line %d has %q, %q and %q", k.line, rec.Name, rec.FieldSelector, rec.LabelSelector)
			}
		}
		var rec Record
		if more, err := r.Next(&rec); more || err != nil || r.Held() != 0 {
			t.Fatalf("after the end: %v, %v, %d held", more, err, r.Held())
		}
	})
}

// lineTexts are what TestTraceOrder gives to a line: of different lengths, and some empty, so
// that one that is held where another was cannot be right by chance. The quotation mark has
// to be escaped in JSON, so that the reader has the text in memory that each line overwrites.
func lineTexts(line int64) (name, fields, labels string) {
	text := func(begin string, n int64) string {
		if n == 0 {
			return ""
		}
		return begin + strings.Repeat(strconv.FormatInt(line, 10), int(n))
	}
	return text(`"n`, line%3), text(`"f`, line%4), text(`"l`, line%5)
}

func lineWithTexts(at time.Duration, line int64) string {
	name, fields, labels := lineTexts(line)
	return fmt.Sprintf(`{"arrival":"%v","user":"u","verb":"list","resource":"pods","name":%q,"fieldSelector":%q,"labelSelector":%q}`,
		at, name, fields, labels)
}

// TestTraceHoldsNoMoreThanNeeded holds that lines in order are not held at all, and late
// ones only for as long as they may be late.
func TestTraceHoldsNoMoreThanNeeded(t *testing.T) {
	held := func(arrivals []time.Duration) int {
		var b strings.Builder
		for _, at := range arrivals {
			b.WriteString(simple(at) + "\n")
		}
		r, err := traceOf(t, b.String()).Reader()
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		var rec Record
		for more := true; more; more, err = r.Next(&rec) {
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, r.Held())
		}
		return most
	}
	var sorted, late []time.Duration
	for i := range 5000 {
		at := time.Duration(i) * ms
		sorted = append(sorted, at, at)
		if i%10 == 9 {
			at -= 50 * ms
		}
		late = append(late, max(at, 0))
	}
	if n := held(sorted); n != 0 {
		t.Errorf("%d records of a sorted trace are held", n)
	}
	if n := held(late); n < 40 || n > 60 {
		t.Errorf("%d records are held, about 50 arrive within the lateness", n)
	}
}

// TestTraceChanges holds that a reader notices that the text is another one.
func TestTraceChanges(t *testing.T) {
	before := simple(1) + "\n" + simple(5) + "\n" + simple(3) + "\n"
	for name, c := range map[string]struct{ after, want string }{
		"a fault":           {simple(1) + "\n{}\n", "f:2:1: the trace has changed since it was opened: arrival is missing"},
		"shorter":           {simple(1) + "\n", "f:2:1: the trace has changed since it was opened"},
		"longer":            {before + simple(4), "f:5:1: the trace has changed since it was opened"},
		"a later line":      {simple(6) + "\n", "f:1:1: the trace has changed since it was opened"},
		"more out of order": {simple(5) + "\n" + simple(2) + "\n", "f:2:1: the trace has changed since it was opened"},
		"cut off":           {string(zip(before)[:30]), "f:1:1: the trace has changed since it was opened: unexpected EOF"},
	} {
		texts := [][]byte{[]byte(before), []byte(c.after)}
		trace, faults := OpenTrace("f", func() (io.ReadCloser, error) {
			text := texts[0]
			texts = texts[1:]
			return opener(text)()
		})
		if len(faults) > 0 {
			t.Fatal(faults[0].Error())
		}
		r, err := trace.Reader()
		if err != nil {
			t.Fatal(err)
		}
		var rec Record
		more := true
		for more && err == nil {
			more, err = r.Next(&rec)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
		if _, again := r.Next(&rec); again != err {
			t.Errorf("%s: the error does not stay: %v", name, again)
		}
	}
}

func TestTraceReaderFailsToOpen(t *testing.T) {
	trace := traceOf(t, simple(1))
	trace.open = func() (io.ReadCloser, error) { return nil, errDisk }
	if _, err := trace.Reader(); err == nil || err.Error() != "trace.jsonl: the disk is on fire" {
		t.Errorf("got %v", err)
	}
}

// generated makes the text of a long trace while it is read, so that it takes no memory.
// Some lines are late, and every name is another one.
type generated struct {
	lines int
	made  int
	rest  []byte
	r     *rand.Rand
}

func generate(lines int) *generated {
	return &generated{lines: lines, r: rand.New(rand.NewPCG(1, 2))}
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if g.made == g.lines {
			return 0, io.EOF
		}
		g.rest = g.rest[:0]
		for range min(100, g.lines-g.made) {
			g.rest = g.line(g.rest)
		}
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

func (g *generated) line(b []byte) []byte {
	at := g.made*100_000 + g.r.IntN(int(20*ms))
	team := g.r.IntN(100)
	b = append(b, `{"arrival": "`...)
	b = strconv.AppendInt(b, int64(at), 10)
	b = append(b, `ns", "duration": "0.022753974s", "user": "system:serviceaccount:team-`...)
	b = strconv.AppendInt(b, int64(team), 10)
	b = append(b, `:app", "groups": ["system:serviceaccounts", "system:authenticated"], "verb": "list", "apiGroup": "", `+
		`"resource": "configmaps", "namespace": "team-`...)
	b = strconv.AppendInt(b, int64(team), 10)
	b = append(b, `", "fieldSelector": "metadata.name=cm-`...)
	g.made++
	b = strconv.AppendInt(b, int64(g.made), 10)
	b = append(b, `", "resourceVersion": "`...)
	b = strconv.AppendInt(b, int64(g.made), 10)
	return append(b, "\"}\n"...)
}

func (*generated) Close() error { return nil }

// heap returns the memory in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestTraceMemoryIsFlat reads a million lines, all with other names, field selectors and
// resource versions, and holds that opening and reading them takes no more memory than a
// hundredth of them, and that there is no allocation for each line.
func TestTraceMemoryIsFlat(t *testing.T) {
	const lines = 1_000_000
	trace, faults := OpenTrace("f", func() (io.ReadCloser, error) { return generate(lines), nil })
	if len(faults) > 0 {
		t.Fatal(faults[0].Error())
	}
	r, err := trace.Reader()
	if err != nil {
		t.Fatal(err)
	}
	var rec Record
	read := func(n int) {
		for range n {
			if more, err := r.Next(&rec); !more || err != nil {
				t.Fatalf("%v, %v", more, err)
			}
		}
	}
	read(lines / 100)
	early := heap()
	read(lines - lines/100 - 10)
	late := heap()
	if late > early+1<<20 {
		t.Errorf("%d bytes are in use after 10,000 lines, and %d after 1,000,000", early, late)
	}
	if len(r.Options()) != 2 || len(r.Subjects()) != 100 || r.Held() > 500 {
		t.Errorf("%d options, %d subjects, %d records held", len(r.Options()), len(r.Subjects()), r.Held())
	}
}

// TestTraceReadingDoesNotAllocate holds for the steady state, in order and out of it.
func TestTraceReadingDoesNotAllocate(t *testing.T) {
	var sorted strings.Builder
	for i := range 20000 {
		sorted.WriteString(simple(time.Duration(i)) + "\n")
	}
	shuffled, _ := io.ReadAll(generate(20000))
	for name, text := range map[string]string{"sorted": sorted.String(), "shuffled": string(shuffled)} {
		r, err := traceOf(t, text).Reader()
		if err != nil {
			t.Fatal(err)
		}
		var rec Record
		next := func() { r.Next(&rec) }
		for range 10000 {
			next()
		}
		if n := testing.AllocsPerRun(9000, next); n != 0 {
			t.Errorf("%s: %v allocations for each line", name, n)
		}
	}
}
