package recording

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/workload/traceline"
)

func TestLineIsReadBack(t *testing.T) {
	r := Request{
		Server: 2, User: `a "user"`, Groups: []string{"g1", "g\n2"}, Client: "kubectl/v1.37",
		Verb: "list", APIGroup: "apps", Resource: "deployments", Subresource: "", Namespace: "n", Name: "x",
		Options: Options{Limit: 500, ResourceVersion: "0", FieldSelector: "metadata.name=x", SendInitialEvents: true},
		Timeout: time.Minute, Execution: 1500 * time.Microsecond, Waited: 0, Code: 200,
		FlowSchema: "service-accounts", PriorityLevel: "workload-low",
	}
	text := AppendTail(AppendHead(nil, 12345*time.Microsecond), &r)
	var p traceline.Parser
	var l traceline.Line
	if faults := p.Parse(text, &l); len(faults) > 0 {
		t.Fatalf("%s: %v", text, faults)
	}
	got := []any{
		l.Arrival, l.Duration, l.Timeout, l.Limit, l.SendInitialEvents, l.Server, l.Code, l.Waited, len(l.Groups), string(l.Groups[1]),
		string(l.Text[traceline.User]), string(l.Text[traceline.ClientName]), string(l.Text[traceline.FlowSchema]), string(l.Text[traceline.PriorityLevel]),
	}
	want := []any{
		12345 * time.Microsecond, r.Execution, r.Timeout, int64(500), true, int32(2), int32(200), time.Duration(0), 2, "g\n2",
		r.User, r.Client, r.FlowSchema, r.PriorityLevel,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What is unknown is not there, so that reading it back gives the values for unknown.
func TestLineLeavesOutTheUnknown(t *testing.T) {
	r := Request{Server: -1, User: "u", Verb: "get", Path: "/healthz", Waited: Unknown}
	text := string(AppendTail(AppendHead(nil, 0), &r))
	if want := `{"arrival":"0s","user":"u","verb":"get","path":"/healthz"}`; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
