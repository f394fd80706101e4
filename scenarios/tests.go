package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload"
)

// Test is a test of the configuration, without traffic: what an idle server has to make of one
// request.
type Test struct {
	Name string
	// Releases are those of the servers, at least one.
	Releases []release.Version
	// User asks. Groups are all of the user's groups, or nil if those are meant that follow from
	// the name.
	User   string
	Groups []string
	// Request is what is asked for, without weight and duration.
	Request workload.Template
	Expect  TestExpectation
	Place   Place
}

// TestExpectation is what a test demands, nil where it demands nothing. At least one is set.
type TestExpectation struct {
	FlowSchema, PriorityLevel, Flow *string
	InitialSeats, FinalSeats        *int
	AdditionalLatency               *time.Duration
	Hand                            []int32
	// LongRunning demands that APF is not concerned, or that it is.
	LongRunning *bool
	// Places tells where each of them is demanded, by the name of the field.
	Places map[string]Place
}

// testSpec is a test of the configuration.
type testSpec struct {
	Name               string          `json:"name"`
	KubernetesVersions []string        `json:"kubernetesVersions,omitempty"`
	Request            testRequestSpec `json:"request"`
	Expect             testExpectSpec  `json:"expect"`
}

// testRequestSpec is a request and who sends it.
type testRequestSpec struct {
	User                 string       `json:"user"`
	Groups               []string     `json:"groups,omitempty"`
	Verb                 string       `json:"verb"`
	APIGroup             string       `json:"apiGroup,omitempty"`
	Resource             string       `json:"resource,omitempty"`
	Subresource          string       `json:"subresource,omitempty"`
	Namespace            string       `json:"namespace,omitempty"`
	Name                 string       `json:"name,omitempty"`
	Path                 string       `json:"path,omitempty"`
	Limit                *int64       `json:"limit,omitempty"`
	ResourceVersion      *string      `json:"resourceVersion,omitempty"`
	ResourceVersionMatch versionMatch `json:"resourceVersionMatch,omitempty"`
	Continue             string       `json:"continue,omitempty"`
	FieldSelector        string       `json:"fieldSelector,omitempty"`
	LabelSelector        string       `json:"labelSelector,omitempty"`
	SendInitialEvents    bool         `json:"sendInitialEvents,omitempty"`
	Timeout              *duration    `json:"timeout,omitempty"`
}

// testExpectSpec is what has to become of it. The fields have the names of a decision log.
type testExpectSpec struct {
	FlowSchema        *string   `json:"flowSchema,omitempty"`
	PriorityLevel     *string   `json:"priorityLevel,omitempty"`
	Flow              *string   `json:"flow,omitempty"`
	Hand              []int32   `json:"hand,omitempty"`
	InitialSeats      *int      `json:"initialSeats,omitempty"`
	FinalSeats        *int      `json:"finalSeats,omitempty"`
	AdditionalLatency *duration `json:"additionalLatency,omitempty"`
	LongRunning       *bool     `json:"longRunning,omitempty"`
}

// template is the request in the terms of a population's.
func (s *testRequestSpec) template() *requestSpec {
	return &requestSpec{
		Verb: s.Verb, APIGroup: s.APIGroup, Resource: s.Resource, Subresource: s.Subresource,
		Namespace: s.Namespace, Name: s.Name, Path: s.Path, Limit: s.Limit,
		ResourceVersion: s.ResourceVersion, ResourceVersionMatch: s.ResourceVersionMatch, Continue: s.Continue,
		FieldSelector: s.FieldSelector, LabelSelector: s.LabelSelector,
		SendInitialEvents: s.SendInitialEvents, Timeout: s.Timeout,
	}
}

// tests checks and converts the tests of the configuration.
func (l *loader) tests(specs []testSpec, own release.Version) []Test {
	var out []Test
	first := map[string]string{}
	for i := range specs {
		path, s := index("tests", i), &specs[i]
		t := Test{Name: s.Name, User: s.Request.User, Groups: s.Request.Groups, Place: l.at(path)}
		l.testName(path, s.Name, first)
		t.Releases = l.testReleases(join(path, "kubernetesVersions"), s.KubernetesVersions, own)
		if at := join(path, "request"); l.require(path, "request", "the fields of a request: user, verb, resource and so on") {
			if l.require(at, "user", "a user, such as system:serviceaccount:NAMESPACE:NAME") && s.Request.User == "" {
				l.refuse(join(at, "user"), fault{code: CodeMissing, message: join(at, "user") + " is empty", legal: "a user, such as system:serviceaccount:NAMESPACE:NAME"})
			}
			t.Request = l.request(at, s.Request.template())
		}
		if l.require(path, "expect", "what has to become of the request: "+strings.Join(testExpectations(), ", ")) {
			t.Expect = l.testExpect(join(path, "expect"), &s.Expect)
		}
		out = append(out, t)
	}
	return out
}

func (l *loader) testName(path, name string, first map[string]string) {
	at := join(path, "name")
	const legal = "a line of text that tells the test from the others"
	switch prior, twice := first[name]; {
	case !l.require(path, "name", legal):
	case strings.TrimSpace(name) == "" || strings.ContainsAny(name, "\n\r"):
		l.refuse(at, fault{code: CodeNotLegal, message: fmt.Sprintf("%s is no name: %q", at, shorten(name)), legal: legal})
	case twice:
		l.refuse(at, fault{code: CodeSameName, message: fmt.Sprintf("two tests have the name %q, the other one on line %d", shorten(name), l.at(prior).Line)})
	default:
		first[name] = at
	}
}

// testReleases reads the releases of a test; without any it is that of the scenario.
func (l *loader) testReleases(path string, texts []string, own release.Version) []release.Version {
	if !l.has(path) {
		return []release.Version{own}
	}
	if len(texts) == 0 {
		l.refuse(path, fault{code: CodeMissing, message: path + " is empty", legal: versionLegal, hint: "leave it out for the release of the scenario"})
	}
	var out []release.Version
	for i, text := range texts {
		v := l.parseVersion(index(path, i), text)
		if slices.Contains(out, v) && v != (release.Version{}) {
			l.refuse(index(path, i), fault{code: CodeSameName, message: fmt.Sprintf("%s: %s is there twice", index(path, i), text)})
		}
		out = append(out, v)
	}
	return out
}

// testExpectations are the names of what a test can demand.
func testExpectations() []string {
	return []string{"flowSchema", "priorityLevel", "flow", "hand", "initialSeats", "finalSeats", "additionalLatency", "longRunning"}
}

// testExpect checks and converts what a test demands.
func (l *loader) testExpect(path string, s *testExpectSpec) TestExpectation {
	out := TestExpectation{
		FlowSchema: s.FlowSchema, PriorityLevel: s.PriorityLevel, Flow: s.Flow, Hand: s.Hand,
		InitialSeats: s.InitialSeats, FinalSeats: s.FinalSeats, LongRunning: s.LongRunning, Places: map[string]Place{},
	}
	for _, name := range testExpectations() {
		if at := join(path, name); l.has(at) {
			out.Places[name] = l.at(at)
		}
	}
	if len(out.Places) == 0 && !l.strange[path] {
		l.refuse(path, fault{code: CodeMissing, message: path + " expects nothing", legal: strings.Join(testExpectations(), ", ")})
	}
	if s.InitialSeats != nil {
		l.inRange(join(path, "initialSeats"), int64(*s.InitialSeats), 1, 1<<31-1)
	}
	if s.FinalSeats != nil {
		l.inRange(join(path, "finalSeats"), int64(*s.FinalSeats), 0, 1<<31-1)
	}
	if s.AdditionalLatency != nil {
		d := time.Duration(*s.AdditionalLatency)
		out.AdditionalLatency = &d
	}
	if value(s.LongRunning, false) {
		l.excluded(path, "beside longRunning: APF is not concerned then", testExpectations()[:len(testExpectations())-1]...)
	}
	return out
}

// HasTraffic tells whether there is anything to simulate: without clients a scenario has tests of
// its configuration alone.
func (s *Scenario) HasTraffic() bool { return len(s.Config.Populations) > 0 }

// sourced gives the texts of a scenario again, and all else from where it was read.
type sourced struct {
	Files
	sources []SourceText
}

// ReadFile is part of Files.
func (f sourced) ReadFile(name string) ([]byte, error) {
	for i := range f.sources {
		if f.sources[i].Name == name {
			return f.sources[i].Text, nil
		}
	}
	return f.Files.ReadFile(name)
}

// Configuration returns the flow control that the scenario begins with, on a server of a
// release. Under another release than the scenario's own the objects are taken as stored in the
// cluster before, whatever version they are written in, as after an upgrade.
func (s *Scenario) Configuration(v release.Version) (*Configuration, Diagnostics) {
	o := ConfigurationOptions{Release: v, Stored: v != s.Release, Scenario: s.options}
	if o.Scenario.ManifestFiles != nil {
		o.Scenario.ManifestFiles = sourced{o.Scenario.ManifestFiles, s.Sources}
	}
	return LoadConfiguration([]string{s.File}, sourced{s.files, s.Sources}, o)
}
