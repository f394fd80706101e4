package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Ensured is what a cluster holds after its server has looked after the built-in objects.
type Ensured struct {
	// Objects are the objects in the version of the controller, schemas before levels, each
	// kind in the order of names.
	Objects []json.RawMessage `json:"objects,omitempty"`
	// Fault is why there are none.
	Fault string `json:"fault,omitempty"`
}

// Ensure lets the ensurer of the release have one pass over a cluster that holds some
// objects, as they are stored there: with annotations and a generation.
func Ensure(objects []json.RawMessage) Ensured {
	c := cluster{schemas: schemas{objects: map[string]*flowSchema{}}, levels: levels{objects: map[string]*priorityLevel{}}}
	for _, text := range objects {
		obj, err := stored(text)
		if err != nil {
			return Ensured{Fault: err.Error()}
		}
		switch o := obj.(type) {
		case *flowSchema:
			c.schemas.objects[o.Name] = o
		case *priorityLevel:
			c.levels.objects[o.Name] = o
		}
	}
	if err := c.pass(); err != nil {
		return Ensured{Fault: err.Error()}
	}
	var out Ensured
	for _, name := range slices.Sorted(maps.Keys(c.schemas.objects)) {
		out.Objects = append(out.Objects, encode(c.schemas.objects[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(c.levels.objects)) {
		out.Objects = append(out.Objects, encode(c.levels.objects[name]))
	}
	return out
}

// stored reads an object of any version, defaulted, in the version of the controller.
func stored(text []byte) (runtime.Object, error) {
	obj, _, err := serializer.Decode(text, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", text, err)
	}
	legacyscheme.Scheme.Default(obj)
	internal, err := legacyscheme.Scheme.UnsafeConvertToVersion(obj, runtime.InternalGroupVersioner)
	if err != nil {
		return nil, fmt.Errorf("convert %s: %w", text, err)
	}
	return legacyscheme.Scheme.ConvertToVersion(internal, controllerGroupVersion)
}

func encode(obj runtime.Object) []byte {
	text, err := runtime.Encode(legacyscheme.Codecs.EncoderForVersion(serializer, controllerGroupVersion), obj)
	if err != nil {
		panic(fmt.Sprintf("judge: encode: %v", err))
	}
	return text
}

var controllerGroupVersion = schema.GroupVersion{Group: "flowcontrol.apiserver.k8s.io", Version: controllerVersion}

// cluster holds objects as an API server and its client's cache do.
type cluster struct {
	schemas schemas
	levels  levels
}

func notFound(resource, name string) error {
	return apierrors.NewNotFound(schema.GroupResource{Group: controllerGroupVersion.Group, Resource: resource}, name)
}

// schemas is the client of the FlowSchemas of a cluster. It has the methods that the
// ensurers use; the others, of the nil interface, panic.
type schemas struct {
	schemaClient
	objects map[string]*flowSchema
}

func (s schemas) put(obj *flowSchema) (*flowSchema, error) {
	obj = obj.DeepCopy()
	legacyscheme.Scheme.Default(obj)
	s.objects[obj.Name] = obj
	return obj, nil
}

func (s schemas) Create(_ context.Context, obj *flowSchema, _ metav1.CreateOptions) (*flowSchema, error) {
	return s.put(obj)
}

func (s schemas) Update(_ context.Context, obj *flowSchema, _ metav1.UpdateOptions) (*flowSchema, error) {
	return s.put(obj)
}

func (s schemas) Get(_ context.Context, name string, _ metav1.GetOptions) (*flowSchema, error) {
	return schemaCache{s}.Get(name)
}

func (s schemas) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	delete(s.objects, name)
	return nil
}

func (s schemas) List(context.Context, metav1.ListOptions) (*schemaList, error) {
	out := &schemaList{}
	for _, name := range slices.Sorted(maps.Keys(s.objects)) {
		out.Items = append(out.Items, *s.objects[name])
	}
	return out, nil
}

// schemaCache is the lister of the FlowSchemas of a cluster.
type schemaCache struct{ s schemas }

func (c schemaCache) Get(name string) (*flowSchema, error) {
	if obj, ok := c.s.objects[name]; ok {
		return obj, nil
	}
	return nil, notFound("flowschemas", name)
}

func (c schemaCache) List(labels.Selector) ([]*flowSchema, error) {
	return slices.Collect(maps.Values(c.s.objects)), nil
}

// levels is the client of the PriorityLevelConfigurations of a cluster.
type levels struct {
	levelClient
	objects map[string]*priorityLevel
}

func (l levels) put(obj *priorityLevel) (*priorityLevel, error) {
	obj = obj.DeepCopy()
	legacyscheme.Scheme.Default(obj)
	l.objects[obj.Name] = obj
	return obj, nil
}

func (l levels) Create(_ context.Context, obj *priorityLevel, _ metav1.CreateOptions) (*priorityLevel, error) {
	return l.put(obj)
}

func (l levels) Update(_ context.Context, obj *priorityLevel, _ metav1.UpdateOptions) (*priorityLevel, error) {
	return l.put(obj)
}

func (l levels) Get(_ context.Context, name string, _ metav1.GetOptions) (*priorityLevel, error) {
	return levelCache{l}.Get(name)
}

func (l levels) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	delete(l.objects, name)
	return nil
}

func (l levels) List(context.Context, metav1.ListOptions) (*levelList, error) {
	out := &levelList{}
	for _, name := range slices.Sorted(maps.Keys(l.objects)) {
		out.Items = append(out.Items, *l.objects[name])
	}
	return out, nil
}

// levelCache is the lister of the PriorityLevelConfigurations of a cluster.
type levelCache struct{ l levels }

func (c levelCache) Get(name string) (*priorityLevel, error) {
	if obj, ok := c.l.objects[name]; ok {
		return obj, nil
	}
	return nil, notFound("prioritylevelconfigurations", name)
}

func (c levelCache) List(labels.Selector) ([]*priorityLevel, error) {
	return slices.Collect(maps.Values(c.l.objects)), nil
}
