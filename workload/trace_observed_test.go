package workload

import (
	"io"
	"strings"
	"testing"
	"time"
)

// TestObserved reads what lines tell of what was observed, past empty lines.
func TestObserved(t *testing.T) {
	text := `{"arrival":"1s","user":"ann","verb":"get","resource":"pods","duration":"2s","code":200,"waited":"0s","flowSchema":"a","priorityLevel":"b"}

{"arrival":"500ms","user":"ann","verb":"get","resource":"pods"}
`
	trace, faults := OpenTrace("t", func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil })
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	r, err := trace.Observed()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var o Observed
	if more, err := r.Next(&o); !more || err != nil || o.Line != 0 || o.Arrival != time.Second || o.Duration != 2*time.Second ||
		o.Code != 200 || o.Waited != 0 || string(o.FlowSchema) != "a" || string(o.PriorityLevel) != "b" {
		t.Errorf("the first line is %+v, %v, %v", o, more, err)
	}
	if more, err := r.Next(&o); !more || err != nil || o.Line != 2 || o.Waited != -1 || o.Code != 0 || len(o.FlowSchema) > 0 {
		t.Errorf("the second line is %+v, %v, %v", o, more, err)
	}
	if more, err := r.Next(&o); more || err != nil {
		t.Errorf("there is a third line: %v", err)
	}
}
