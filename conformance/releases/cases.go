package releases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	flowcontrol "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/apfsim/apfsim/conformance/fullrun"
	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
	"github.com/apfsim/apfsim/scheduler/release"
)

// draw draws a case for the release: servers, objects and traffic of the swarm of
// conformance/fullrun, over the release's built-in objects.
func (o *oracle) draw(seed uint64) (*fullrun.Case, error) {
	levels, schemas, err := o.builtIn()
	if err != nil {
		return nil, err
	}
	c := fullrun.DrawOver(levels, schemas, seed)
	if !o.since(31) {
		c.Scenario.ConsistentReads = false // nobody asks for it yet
	}
	if !o.comparesChanges() {
		c.Scenario.Changes = nil
	}
	return c, nil
}

// comparesChanges tells whether changes of the configuration can be compared. In the
// releases in which a level's demand can become NaN for good it does so if two digestions
// come at the same instant, as they do in virtual time and never on a real server.
func (o *oracle) comparesChanges() bool { return !release.For(o.version).Borrowing.NaNStays }

// request returns the case as the oracle is asked about it.
func (o *oracle) request(sc *fullrun.Scenario, trace []fullrun.Request) (*wire.Case, error) {
	objects, err := o.writeAll(allObjects(sc))
	if err != nil {
		return nil, err
	}
	r := &wire.Case{
		Seats: sc.Seats, RequestTimeout: fullrun.Duration(sc.RequestTimeout), ConsistentReads: sc.ConsistentReads,
		FlowControl: objects, Objects: sc.Objects, Watches: sc.Watches, Trace: trace,
	}
	for _, c := range sc.Changes {
		written, err := o.writeAll(c.Write)
		if err != nil {
			return nil, err
		}
		r.Changes = append(r.Changes, wire.Change{At: fullrun.Duration(c.At), Write: written, Delete: deleted(c)})
	}
	return r, nil
}

func (o *oracle) writeAll(objects []metav1.Object) ([]json.RawMessage, error) {
	var all []json.RawMessage
	for _, object := range objects {
		text, err := o.write(object)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

func allObjects(sc *fullrun.Scenario) []metav1.Object {
	var all []metav1.Object
	for _, l := range sc.PriorityLevels {
		all = append(all, l)
	}
	for _, s := range sc.FlowSchemas {
		all = append(all, s)
	}
	return all
}

// deleted returns what a change deletes, each as "Kind/name".
func deleted(c fullrun.Change) []string {
	var all []string
	for _, o := range c.Delete {
		kind := "PriorityLevelConfiguration"
		if _, schema := o.(*flowcontrol.FlowSchema); schema {
			kind = "FlowSchema"
		}
		all = append(all, kind+"/"+o.GetName())
	}
	return all
}

// writeScenario writes the case into a folder as the simulator reads it, with the same
// texts of the objects that the oracle gets.
func (o *oracle) writeScenario(folder string, r *wire.Case) error {
	manifests := map[string][]json.RawMessage{"manifests.yaml": r.FlowControl}
	var changes []any
	for i, c := range r.Changes {
		entry := map[string]any{"at": c.At}
		if len(c.Write) > 0 {
			name := fmt.Sprintf("change-%d.yaml", i)
			manifests[name], entry["manifests"] = c.Write, []string{name}
		}
		if len(c.Delete) > 0 {
			entry["delete"] = c.Delete
		}
		changes = append(changes, entry)
	}
	server := map[string]any{
		"maxRequestsInflight": r.Seats, "maxMutatingRequestsInflight": 0, "requestTimeout": r.RequestTimeout,
		"consistentReadsFromCache": r.ConsistentReads,
	}
	scenario := map[string]any{
		"apiVersion": "apfsim.dev/v1alpha1", "kind": "Scenario", "metadata": map[string]any{"name": "release-" + o.name},
		"kubernetesVersion": o.version.String(), "server": server,
		"flowControl": map[string]any{"manifests": []string{"manifests.yaml"}},
		"objects":     r.Objects,
		"clients":     []any{map[string]any{"name": "recorded", "trace": map[string]any{"file": "trace.jsonl"}}},
	}
	if len(r.Watches) > 0 {
		scenario["watches"] = r.Watches
	}
	if len(changes) > 0 {
		scenario["changes"] = changes
	}
	text, err := json.Marshal(scenario)
	if err != nil {
		return err
	}
	var trace bytes.Buffer
	if err := fullrun.WriteTrace(&trace, r.Trace); err != nil {
		return err
	}
	files := map[string][]byte{"scenario.yaml": text, "trace.jsonl": trace.Bytes()}
	for name, objects := range manifests {
		files[name] = documents(objects)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// documents returns objects as one multi-document text; JSON is YAML.
func documents(objects []json.RawMessage) []byte {
	var b bytes.Buffer
	for _, o := range objects {
		fmt.Fprintf(&b, "---\n%s\n", o)
	}
	return b.Bytes()
}
