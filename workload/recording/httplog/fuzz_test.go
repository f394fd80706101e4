package httplog

import (
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
	"github.com/apfsim/apfsim/workload/traceline"
)

// FuzzReader reads arbitrary bytes as a log: it must come to an end, count what it cannot use, give
// the same whatever the pieces in which the bytes come, and give lines that are good lines of a
// trace.
func FuzzReader(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(ok + "\n" + stack + "\n" + klogJSON))
	f.Add([]byte(docker(ok+"\n", klogJSON+"\n")))
	f.Add([]byte("2026-11-30T10:00:01.1Z stderr P " + ok[:50] + "\n2026-11-30T10:00:01.1Z stderr F " + ok[50:]))
	f.Add([]byte(`<14>1 [a] 2026-11-30T10:00:01.1Z x[1]: {"_source":{"log":"{\"ts\":1.5,\"msg\":\"HTTP\"}"}}`))
	f.Add([]byte("a,b\n2026-11-30 10:00:01.1,\"" + strings.ReplaceAll(ok, `"`, `""`) + "\",\n\"{\"\"msg\"\":\"\"HTTP\"\"}"))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := newReader()
		if err := r.Read("f", -1, strings.NewReader(string(text))); err != nil {
			t.Fatal(err)
		}
		got := goodLines(t, r)
		slow := newReader()
		if err := slow.Read("f", -1, iotest.OneByteReader(strings.NewReader(string(text)))); err != nil {
			t.Fatal(err)
		}
		if again := goodLines(t, slow); again != got || told(slow) != told(r) {
			t.Fatalf("byte by byte it gives\n%s%s\nand at once\n%s%s", again, told(slow), got, told(r))
		}
	})
}

// goodLines takes all requests, and holds that each makes a good line and is counted.
func goodLines(t *testing.T, r *Reader) string {
	t.Helper()
	var all strings.Builder
	var parser traceline.Parser
	var line traceline.Line
	for n := int64(0); ; n++ {
		var q recording.Request
		more, err := r.Next(&q)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			if n != r.Account.Requests {
				t.Fatalf("%d requests are counted, and there are %d", r.Account.Requests, n)
			}
			return all.String()
		}
		text := recording.AppendTail(recording.AppendHead(nil, time.Duration(q.Received-r.Account.First)), &q)
		if faults := parser.Parse(text, &line); len(faults) > 0 {
			t.Fatalf("%s: %+v", text, faults)
		}
		all.Write(append(text, '\n'))
	}
}

// synthetic is a log of many clients.
func synthetic(lines int) string {
	var b strings.Builder
	many := strings.SplitAfter(strings.Repeat(sample[strings.Index(sample, "I1130 10:00:00.35"):], 50), "\n")
	for i := range lines {
		line := many[i%200]
		b.WriteString(strings.Replace(line, "10.0.0.", "10."+string(rune('0'+i/4%10))+".0.", 1))
	}
	return b.String()
}

// Reading takes no memory for each line.
func TestAllocations(t *testing.T) {
	for name, text := range map[string]string{"text": synthetic(50), "docker": docker(strings.SplitAfter(synthetic(50), "\n")...)} {
		read := func(text string) func() {
			return func() {
				r := newReader()
				r.Read("f", -1, strings.NewReader(text))
				var q recording.Request
				for more := true; more; more, _ = r.Next(&q) {
				}
			}
		}
		once, often := testing.AllocsPerRun(5, read(text)), testing.AllocsPerRun(5, read(strings.Repeat(text, 40)))
		if often > once+200 { // what grows: the figures that are kept of some forty kinds, by doubling
			t.Errorf("%s: %v allocations for 50 lines, %v for 2000", name, once, often)
		}
	}
}

// BenchmarkRead reads a log that is in memory, and takes the requests.
func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{"text": synthetic(40000), "docker": docker(strings.SplitAfter(synthetic(40000), "\n")...)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := newReader()
				r.Read("f", -1, strings.NewReader(text))
				var q recording.Request
				for more := true; more; more, _ = r.Next(&q) {
				}
			}
		})
	}
}
