package fullrun

import (
	"errors"
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
	// Changes of the objects during the run are in order of time.
	Changes []Change
}

// The files of a folder.
const (
	scenarioFile  = "scenario.yaml"
	manifestsFile = "manifests.yaml"
	traceFile     = "trace.jsonl"
)

// file is a scenario file, of which a replay needs what is not about clients. It is
// read here on its own account: the simulator's reader is one of the things under
// test.
type file struct {
	APIVersion        string             `json:"apiVersion"`
	Kind              string             `json:"kind"`
	Metadata          map[string]any     `json:"metadata"`
	KubernetesVersion string             `json:"kubernetesVersion,omitempty"`
	Server            server             `json:"server"`
	FlowControl       flowControl        `json:"flowControl"`
	Changes           []fileChange       `json:"changes,omitempty"`
	Objects           map[string]Objects `json:"objects,omitempty"`
	Watches           []Watch            `json:"watches,omitempty"`
	Clients           []client           `json:"clients"`

	Duration     any `json:"duration,omitempty"`
	Warmup       any `json:"warmup,omitempty"`
	Seed         any `json:"seed,omitempty"`
	Replications any `json:"replications,omitempty"`
	Expect       any `json:"expect,omitempty"`
	Tune         any `json:"tune,omitempty"`
}

type server struct {
	MaxRequestsInflight         *int   `json:"maxRequestsInflight,omitempty"`
	MaxMutatingRequestsInflight *int   `json:"maxMutatingRequestsInflight,omitempty"`
	RequestTimeout              string `json:"requestTimeout,omitempty"`
	ConsistentReadsFromCache    *bool  `json:"consistentReadsFromCache,omitempty"`
}

type flowControl struct {
	Defaults  *bool    `json:"defaults,omitempty"`
	Manifests []string `json:"manifests,omitempty"`
}

type client map[string]any

// trace returns the name of the client's trace, "" if it is none.
func (c client) trace() string {
	t, _ := c["trace"].(map[string]any)
	name, _ := t["file"].(string)
	return name
}

// LoadScenario reads the scenario file of a folder whose only client is a trace,
// and returns it with the name of the trace file.
func LoadScenario(folder string) (*Scenario, string, error) {
	text, err := os.ReadFile(filepath.Join(folder, scenarioFile))
	if err != nil {
		return nil, "", err
	}
	sc, clients, err := parseScenario(text, folder)
	if err != nil {
		return nil, "", fmt.Errorf("scenario of %s: %w", folder, err)
	}
	if len(clients) != 1 || clients[0].trace() == "" {
		return nil, "", fmt.Errorf("scenario of %s: want exactly one client with a trace", folder)
	}
	return sc, filepath.Join(folder, clients[0].trace()), nil
}

// parseScenario reads a scenario file. Fields that do not exist are errors.
func parseScenario(text []byte, folder string) (*Scenario, []client, error) {
	var f file
	if err := yaml.UnmarshalStrict(text, &f); err != nil {
		return nil, nil, err
	}
	if !or(f.FlowControl.Defaults, true) {
		return nil, nil, errors.New("a replay always has the built-in objects")
	}
	sc := &Scenario{
		Seats:           or(f.Server.MaxRequestsInflight, 400) + or(f.Server.MaxMutatingRequestsInflight, 200),
		RequestTimeout:  time.Minute,
		ConsistentReads: or(f.Server.ConsistentReadsFromCache, true),
		Objects:         f.Objects,
		Watches:         f.Watches,
	}
	if t := f.Server.RequestTimeout; t != "" {
		timeout, err := time.ParseDuration(t)
		if err != nil {
			return nil, nil, fmt.Errorf("requestTimeout: %w", err)
		}
		sc.RequestTimeout = timeout
	}
	sc.PriorityLevels, sc.FlowSchemas = BuiltIn()
	for _, name := range f.FlowControl.Manifests {
		if err := sc.addManifests(filepath.Join(folder, name)); err != nil {
			return nil, nil, err
		}
	}
	return sc, f.Clients, sc.addChanges(f.Changes, folder)
}

// Write writes the scenario and its trace as a folder that LoadScenario and the
// simulator can read.
func (sc *Scenario) Write(folder, name string, trace []Request) error {
	manifests, err := sc.manifests()
	if err != nil {
		return err
	}
	changes, err := sc.writeChanges(folder)
	if err != nil {
		return err
	}
	text, err := yaml.Marshal(sc.file(name, changes))
	if err != nil {
		return err
	}
	var lines strings.Builder
	if err := WriteTrace(&lines, trace); err != nil {
		return err
	}
	for file, content := range map[string]string{
		scenarioFile: string(text), manifestsFile: manifests, traceFile: lines.String(),
	} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// file returns the scenario's file, whose only client is the trace.
func (sc *Scenario) file(name string, changes []fileChange) file {
	return file{
		APIVersion: "apfsim.dev/v1alpha1", Kind: "Scenario",
		Metadata:          map[string]any{"name": name},
		KubernetesVersion: "1.37",
		Server: server{
			MaxRequestsInflight:         new(sc.Seats),
			MaxMutatingRequestsInflight: new(0),
			RequestTimeout:              sc.RequestTimeout.String(),
			ConsistentReadsFromCache:    new(sc.ConsistentReads),
		},
		FlowControl: flowControl{Manifests: []string{manifestsFile}},
		Changes:     changes,
		Objects:     sc.Objects,
		Watches:     sc.Watches,
		Clients:     []client{{"name": "recorded", "trace": map[string]any{"file": traceFile}}},
	}
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
