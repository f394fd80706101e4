package records

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	upstream "k8s.io/apiserver/pkg/audit"
	"sigs.k8s.io/json"

	"github.com/apfsim/apfsim/reports/recorder"
	"github.com/apfsim/apfsim/workload/recording/audit"
)

// scenariosOfEachKind are scenarios with rejections, watches, lists, paths, cancelled requests and
// several servers.
var scenariosOfEachKind = []string{
	"elephants-and-mice", "leader-election", "list-storm", "one-server-of-three", "relist-after-restart-paced", "webhook-deadlock",
}

// maxEvents bounds how many events of a scenario are looked at.
const maxEvents = 200_000

// TestAuditEvents reads each event that is written with the server's own types, in which no field
// may be unknown, doubled or of other case, and writes it again as the server's log backend does
// (plugin/pkg/audit/log/backend.go): not a byte may differ.
func TestAuditEvents(t *testing.T) {
	for _, name := range scenariosOfEachKind {
		t.Run(name, func(t *testing.T) {
			events := auditLog(t, name)
			encoder := upstream.Codecs.LegacyCodec(auditv1.SchemeGroupVersion)
			stages := map[auditinternal.Stage]int{}
			lines := bufio.NewScanner(events)
			lines.Buffer(nil, 1<<20)
			for n := 1; lines.Scan() && n <= maxEvents; n++ {
				event := decoded(t, n, lines.Bytes())
				stages[event.Stage]++
				again, err := runtime.Encode(encoder, event)
				if err != nil {
					t.Fatalf("line %d: %v", n, err)
				}
				if got, want := lines.Text(), strings.TrimSuffix(string(again), "\n"); got != want {
					t.Fatalf("line %d:\n got %s\nwant %s", n, got, want)
				}
			}
			if stages[auditinternal.StageRequestReceived] == 0 || stages[auditinternal.StageResponseComplete] == 0 {
				t.Errorf("too few stages: %v", stages)
			}
		})
	}
}

// decoded reads an event strictly.
func decoded(t *testing.T, n int, line []byte) *auditinternal.Event {
	t.Helper()
	var external auditv1.Event
	strict, err := json.UnmarshalStrict(line, &external)
	if err != nil || len(strict) > 0 {
		t.Fatalf("line %d: %v %v\n%s", n, err, strict, line)
	}
	var event auditinternal.Event
	if err := upstream.Scheme.Convert(&external, &event, nil); err != nil {
		t.Fatalf("line %d: %v", n, err)
	}
	return &event
}

// auditLog runs a scenario and returns what its servers log, one after the other.
func auditLog(t *testing.T, name string) *bytes.Buffer {
	t.Helper()
	var logs []bytes.Buffer
	runScenario(t, name, func(servers int, seed uint64) func(int32) []recorder.Log {
		logs = make([]bytes.Buffer, servers)
		return func(server int32) []recorder.Log {
			return []recorder.Log{audit.NewWriter(&logs[server], seed)}
		}
	})
	all := &bytes.Buffer{}
	for i := range logs {
		all.Write(logs[i].Bytes())
	}
	return all
}
