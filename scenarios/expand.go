package scenarios

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

// Expanded returns the scenario as YAML with nothing left to be known: presets are
// written out in primitives, and the run's defaults with their values. It can be
// loaded in place of the original and is the same run, unless settings changed objects of
// flow control, or manifests were replaced: those are not in a scenario.
func (s *Scenario) Expanded() ([]byte, error) {
	spec := s.spec
	spec.KubernetesVersion = &s.KubernetesVersion
	spec.Warmup = orElse(spec.Warmup, new(duration))
	spec.Seed, spec.Replications = orElse(spec.Seed, ref[uint64](1)), orElse(spec.Replications, ref(1))
	spec.Server = spec.Server.expanded()
	spec.Operations = expandedOperations(spec.Operations)
	spec.Balancer, spec.Gateway = newBalancerSpec(s.Config.Balancer), spec.Gateway.expanded()
	spec.Backend = newBackendSpec(s.Config.Backend)
	spec.FlowControl.Defaults = orElse(spec.FlowControl.Defaults, ref(true))
	if spec.FlowControl.Validate == "" {
		spec.FlowControl.Validate = ValidateStrict
	}
	spec.Clients = slices.Clone(spec.Clients)
	for i := range spec.Clients {
		spec.Clients[i].expand(&s.Config.Populations[i])
	}
	n := encode(reflect.ValueOf(&spec).Elem())
	inline(n, 0)
	return encodeYAML(n)
}

// expanded returns the server with its defaults.
func (s serverSpec) expanded() serverSpec {
	return serverSpec{
		Count:                       orElse(s.Count, ref(1)),
		MaxRequestsInflight:         orElse(s.MaxRequestsInflight, ref(defaultMaxInflight)),
		MaxMutatingRequestsInflight: orElse(s.MaxMutatingRequestsInflight, ref(defaultMaxMutatingInflight)),
		RequestTimeout:              orElse(s.RequestTimeout, ref(duration(DefaultRequestTimeout))),
		CacheFill:                   orElse(s.CacheFill, new(duration)),
		ConsistentReadsFromCache:    orElse(s.ConsistentReadsFromCache, ref(true)),
	}
}

// expandedOperations returns the operations with their defaults.
func expandedOperations(list []operationSpec) []operationSpec {
	out := slices.Clone(list)
	for i := range out {
		s := &out[i]
		if s.Restart != nil {
			s.Grace, s.Down = orElse(s.Grace, new(duration)), orElse(s.Down, ref(defaultDown))
		}
		if u := s.RollingUpgrade; u != nil {
			s.RollingUpgrade = &rollingUpgradeSpec{
				KubernetesVersion: u.KubernetesVersion, Grace: orElse(u.Grace, ref(defaultGrace)),
				Down: orElse(u.Down, ref(defaultDown)), Pause: orElse(u.Pause, ref(defaultPause)),
			}
		}
	}
	return out
}

// expand writes the defaults of a population into it. What its preset has is in it by now.
func (s *clientSpec) expand(p *workload.Population) {
	s.Preset = ""
	if s.Retry != nil {
		s.Retry = newRetrySpec(p.Retry)
	}
	if p.Behaviour != nil {
		s.Arrivals = newBehaviourSpec(p.Behaviour)
	}
	if s.Requests = slices.Clone(s.Requests); len(p.Requests) != len(s.Requests) { // completed
		s.Requests = nil
		for i := range p.Requests {
			s.Requests = append(s.Requests, templateSpec(&p.Requests[i]))
		}
	}
	for i := range s.Requests {
		s.Requests[i].Calls = nil
		for j := range p.Requests[i].Calls {
			s.Requests[i].Calls = append(s.Requests[i].Calls, newCallSpec(&p.Requests[i].Calls[j]))
		}
	}
	if l := s.Limiter; l != nil {
		s.Limiter = &limiterSpec{QPS: orElse(l.QPS, ref(float64(limiter.DefaultQPS))), Burst: orElse(l.Burst, ref(limiter.DefaultBurst))}
	}
	if s.OnDeadline == "" {
		s.OnDeadline = onDeadline(workload.NoDeadline.String())
	}
}

func ref[T any](v T) *T { return &v }

// nodeWriter is a type that writes itself as a node.
type nodeWriter interface {
	encode() *node
}

// encode writes a value of format.go by its json tags; nil for one that is absent.
func encode(v reflect.Value) *node {
	if w, ok := v.Addr().Interface().(nodeWriter); ok {
		return w.encode()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return encode(v.Elem())
	case reflect.Struct:
		return encodeStruct(v)
	case reflect.Slice:
		if v.IsNil() {
			return nil
		}
		n := &node{kind: sequenceNode}
		for i := range v.Len() {
			n.items = append(n.items, encode(v.Index(i)))
		}
		return n
	case reflect.Map:
		return encodeMap(v)
	case reflect.String:
		_, old := oldBooleans[v.String()]
		return &node{text: v.String(), tag: "!!str", quoted: old}
	case reflect.Bool:
		return &node{text: strconv.FormatBool(v.Bool()), tag: "!!bool"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return &node{text: strconv.FormatInt(v.Int(), 10), tag: "!!int"}
	case reflect.Uint64:
		return &node{text: strconv.FormatUint(v.Uint(), 10), tag: "!!int"}
	case reflect.Float64:
		return encodeFloat(v.Float())
	}
	panic("scenarios: no writer for the type " + v.Type().String())
}

func encodeStruct(v reflect.Value) *node {
	n := &node{kind: mappingNode}
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if f.omitEmpty && value.IsZero() {
			continue
		}
		if inner := encode(value); inner != nil {
			n.fields = append(n.fields, field{name: f.name, value: inner})
		}
	}
	return n
}

func encodeMap(v reflect.Value) *node {
	if v.IsNil() {
		return nil
	}
	n := &node{kind: mappingNode}
	for _, key := range v.MapKeys() {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		n.fields = append(n.fields, field{name: key.String(), value: encode(value)})
	}
	slices.SortFunc(n.fields, func(a, b field) int {
		// Quantiles are in order of their number: p5 before p50 before p100.
		p, errA := strconv.ParseFloat(strings.TrimPrefix(a.name, "p"), 64)
		q, errB := strconv.ParseFloat(strings.TrimPrefix(b.name, "p"), 64)
		if errA == nil && errB == nil && p != q {
			return cmp.Compare(p, q)
		}
		return strings.Compare(a.name, b.name)
	})
	return n
}

// encodeFloat writes a number so that it is read again as the same one.
func encodeFloat(f float64) *node {
	if math.Abs(f) < 1e15 && f == math.Trunc(f) {
		return &node{text: strconv.FormatInt(int64(f), 10), tag: "!!int"}
	}
	return &node{text: strconv.FormatFloat(f, 'g', -1, 64), tag: "!!float"}
}

// encode writes a duration as briefly as it can be read again.
func (v *duration) encode() *node {
	return &node{text: durationText(time.Duration(*v)), tag: "!!str"}
}

// encode writes a bound as it was given.
func (b *boundSpec) encode() *node {
	return &node{text: b.written.text, tag: b.written.tag, quoted: b.written.quoted}
}

// maxInline is the longest value, in characters, that is written on one line.
const maxInline = 100

// inline chooses flow style for the short values below the top level: the file should
// look as people write it.
func inline(n *node, depth int) {
	if n.kind == scalarNode {
		return
	}
	n.inline = depth >= 2 && flowWidth(n) <= maxInline
	for _, f := range n.fields {
		inline(f.value, depth+1)
	}
	for _, item := range n.items {
		inline(item, depth+1)
	}
}

// flowWidth is about how long a value is in flow style.
func flowWidth(n *node) int {
	width := len(n.text)
	for _, f := range n.fields {
		width += len(f.name) + flowWidth(f.value) + len(": , ")
	}
	for _, item := range n.items {
		width += flowWidth(item) + len(", ")
	}
	return width
}

// encodeField writes one field of a population, nil if that has no value.
func encodeField(s *clientSpec, name string) *node {
	return encode(reflect.ValueOf(s).Elem()).get(name)
}
