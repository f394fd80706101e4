package traceline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// standard is a line as encoding/json reads it.
type standard struct {
	Arrival              string   `json:"arrival"`
	Duration             string   `json:"duration"`
	Timeout              string   `json:"timeout"`
	User                 string   `json:"user"`
	Verb                 string   `json:"verb"`
	APIGroup             string   `json:"apiGroup"`
	Resource             string   `json:"resource"`
	Subresource          string   `json:"subresource"`
	Namespace            string   `json:"namespace"`
	Name                 string   `json:"name"`
	Path                 string   `json:"path"`
	ResourceVersion      string   `json:"resourceVersion"`
	ResourceVersionMatch string   `json:"resourceVersionMatch"`
	Continue             string   `json:"continue"`
	FieldSelector        string   `json:"fieldSelector"`
	LabelSelector        string   `json:"labelSelector"`
	Left                 string   `json:"left"`
	Life                 string   `json:"life"`
	Waited               string   `json:"waited"`
	Client               string   `json:"client"`
	FlowSchema           string   `json:"flowSchema"`
	PriorityLevel        string   `json:"priorityLevel"`
	FlowHash             string   `json:"flowHash"`
	Groups               []string `json:"groups"`
	Limit                int64    `json:"limit"`
	SendInitialEvents    bool     `json:"sendInitialEvents"`
	Server               *uint16  `json:"server"`
	Code                 uint16   `json:"code"`
	EndsLast             bool     `json:"endsLast"`
}

// parseStandard reads a line with encoding/json, and tells whether it accepts it.
func parseStandard(text []byte, s *standard) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(s) != nil {
		return false
	}
	_, err := d.Token()
	return err == io.EOF && properNames(text) && s.Code <= codeMax && (s.Server == nil || *s.Server <= serverMax)
}

// properNames is where this package is stricter than encoding/json: the line is an object,
// and its names are those of fields, to the letter, and each there once.
func properNames(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return false
	}
	var seen []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return false
		}
		if !slices.Contains(fieldNames[:], name.(string)) || slices.Contains(seen, name.(string)) {
			return false
		}
		seen = append(seen, name.(string))
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false
		}
	}
	return true
}

// sensible is what check does, said again in the plainest way.
func (s *standard) sensible() bool {
	for _, text := range []string{s.Arrival, s.Duration, s.Timeout, s.Left, s.Life, s.Waited} {
		if d, err := time.ParseDuration(text); text != "" && (err != nil || d < 0 || d > 1<<61) {
			return false
		}
	}
	if s.Arrival == "" || s.User == "" || s.Verb == "" {
		return false
	}
	if name, hash, ok := strings.Cut(s.FlowHash, "/"); s.FlowHash != "" && (!ok || name == "" || !isHash(hash)) {
		return false
	}
	if s.Path != "" {
		return strings.HasPrefix(s.Path, "/") && slices.Contains(pathVerbs, s.Verb) &&
			s.APIGroup+s.Resource+s.Subresource+s.Namespace+s.Name == ""
	}
	return s.Resource != "" && slices.Contains(resourceVerbs, s.Verb)
}

// isHash tells whether a text is a number of 64 bits in hexadecimal digits.
func isHash(text string) bool {
	n, err := strconv.ParseUint(text, 16, 64)
	return err == nil && text == fmt.Sprintf("%016x", n)
}

// compare fails unless the line says the same as s.
func compare(t *testing.T, text []byte, l *Line, s *standard) {
	v := reflect.ValueOf(s).Elem()
	for f := Arrival; f < Groups; f++ {
		if got, want := string(l.Text[f]), v.Field(int(f)).String(); got != want {
			t.Errorf("%q: %s is %q, encoding/json says %q", text, f, got, want)
		}
	}
	groups := make([]string, len(l.Groups))
	for i, g := range l.Groups {
		groups[i] = string(g)
	}
	if !slices.Equal(groups, s.Groups) || l.Limit != s.Limit || l.SendInitialEvents != s.SendInitialEvents || l.EndsLast != s.EndsLast {
		t.Errorf("%q: got %q, %d, %v, %v, encoding/json says %q, %d, %v, %v", text,
			groups, l.Limit, l.SendInitialEvents, l.EndsLast, s.Groups, s.Limit, s.SendInitialEvents, s.EndsLast)
	}
	server := int32(-1)
	if s.Server != nil {
		server = int32(*s.Server)
	}
	if l.Server != server || l.Code != int32(s.Code) {
		t.Errorf("%q: server %d and code %d, encoding/json says %d, %d", text, l.Server, l.Code, server, s.Code)
	}
}

// seeds are lines of every kind: good, strange but good, and bad.
var seeds = []string{
	`{"arrival": "0.000859039s", "user": "system:serviceaccount:mon:a8", "groups": ["system:serviceaccounts", "system:authenticated"], "verb": "list", "apiGroup": "", "resource": "pods", "namespace": "", "duration": "0.251588821s", "limit": 500, "resourceVersion": ""}`,
	`{"arrival":"1.5s","user":"u","verb":"watch","resource":"pods","sendInitialEvents":true,"resourceVersionMatch":"NotOlderThan","fieldSelector":"spec.nodeName=n1","timeout":"1m30s"}`,
	`{"arrival":"1h2m3.5s","user":"u","verb":"update","apiGroup":"coordination.k8s.io","resource":"leases","subresource":"status","namespace":"kube-system","name":"x","continue":"c","labelSelector":"a=b"}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz"}`,
	` { "arrival" : "0" , "user" : "u" , "verb" : "get" , "resource" : "a" } ` + "\t\r",
	`{"arrival":"1s","user":"\u00e9\n\t\"\\\/\ud83d\ude00","verb":"get","resource":"pods"}`,
	`{"arriv\u0061l":"1s","us\u0065r":"u","verb":"get","resource":"pods"}`,
	`{"arrival":"1s","user":"\ud800x\udc00","verb":"get","resource":"pods"}`,
	"{\"arrival\":\"1s\",\"user\":\"\xff\xfe caf\xc3\xa9\",\"verb\":\"get\",\"resource\":\"pods\"}",
	"{\"arrival\":\"1s\",\"us\xffer\":\"u\",\"verb\":\"get\",\"resource\":\"pods\"}",
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","groups":null,"limit":null,"name":null,"sendInitialEvents":null,"endsLast":null}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","endsLast":true}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","endsLast":"true"}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","groups":[null,"a",""],"limit":-0}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","groups":[]}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","limit":9223372036854775807}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","limit":9223372036854775808}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","limit":1e3}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","limit":1.0}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","limit":01}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","limit":"5"}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","groups":"a"}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","groups":[1]}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","groups":["a"}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","groups":["a",]}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","sendInitialEvents":1}`,
	`{"arrival":1,"user":{},"verb":[],"resource":true}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","USER":"v"}`,
	`{"arrival":"1s","user":"u","user":"v","verb":"get","resource":"pods"}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods","x":{"y":[1,{"z":null}]}}`,
	`{"arrival":"1s","user":"u","verb":"get","resource":"pods",}`,
	`{"arrival":"1s" "user":"u"}`, `{"arrival":"1s"`, `{"arrival"`, `{1:2}`, `{"a":1} {"b":2}`, `{} x`, `{}`, `{`, `}`, ``,
	`[]`, `null`, `"x"`, `17`, `true`, `nul`, `{"user":"a` + "\x01" + `"}`, `{"user":"\x"}`, `{"user":"\u12"}`, "\xef\xbb\xbf{}",
	`{"arrival":"-1s","user":"u","verb":"get","resource":"pods"}`,
	`{"arrival":"9999999999h","user":"u","verb":"GET","path":"x","name":"y"}`,
	`{"arrival":"200y","user":"","verb":"","resource":""}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","server":2,"code":429,"waited":"1.5s","client":"c/1","flowSchema":"s","priorityLevel":"l"}`,
	`{"arrival":"3us","user":"u","verb":"watch","resource":"pods","left":"2s","life":"7m"}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","left":"-1s","life":"1"}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","flowHash":"s/00c0ffee00c0ffee"}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","flowHash":"s00c0ffee00c0ffee"}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","server":null,"code":null,"waited":null}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","server":-1}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","server":1000}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","code":1.5}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","code":99999999999}`,
	`{"arrival":"3us","user":"u","verb":"get","path":"/healthz","waited":"-1s"}`,
	`{"arrival":".5s","duration":"1.s","timeout":"+3ms","user":"u","verb":"proxy","resource":"pods"}`,
}

// FuzzTraceLine holds the parser against encoding/json: the same lines are accepted, with
// the same values.
func FuzzTraceLine(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	var p Parser
	f.Fuzz(func(t *testing.T, text []byte) {
		var l Line
		var s standard
		got := p.decode(text, &l) && len(p.faults) == 0
		want := parseStandard(text, &s)
		if got != want {
			t.Fatalf("%q: accepted %v, encoding/json %v; faults %+v", text, got, want, p.faults)
		}
		if got {
			compare(t, text, &l, &s)
		}
		faults := p.Parse(text, &l)
		if (len(faults) == 0) != (want && s.sensible()) {
			t.Fatalf("%q: faults %+v", text, faults)
		}
		for _, fault := range faults {
			if fault.Offset < 0 || fault.Offset > len(text) || fault.Code == "" || fault.Problem == "" || fault.Legal == "" {
				t.Fatalf("%q: an incomplete fault: %+v", text, fault)
			}
		}
	})
}

// FuzzDuration holds parseDuration against time.ParseDuration.
func FuzzDuration(f *testing.F) {
	for _, s := range []string{
		"0", "1s", "1.5s", "0.000859039s", "12.3456789012s", "1.s", ".5s", "1m", "1.5m", "1h30m", "-1s", "+1s", "1us", "1µs", "1μs",
		"1ns", "1.5ns", "999999999s", "9999999999s", "9223372036854775807ns", "9223372036854775808ns", "1e3s", "", "s", "1", "1 s",
		"9999999h", "153722867m", "999999999999.999999ms", "1.0000000000s", "00000000000000000001s", "2562047h47m16.854775807s",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseDuration([]byte(text))
		want, err := time.ParseDuration(text)
		if ok != (err == nil) || got != want {
			t.Errorf("%q: got %d, %v, time.ParseDuration says %d, %v", text, got, ok, want, err)
		}
	})
}
