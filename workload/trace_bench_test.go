package workload

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"testing"
	"time"
)

// benchTrace returns the text of the recorded trace many times over, with arrivals that go
// on, and the number of its lines.
func benchTrace(b *testing.B) (text []byte, lines int) {
	b.Helper()
	file, err := os.Open("testdata/small.jsonl.gz")
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	recorded, err := io.ReadAll(unzipped)
	if err != nil {
		b.Fatal(err)
	}
	const prefix = `{"arrival": "`
	for i := range 20 {
		for line := range bytes.Lines(recorded) {
			at, rest, _ := bytes.Cut(line[len(prefix):], []byte(`"`))
			arrival, err := time.ParseDuration(string(at))
			if err != nil {
				b.Fatal(err)
			}
			text = append(text, prefix...)
			text = append(text, (arrival + time.Duration(i)*30*time.Second).String()...)
			text = append(append(text, '"'), rest...)
			lines++
		}
	}
	return text, lines
}

// perLine reports the speed in lines.
func perLine(b *testing.B, lines int) {
	b.ReportMetric(float64(b.N)*float64(lines)/b.Elapsed().Seconds(), "lines/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(lines), "ns/line")
}

// BenchmarkTrace opens a trace (one scan) and reads it (another one), plain and gzip, and
// lets encoding/json decode the same lines into a struct, with nothing interned or checked.
func BenchmarkTrace(b *testing.B) {
	text, lines := benchTrace(b)
	for _, form := range []struct {
		name string
		file []byte
	}{{"plain", text}, {"gzip", zip(string(text))}} {
		b.Run("open/"+form.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, faults := OpenTrace("f", opener(form.file)); len(faults) > 0 {
					b.Fatal(faults[0].Error())
				}
			}
			perLine(b, lines)
		})
		b.Run("read/"+form.name, func(b *testing.B) {
			trace := traceOf(b, string(form.file))
			b.ReportAllocs()
			for b.Loop() {
				benchRead(b, trace, lines)
			}
			perLine(b, lines)
		})
	}
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			scanner := bufio.NewScanner(bytes.NewReader(text))
			for scanner.Scan() {
				var v vector
				if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
					b.Fatal(err)
				}
			}
		}
		perLine(b, lines)
	})
}

// BenchmarkTraceShuffled reads a trace in which every line is out of place.
func BenchmarkTraceShuffled(b *testing.B) {
	const lines = 50000
	text, err := io.ReadAll(generate(lines))
	if err != nil {
		b.Fatal(err)
	}
	trace := traceOf(b, string(text))
	for b.Loop() {
		benchRead(b, trace, lines)
	}
	perLine(b, lines)
}

func benchRead(b *testing.B, trace *Trace, lines int) {
	r, err := trace.Reader()
	if err != nil {
		b.Fatal(err)
	}
	var rec Record
	for range lines {
		if more, err := r.Next(&rec); !more || err != nil {
			b.Fatal(more, err)
		}
	}
}

// BenchmarkGunzip compares the two readers of gzip on the same bytes.
func BenchmarkGunzip(b *testing.B) {
	text, lines := benchTrace(b)
	file := zip(string(text))
	for _, c := range []struct {
		name string
		open func() (io.Reader, error)
	}{
		{"klauspost", func() (io.Reader, error) {
			s, err := newTraceSource(io.NopCloser(bytes.NewReader(file)))
			if err != nil {
				return nil, err
			}
			return s.text, nil
		}},
		{"standard", func() (io.Reader, error) { return gzip.NewReader(bytes.NewReader(file)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			buffer := make([]byte, sourceBuffer)
			for b.Loop() {
				r, err := c.open()
				for err == nil {
					_, err = r.Read(buffer)
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
			perLine(b, lines)
		})
	}
}
