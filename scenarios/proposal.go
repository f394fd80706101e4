package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Proposal is what has to be done to a cluster so that one configuration becomes another: the objects
// to apply, the objects to delete, and the flags of the servers to set.
type Proposal struct {
	// Objects are those to apply, PriorityLevelConfigurations first, each kind by name. What is
	// the same in both configurations is not among them.
	Objects []ProposedObject
	// Gone are those to delete; none of a configuration that only settings have changed.
	Gone []ProposedObject
	// Flags are the flags of kube-apiserver that change.
	Flags []ProposedFlag
}

// ProposedObject is one object.
type ProposedObject struct {
	Kind, Name string
	// Before and After are the object as a manifest that a server of the release takes, "" where
	// there is none. What a server adds to objects, such as their status, is not in them.
	Before, After string
}

// ProposedFlag is a flag of kube-apiserver, without dashes, and its values.
type ProposedFlag struct {
	Name          string
	Before, After int
}

// Empty tells that the two configurations are the same.
func (p *Proposal) Empty() bool { return len(p.Objects)+len(p.Gone)+len(p.Flags) == 0 }

// Manifests returns the objects to apply as a file for kubectl apply.
func (p *Proposal) Manifests() string {
	var texts []string
	for i := range p.Objects {
		texts = append(texts, p.Objects[i].After)
	}
	return strings.Join(texts, "---\n")
}

// Propose tells what leads from a configuration to another one, which is on the release of the
// latter. Objects that are built in count as they are in a cluster that nobody has changed.
func Propose(before, after *Configuration) *Proposal {
	p := &Proposal{}
	api := apiOf(after.Release)
	propose(p, levelKind, before.levelObjects(), after.levelObjects(), api)
	propose(p, schemaKind, before.schemaObjects(), after.schemaObjects(), api)
	p.flags(before.Server, after.Server)
	return p
}

// proposable is an object of either kind: what is the user's in it, and a pointer to all of it.
type proposable struct {
	meta   *metav1.ObjectMeta
	spec   any
	object any
}

func (c *Configuration) levelObjects() map[string]proposable {
	out := map[string]proposable{}
	for i := range c.Levels {
		o := c.Levels[i].Object.DeepCopy()
		o.Status = flowcontrolv1.PriorityLevelConfigurationStatus{}
		out[o.Name] = proposable{&o.ObjectMeta, &o.Spec, o}
	}
	return out
}

func (c *Configuration) schemaObjects() map[string]proposable {
	out := map[string]proposable{}
	for i := range c.Schemas {
		o := c.Schemas[i].Object.DeepCopy()
		o.Status = flowcontrolv1.FlowSchemaStatus{}
		out[o.Name] = proposable{&o.ObjectMeta, &o.Spec, o}
	}
	return out
}

// propose compares the objects of a kind.
func propose(p *Proposal, kind string, before, after map[string]proposable, api *apiRelease) {
	for _, name := range sortedKeys(after) {
		old, had := before[name]
		now := after[name]
		if had && old.same(&now) {
			continue
		}
		o := ProposedObject{Kind: kind, Name: name, After: now.manifest(kind, api)}
		if had {
			o.Before = old.manifest(kind, api)
		}
		p.Objects = append(p.Objects, o)
	}
	for _, name := range sortedKeys(before) {
		if _, stays := after[name]; !stays {
			old := before[name]
			p.Gone = append(p.Gone, ProposedObject{Kind: kind, Name: name, Before: old.manifest(kind, api)})
		}
	}
}

// same tells whether nothing has to be applied.
func (o *proposable) same(other *proposable) bool {
	return equality.Semantic.DeepEqual(o.spec, other.spec) && o.meta.Annotations[updateKey] == other.meta.Annotations[updateKey]
}

// flags compares the sizes of the servers.
func (p *Proposal) flags(before, after *ServerSettings) {
	if before == nil || after == nil {
		return
	}
	for _, f := range []ProposedFlag{
		{"max-requests-inflight", before.MaxRequestsInflight, after.MaxRequestsInflight},
		{"max-mutating-requests-inflight", before.MaxMutatingRequestsInflight, after.MaxMutatingRequestsInflight},
	} {
		if f.Before != f.After {
			p.Flags = append(p.Flags, f)
		}
	}
}

// manifest writes an object in the newest version that a release serves, as kubectl prints
// it: fields in the order of their names, but without what the server adds.
func (o *proposable) manifest(kind string, api *apiRelease) string {
	version := api.served[len(api.served)-1]
	kept := metav1.ObjectMeta{Name: o.meta.Name, Labels: o.meta.Labels, Annotations: map[string]string{}, Finalizers: o.meta.Finalizers}
	for _, key := range sortedKeys(o.meta.Annotations) {
		if key != corev1.LastAppliedConfigAnnotation {
			kept.Annotations[key] = o.meta.Annotations[key]
		}
	}
	*o.meta = kept
	text, err := json.Marshal(o.object)
	var fields map[string]any
	if err == nil {
		err = yaml.Unmarshal(text, &fields) // JSON is YAML, and whole numbers stay whole
	}
	if err != nil {
		panic(fmt.Sprintf("scenarios: an object that cannot be written: %v", err))
	}
	fields["apiVersion"], fields["kind"] = flowGroup+"/"+version, kind
	delete(fields, "status")
	delete(fields["metadata"].(map[string]any), "creationTimestamp")
	if spec, ok := fields["spec"].(map[string]any); ok {
		downgrade(spec, version, api)
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(fields); err != nil {
		panic(fmt.Sprintf("scenarios: an object that cannot be written: %v", err))
	}
	return b.String()
}

// downgrade makes the spec of v1 one of a version, with the fields that the release has.
func downgrade(spec map[string]any, version string, api *apiRelease) {
	if !api.freeExempt {
		delete(spec, "exempt")
	}
	limited, ok := spec["limited"].(map[string]any)
	if !ok {
		return
	}
	if !api.borrowing {
		delete(limited, "lendablePercent")
		delete(limited, "borrowingLimitPercent")
	}
	v, known := findVersion(version)
	if shares, told := limited[nominalShares]; told && known && v.shares != nominalShares {
		delete(limited, nominalShares)
		limited[v.shares] = shares
	}
}
