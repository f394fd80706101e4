package pure

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"testing"

	flowcontrolapi "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
)

// TestBuiltInObjectsEqualUpstream compares the objects of scenarios/builtin with
// those that the server makes, field by field.
func TestBuiltInObjectsEqualUpstream(t *testing.T) {
	schemas, levels := readBuiltIn(t)
	want := slices.Concat(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas)
	wantLevels := slices.Concat(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations)
	if len(schemas) != len(want) || len(levels) != len(wantLevels) {
		t.Errorf("%d schemas and %d levels, want %d and %d", len(schemas), len(levels), len(want), len(wantLevels))
	}
	for _, w := range want {
		got := schemas[w.Name]
		if !reflect.DeepEqual(got.Spec, w.Spec) || !reflect.DeepEqual(got.Annotations, w.Annotations) {
			t.Errorf("schema %s:\n     %+v\nwant %+v", w.Name, got, *w)
		}
	}
	for _, w := range wantLevels {
		got := levels[w.Name]
		if !reflect.DeepEqual(got.Spec, w.Spec) || !reflect.DeepEqual(got.Annotations, w.Annotations) {
			t.Errorf("level %s:\n     %+v\nwant %+v", w.Name, got, *w)
		}
	}
}

// readBuiltIn reads the file of the simulator's built-in objects with upstream's
// decoder.
func readBuiltIn(t *testing.T) (map[string]flowcontrolapi.FlowSchema, map[string]flowcontrolapi.PriorityLevelConfiguration) {
	t.Helper()
	text, err := os.ReadFile("../../scenarios/builtin/1.34.yaml")
	if err != nil {
		t.Fatal(err)
	}
	schemas, levels := map[string]flowcontrolapi.FlowSchema{}, map[string]flowcontrolapi.PriorityLevelConfiguration{}
	documents := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(text)))
	buffer := make([]byte, len(text))
	for {
		n, err := documents.Read(buffer)
		if errors.Is(err, io.EOF) {
			return schemas, levels
		}
		if err != nil {
			t.Fatal(err)
		}
		var schema flowcontrolapi.FlowSchema
		var level flowcontrolapi.PriorityLevelConfiguration
		if err := yaml.Unmarshal(buffer[:n], &schema.TypeMeta); err != nil {
			t.Fatal(err)
		}
		switch schema.Kind {
		case "": // the comment at the head of the file
		case "FlowSchema":
			err = yaml.UnmarshalStrict(buffer[:n], &schema)
			schemas[schema.Name] = schema
		case "PriorityLevelConfiguration":
			err = yaml.UnmarshalStrict(buffer[:n], &level)
			levels[level.Name] = level
		default:
			t.Fatalf("kind %q", schema.Kind)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestBuiltInConfigurationEqualsUpstream compares what the simulator makes of a
// scenario that says nothing about flow control with what upstream's objects say.
func TestBuiltInConfigurationEqualsUpstream(t *testing.T) {
	s, diagnostics := scenarios.Load("stock.yaml", oneFile(`
apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: stock}
duration: 1s
clients:
- {name: one, user: u, requests: [{verb: get, resource: pods}], arrivals: {poisson: {rate: 1}}, duration: {constant: 1ms}}
`))
	if s == nil {
		t.Fatal(diagnostics)
	}
	got := s.Config.Scheduler
	if got.Seats != 600 || !got.ConsistentReadsFromCache {
		t.Errorf("%d seats, consistent reads from the cache: %t", got.Seats, got.ConsistentReadsFromCache)
	}
	var schemas []scheduler.FlowSchema
	for _, o := range slices.Concat(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas) {
		schemas = append(schemas, ourSchema(o))
	}
	byName := func(a, b scheduler.FlowSchema) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(schemas, byName)
	slices.SortFunc(got.FlowSchemas, byName)
	if !reflect.DeepEqual(got.FlowSchemas, schemas) {
		t.Errorf("schemas\n     %+v\nwant %+v", got.FlowSchemas, schemas)
	}
	var levels []scheduler.PriorityLevel
	for _, o := range slices.Concat(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations) {
		levels = append(levels, ourLevel(o))
	}
	levelsByName := func(a, b scheduler.PriorityLevel) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(levels, levelsByName)
	slices.SortFunc(got.PriorityLevels, levelsByName)
	if !reflect.DeepEqual(got.PriorityLevels, levels) {
		t.Errorf("levels\n     %+v\nwant %+v", got.PriorityLevels, levels)
	}
}

// ourLevel translates a priority level on its own account.
func ourLevel(o *flowcontrolapi.PriorityLevelConfiguration) scheduler.PriorityLevel {
	l := scheduler.PriorityLevel{Name: o.Name, BorrowingLimitPercent: -1}
	if e := o.Spec.Exempt; e != nil {
		l.Exempt, l.Shares, l.LendablePercent = true, *e.NominalConcurrencyShares, *e.LendablePercent
		return l
	}
	l.Shares, l.LendablePercent = *o.Spec.Limited.NominalConcurrencyShares, *o.Spec.Limited.LendablePercent
	if p := o.Spec.Limited.BorrowingLimitPercent; p != nil {
		l.BorrowingLimitPercent = *p
	}
	if q := o.Spec.Limited.LimitResponse.Queuing; q != nil {
		l.Queuing = &scheduler.Queuing{Queues: q.Queues, HandSize: q.HandSize, QueueLengthLimit: q.QueueLengthLimit}
	}
	return l
}

// oneFile is a file system with one file of any name.
type oneFile string

var _ scenarios.Files = oneFile("")

// ReadFile returns the file.
func (f oneFile) ReadFile(string) ([]byte, error) { return []byte(f), nil }

// ReadDir finds no folder.
func (oneFile) ReadDir(string) ([]fs.DirEntry, error) { return nil, fs.ErrNotExist }

// Open returns the file.
func (f oneFile) Open(string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader([]byte(f))), nil
}
