package workload

import (
	"bytes"
	"slices"
	"testing"
	"time"
)

// FuzzTrace reads arbitrary bytes as a trace: it must come to an end, and either have
// faults, each complete and in place, or give as many records as it says, in order.
func FuzzTrace(f *testing.F) {
	good := simple(5) + "\n" + simple(3) + "\n\n" + simple(5)
	f.Add([]byte(good))
	f.Add(zip(good))
	f.Add(zip(good)[:40])
	f.Add([]byte("\x1f\x8b\x08"))
	f.Add([]byte("hello\n[]\n{}\n"))
	f.Add([]byte(`{"arrival":"1s","user":"u","verb":"list","resource":"pods","fieldSelector":"metadata.name=a\\,b,spec.nodeName=c","limit":5}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		trace, faults := OpenTrace("f", opener(file))
		if trace == nil && len(faults) == 0 || trace != nil && len(faults) > 0 {
			t.Fatalf("a trace: %v, and faults: %+v", trace != nil, faults)
		}
		for _, fault := range faults {
			whole := fault.Code == TraceMoreFaults || fault.Problem != "" && fault.Legal != ""
			if fault.Line < 0 || fault.Line > int64(bytes.Count(file, []byte("\n"))+2) && !bytes.HasPrefix(file, []byte("\x1f\x8b")) ||
				(fault.Line > 0) != (fault.Column > 0) || !whole {
				t.Fatalf("an incomplete fault: %+v", fault)
			}
		}
		if trace != nil {
			checkOrder(t, trace)
		}
	})
}

// checkOrder reads a trace and holds that it is as it says.
func checkOrder(t *testing.T, trace *Trace) {
	_, all := readAll(t, trace)
	inOrder := slices.IsSortedFunc(all, func(a, b Record) int {
		if a.Arrival != b.Arrival {
			return int(max(min(a.Arrival-b.Arrival, 1), -1))
		}
		return int(max(min(a.Line-b.Line, 1), -1))
	})
	last := time.Duration(0)
	if len(all) > 0 {
		last = all[len(all)-1].Arrival
	}
	if !inOrder || int64(len(all)) != trace.Requests() || last != trace.LastArrival() {
		t.Fatalf("%d records in order: %v, the last at %v; the trace says %d and %v", len(all), inOrder, last, trace.Requests(), trace.LastArrival())
	}
}
