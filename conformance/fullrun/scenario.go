package fullrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	flowcontrol "k8s.io/api/flowcontrol/v1"
	"sigs.k8s.io/yaml"
)

// Scenario is what the real server is told before the first request: the part of
// a scenario file that is not about clients.
type Scenario struct {
	// Seats is maxRequestsInflight plus maxMutatingRequestsInflight.
	Seats int
	// RequestTimeout is the deadline of a request that asks for none.
	RequestTimeout time.Duration
	// ConsistentReads tells that etcd reports watch progress, so that a list
	// without a resourceVersion is served from the watch cache.
	ConsistentReads bool
	PriorityLevels  []*flowcontrol.PriorityLevelConfiguration
	FlowSchemas     []*flowcontrol.FlowSchema
	// Objects are the stored objects by resource[.group].
	Objects map[string]Objects
	// Watches are open before the run and until its end.
	Watches []Watch
}

// Objects is what the server knows of the stored objects of one resource.
type Objects struct {
	Count        int64 `json:"count"`
	AverageBytes int64 `json:"averageBytes"`
}

// Watch is a number of equal watches.
type Watch struct {
	APIGroup  string `json:"apiGroup,omitempty"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Count     int    `json:"count"`
}

// file is the part of a scenario file that a replay needs, read here on its own
// account: the simulator's reader is one of the things under test.
type file struct {
	APIVersion        string         `json:"apiVersion"`
	Kind              string         `json:"kind"`
	Metadata          map[string]any `json:"metadata"`
	KubernetesVersion string         `json:"kubernetesVersion"`
	Server            server         `json:"server"`
	FlowControl       struct {
		Defaults  *bool    `json:"defaults,omitempty"`
		Manifests []string `json:"manifests,omitempty"`
	} `json:"flowControl"`
	Objects map[string]Objects `json:"objects,omitempty"`
	Watches []Watch            `json:"watches,omitempty"`
	Clients []struct {
		Name  string            `json:"name"`
		Trace map[string]string `json:"trace"`
	} `json:"clients"`
}

type server struct {
	MaxRequestsInflight         *int   `json:"maxRequestsInflight,omitempty"`
	MaxMutatingRequestsInflight *int   `json:"maxMutatingRequestsInflight,omitempty"`
	RequestTimeout              string `json:"requestTimeout,omitempty"`
	ConsistentReadsFromCache    *bool  `json:"consistentReadsFromCache,omitempty"`
}

// LoadScenario reads the scenario file of a folder whose only client is a trace,
// and returns it with the name of the trace file. Fields that a replay does not
// know are errors.
func LoadScenario(folder string) (*Scenario, string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "scenario.yaml"))
	if err != nil {
		return nil, "", err
	}
	var f file
	if err := yaml.UnmarshalStrict(text, &f); err != nil {
		return nil, "", fmt.Errorf("scenario of %s: %w", folder, err)
	}
	if len(f.Clients) != 1 || f.Clients[0].Trace["file"] == "" {
		return nil, "", fmt.Errorf("scenario of %s: want exactly one client with a trace", folder)
	}
	if f.FlowControl.Defaults != nil && !*f.FlowControl.Defaults {
		return nil, "", fmt.Errorf("scenario of %s: a replay always has the built-in objects", folder)
	}
	sc := &Scenario{
		Seats:           or(f.Server.MaxRequestsInflight, 400) + or(f.Server.MaxMutatingRequestsInflight, 200),
		RequestTimeout:  time.Minute,
		ConsistentReads: or(f.Server.ConsistentReadsFromCache, true),
		Objects:         f.Objects,
		Watches:         f.Watches,
	}
	if t := f.Server.RequestTimeout; t != "" {
		if sc.RequestTimeout, err = time.ParseDuration(t); err != nil {
			return nil, "", fmt.Errorf("scenario of %s: requestTimeout: %w", folder, err)
		}
	}
	sc.PriorityLevels, sc.FlowSchemas = BuiltIn()
	for _, name := range f.FlowControl.Manifests {
		if err := sc.addManifests(filepath.Join(folder, name)); err != nil {
			return nil, "", err
		}
	}
	return sc, filepath.Join(folder, f.Clients[0].Trace["file"]), nil
}

// Write writes the scenario and its trace as a folder that LoadScenario and the
// simulator can read.
func (sc *Scenario) Write(folder, name string, trace []Request) error {
	manifests, err := sc.manifests()
	if err != nil {
		return err
	}
	f := file{
		APIVersion: "apfsim.dev/v1alpha1", Kind: "Scenario",
		Metadata:          map[string]any{"name": name},
		KubernetesVersion: "1.37",
		Server: server{
			MaxRequestsInflight:         new(sc.Seats),
			MaxMutatingRequestsInflight: new(0),
			RequestTimeout:              sc.RequestTimeout.String(),
			ConsistentReadsFromCache:    new(sc.ConsistentReads),
		},
		Objects: sc.Objects,
		Watches: sc.Watches,
	}
	f.FlowControl.Manifests = []string{"manifests.yaml"}
	f.Clients = append(f.Clients, struct {
		Name  string            `json:"name"`
		Trace map[string]string `json:"trace"`
	}{"recorded", map[string]string{"file": "trace.jsonl"}})
	text, err := yaml.Marshal(f)
	if err != nil {
		return err
	}
	var lines strings.Builder
	if err := WriteTrace(&lines, trace); err != nil {
		return err
	}
	for file, content := range map[string]string{
		"scenario.yaml": string(text), "manifests.yaml": manifests, "trace.jsonl": lines.String(),
	} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
