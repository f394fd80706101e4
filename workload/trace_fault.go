package workload

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/apfsim/apfsim/workload/traceline"
)

// The kinds of faults of a trace beyond those of a line.
const (
	TraceUnreadable  = "trace-read"        // it cannot be opened or read
	TraceCompression = "trace-gzip"        // compressed text is cut off or damaged
	TraceLineLength  = "trace-line-length" // a line is longer than LineMax
	TraceOptionCount = "trace-options"     // too many different list options
	TraceMoreFaults  = "trace-more-faults" // there are more faults than are listed
	TraceChanged     = "trace-changed"     // it is not the trace that was opened
)

// faultsMax is how many faults OpenTrace lists; it counts the others.
const faultsMax = 20

// Error returns "file:line:column: problem; legal: ...; hint".
func (f *TraceFault) Error() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", f.Line, f.Column)
	}
	b.WriteString(": " + f.Problem)
	if f.Legal != "" {
		b.WriteString("; legal: " + f.Legal)
	}
	if f.Hint != "" {
		b.WriteString("; " + f.Hint)
	}
	return b.String()
}

// faultList collects faults, and counts those for which there is no room.
type faultList struct {
	file   string
	faults []TraceFault
	more   int64
}

func (l *faultList) add(f TraceFault) {
	if len(l.faults) == faultsMax {
		l.more++
		return
	}
	f.File = l.file
	l.faults = append(l.faults, f)
}

// addLine adds the faults of one line; number counts from 0.
func (l *faultList) addLine(number int64, text []byte, faults []traceline.Fault) {
	for _, f := range faults {
		l.add(TraceFault{
			Line: number + 1, Column: column(text, f.Offset), Code: string(f.Code),
			Problem: f.Problem, Legal: f.Legal, Hint: f.Hint,
		})
	}
}

// list returns the faults, the last of which tells of those that are not listed.
func (l *faultList) list() []TraceFault {
	if l.more == 0 {
		return l.faults
	}
	return append(l.faults, TraceFault{
		File: l.file, Code: TraceMoreFaults, Problem: fmt.Sprintf("and %d more faults", l.more),
	})
}

// column returns the column of a byte of a line, from 1, in characters.
func column(text []byte, offset int) int {
	return utf8.RuneCount(text[:min(max(offset, 0), len(text))]) + 1
}
