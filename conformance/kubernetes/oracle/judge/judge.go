// Package judge asks the code of kube-apiserver itself what it makes of a FlowSchema or
// a PriorityLevelConfiguration. It goes the way of a POST: the strict serializer, the
// defaults of the object's version, the conversion to the internal version, the
// registry's strategy with the validation. What is accepted then goes the way of a read
// by the server's own controller: the storage version, and the version that the
// controller's client speaks.
//
// The package holds no knowledge of its own about flow control. It compiles against every
// release of kubernetes from 1.20 on, so it uses only what all of them have.
package judge

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/flowcontrol"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install" // registers the group
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	kjson "sigs.k8s.io/json"
)

// Question is an object that a client sends, or a cluster that is to be looked after.
type Question struct {
	Object  stdjson.RawMessage   `json:"object,omitempty"`
	Cluster []stdjson.RawMessage `json:"cluster,omitempty"`
}

// Reply is the answer to a question: one of the two.
type Reply struct {
	Verdict *Verdict `json:"verdict,omitempty"`
	Ensured *Ensured `json:"ensured,omitempty"`
}

// Answer answers a question with the code of the release minor, which must be the one that
// is compiled in.
func Answer(minor int, q Question) Reply {
	if q.Object != nil {
		v := Judge(minor, q.Object)
		return Reply{Verdict: &v}
	}
	e := Ensure(q.Cluster)
	return Reply{Ensured: &e}
}

// FieldError is one error of validation.
type FieldError struct {
	Field  string `json:"field"`
	Type   string `json:"type"`
	Detail string `json:"detail"`
}

// Verdict is what the server says to an object.
type Verdict struct {
	// Unserved tells that the version is not, or no longer, served by default. The rest is
	// what the server would say if it were.
	Unserved bool `json:"unserved,omitempty"`
	// Decode is why the object cannot be read at all.
	Decode string `json:"decode,omitempty"`
	// Strict are the errors of strict decoding: `unknown field "spec.color"`.
	Strict []string `json:"strict,omitempty"`
	// Errors are those of validation, for an object that could be read.
	Errors []FieldError `json:"errors,omitempty"`
	// Object is the object as the controller of the release sees it, if it is valid.
	Object stdjson.RawMessage `json:"object,omitempty"`
}

var serializer = json.NewSerializerWithOptions(json.DefaultMetaFactory, legacyscheme.Scheme, legacyscheme.Scheme, json.SerializerOptions{})

// Judge returns the verdict of the release minor on an object. It panics if the code of
// kubernetes does what it never should, such as failing to convert a valid object.
func Judge(minor int, object []byte) Verdict {
	var v Verdict
	v.Unserved = !served(object, minor)
	obj, gvk, err := serializer.Decode(object, nil, nil)
	if err != nil {
		v.Decode = err.Error()
		return v
	}
	if v.Strict, err = unknownFields(object, *gvk); err != nil {
		v.Decode = err.Error()
		return v
	}
	legacyscheme.Scheme.Default(obj)
	internal, err := legacyscheme.Scheme.UnsafeConvertToVersion(obj, runtime.InternalGroupVersioner)
	if err != nil {
		v.Decode = err.Error()
		return v
	}
	v.Errors = create(internal, gvk.GroupVersion())
	if len(v.Errors) == 0 {
		v.Object = readBack(internal)
	}
	return v
}

// unknownFields returns the errors of strict decoding. It asks the decoder that servers
// have for it since 1.23, with the types of the release; before, kubectl compared the
// object with their schema.
func unknownFields(text []byte, gvk schema.GroupVersionKind) ([]string, error) {
	obj, err := legacyscheme.Scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	faults, err := kjson.UnmarshalStrict(text, obj)
	var list []string
	for _, f := range faults {
		list = append(list, f.Error())
	}
	return list, err
}

// lifecycle is what the types of a version say about their own life.
type lifecycle interface {
	APILifecycleRemoved() (major, minor int)
}

// served tells whether a version is served by default: the release has it, it is not an
// alpha version, and not past its end.
func served(text []byte, minor int) bool {
	gvk, err := json.DefaultMetaFactory.Interpret(text)
	if err != nil || strings.Contains(gvk.Version, "alpha") {
		return err != nil
	}
	obj, err := legacyscheme.Scheme.New(*gvk)
	if err != nil {
		return false
	}
	if l, ends := obj.(lifecycle); ends {
		_, end := l.APILifecycleRemoved()
		return minor < end
	}
	return true
}

func create(obj runtime.Object, gv schema.GroupVersion) []FieldError {
	m, err := meta.Accessor(obj)
	if err != nil {
		panic(err)
	}
	ctx := request.WithNamespace(context.Background(), metav1.NamespaceNone)
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{IsResourceRequest: true, Verb: "create", APIGroup: gv.Group, APIVersion: gv.Version, Resource: resource(obj)})
	rest.FillObjectMetaSystemFields(m)
	m.SetManagedFields(nil) // the field manager writes them anew before validation sees them
	if m.GetName() == "" && m.GetGenerateName() != "" {
		m.SetName(strategy(obj).GenerateName(m.GetGenerateName()))
	}
	return fieldErrors(rest.BeforeCreate(strategy(obj), ctx, obj))
}

func strategy(obj runtime.Object) rest.RESTCreateStrategy {
	switch obj.(type) {
	case *flowcontrol.FlowSchema:
		return flowschema.Strategy
	case *flowcontrol.PriorityLevelConfiguration:
		return prioritylevelconfiguration.Strategy
	}
	panic(fmt.Sprintf("judge: no strategy for %T", obj))
}

func resource(obj runtime.Object) string {
	if _, schema := obj.(*flowcontrol.FlowSchema); schema {
		return "flowschemas"
	}
	return "prioritylevelconfigurations"
}

func fieldErrors(err error) []FieldError {
	if err == nil {
		return nil
	}
	var status *apierrors.StatusError
	if !errors.As(err, &status) || status.ErrStatus.Details == nil {
		return []FieldError{{Detail: err.Error()}}
	}
	var list []FieldError
	for _, c := range status.ErrStatus.Details.Causes {
		list = append(list, FieldError{Field: c.Field, Type: string(c.Type), Detail: c.Message})
	}
	return list
}

// readBack stores an object and reads it as the controller does.
func readBack(obj runtime.Object) []byte {
	storage := legacyscheme.Scheme.PrioritizedVersionsForGroup(flowcontrol.GroupName)[0]
	stored, err := runtime.Encode(legacyscheme.Codecs.EncoderForVersion(serializer, storage), obj)
	if err != nil {
		panic(fmt.Sprintf("judge: encode for the storage: %v", err))
	}
	read, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(schema.GroupVersion{Group: flowcontrol.GroupName, Version: runtime.APIVersionInternal}), stored)
	if err != nil {
		panic(fmt.Sprintf("judge: decode %s: %v", stored, err))
	}
	return encode(read)
}
