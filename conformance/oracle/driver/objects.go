package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

const group = "flowcontrol.apiserver.k8s.io"

// resources are the names of the kinds in URLs.
var resources = map[string]string{
	"FlowSchema": "flowschemas", "PriorityLevelConfiguration": "prioritylevelconfigurations",
}

// objects are the API objects of a case, behind a fake clientset.
type objects struct {
	release *Release
	client  *fake.Clientset
}

// newObjects returns a fake clientset with the case's objects.
func newObjects(release *Release, c *Case) (*objects, error) {
	var all []runtime.Object
	for _, text := range c.FlowControl {
		o, _, err := decode(release, text)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	o := &objects{release, fake.NewSimpleClientset(all...)}
	o.client.PrependReactor("patch", "flowschemas", o.patch)
	return o, nil
}

// resync is the informers' period of resynchronisation. Zero means never, but client-go
// before 0.37 then waits on a channel that was made outside the bubble.
const resync = 24 * time.Hour

// informers returns new informers on the objects.
func (o *objects) informers() informers.SharedInformerFactory {
	return informers.NewSharedInformerFactory(o.client, resync)
}

// patch does what the controller patches for: it replaces the conditions in the status
// of a FlowSchema. The fake clientsets of many releases cannot apply a patch.
func (o *objects) patch(action clienttesting.Action) (bool, runtime.Object, error) {
	p := action.(clienttesting.PatchAction)
	old, err := o.client.Tracker().Get(action.GetResource(), "", p.GetName())
	if err != nil {
		return true, nil, err
	}
	patched := old.DeepCopyObject()
	if err := json.Unmarshal(p.GetPatch(), patched); err != nil {
		return true, nil, err
	}
	return true, patched, o.client.Tracker().Update(action.GetResource(), patched, "")
}

// write creates or updates an object as the API server does it: an update leaves the
// status as it is.
func (o *objects) write(text json.RawMessage) error {
	written, resource, err := decode(o.release, text)
	if err != nil {
		return err
	}
	accessor, err := meta.Accessor(written)
	if err != nil {
		return err
	}
	old, err := o.client.Tracker().Get(resource, "", accessor.GetName())
	if apierrors.IsNotFound(err) {
		return o.client.Tracker().Create(resource, written, "")
	}
	if err != nil {
		return err
	}
	status := func(o runtime.Object) reflect.Value { return reflect.ValueOf(o).Elem().FieldByName("Status") }
	status(written).Set(status(old))
	return o.client.Tracker().Update(resource, written, "")
}

// remove deletes an object, given as "Kind/name", of the version of an API.
func (o *objects) remove(version, what string) error {
	kind, name, _ := strings.Cut(what, "/")
	return o.client.Tracker().Delete(resourceOf(version, kind), "", name)
}

// resourceOf returns the resource that holds a kind.
func resourceOf(apiVersion, kind string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: strings.TrimPrefix(apiVersion, group+"/"), Resource: resources[kind]}
}

// decode reads an object in the version that the release's controller reads. A field
// that the release does not know is an error. The filter tells uids in its response
// headers, so the uid becomes the name.
func decode(release *Release, text json.RawMessage) (runtime.Object, schema.GroupVersionResource, error) {
	var kind struct{ APIVersion, Kind string }
	var resource schema.GroupVersionResource
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, resource, err
	}
	o := release.Empty(kind.Kind)
	if o == nil {
		return nil, resource, fmt.Errorf("kind %q is neither FlowSchema nor PriorityLevelConfiguration", kind.Kind)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(o); err != nil {
		return nil, resource, fmt.Errorf("%s: %w", kind.Kind, err)
	}
	accessor, err := meta.Accessor(o)
	if err != nil {
		return nil, resource, err
	}
	accessor.SetUID(types.UID(accessor.GetName()))
	return o, resourceOf(kind.APIVersion, kind.Kind), nil
}

// Copies returns copies of objects of one kind that say what they are.
func Copies[T runtime.Object](version, kind string, lists ...[]T) []runtime.Object {
	var all []runtime.Object
	for _, list := range lists {
		for _, o := range list {
			c := o.DeepCopyObject()
			c.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{
				Group: group, Version: version, Kind: kind,
			})
			all = append(all, c)
		}
	}
	return all
}
