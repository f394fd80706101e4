package fullrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing/synctest"
	"time"

	flowcontrol "k8s.io/api/flowcontrol/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	api "k8s.io/client-go/kubernetes/typed/flowcontrol/v1"
	"sigs.k8s.io/yaml"
)

// Change is a change of the API objects during a run: those that are written, in their
// order, and then those that are deleted. Each of them is *flowcontrol.FlowSchema or
// *flowcontrol.PriorityLevelConfiguration; of one that is deleted the name counts alone.
type Change struct {
	At            time.Duration
	Write, Delete []metav1.Object
}

// fileChange is a change as a scenario file has it.
type fileChange struct {
	At        string   `json:"at"`
	Manifests []string `json:"manifests,omitempty"`
	Delete    []string `json:"delete,omitempty"`
}

const schemaKind, levelKind = "FlowSchema", "PriorityLevelConfiguration"

// addChanges reads the changes of a scenario file.
func (sc *Scenario) addChanges(changes []fileChange, folder string) error {
	for _, c := range changes {
		at, err := time.ParseDuration(c.At)
		if err != nil {
			return fmt.Errorf("changes: %w", err)
		}
		change := Change{At: at}
		for _, name := range c.Manifests {
			objects, err := readManifests(filepath.Join(folder, name))
			if err != nil {
				return err
			}
			change.Write = append(change.Write, objects...)
		}
		for _, entry := range c.Delete {
			kind, name, _ := strings.Cut(entry, "/")
			meta := metav1.ObjectMeta{Name: name}
			switch kind {
			case schemaKind:
				change.Delete = append(change.Delete, &flowcontrol.FlowSchema{ObjectMeta: meta})
			case levelKind:
				change.Delete = append(change.Delete, &flowcontrol.PriorityLevelConfiguration{ObjectMeta: meta})
			default:
				return fmt.Errorf("changes: cannot delete %q", entry)
			}
		}
		sc.Changes = append(sc.Changes, change)
	}
	return nil
}

// readManifests reads the objects of a multi-document file.
func readManifests(name string) ([]metav1.Object, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var objects []metav1.Object
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		o, err := readManifest([]byte(document))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		objects = append(objects, o)
	}
	return objects, nil
}

// writeChanges writes the manifests of the changes into a folder and returns the changes
// as a scenario file has them.
func (sc *Scenario) writeChanges(folder string) ([]fileChange, error) {
	var out []fileChange
	for i, c := range sc.Changes {
		entry := fileChange{At: c.At.String()}
		if len(c.Write) > 0 {
			name := fmt.Sprintf("change-%d.yaml", i)
			text, err := manifestText(c.Write)
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				return nil, err
			}
			entry.Manifests = []string{name}
		}
		for _, o := range c.Delete {
			kind := levelKind
			if _, schema := o.(*flowcontrol.FlowSchema); schema {
				kind = schemaKind
			}
			entry.Delete = append(entry.Delete, kind+"/"+o.GetName())
		}
		out = append(out, entry)
	}
	return out, nil
}

// manifestText returns objects as one multi-document text.
func manifestText(objects []metav1.Object) (string, error) {
	var documents []string
	for _, o := range objects {
		var typed any
		switch o := o.(type) {
		case *flowcontrol.FlowSchema:
			c := o.DeepCopy()
			c.APIVersion, c.Kind = flowcontrol.SchemeGroupVersion.String(), schemaKind
			typed = c
		case *flowcontrol.PriorityLevelConfiguration:
			c := o.DeepCopy()
			c.APIVersion, c.Kind = flowcontrol.SchemeGroupVersion.String(), levelKind
			typed = c
		}
		text, err := yaml.Marshal(typed)
		if err != nil {
			return "", err
		}
		documents = append(documents, string(text))
	}
	return strings.Join(documents, "---\n"), nil
}

// carryOut makes the changes at their times, until done. It writes object by object, and
// goes on when nothing in the bubble can do anything more at that instant: the controller
// has been told, has digested its configuration, has written conditions, and has digested
// it again. So the number of digestions is not left to Go's scheduler.
func (p *replayer) carryOut(changes []Change, done <-chan struct{}) {
	flowControl := p.server.client.FlowcontrolV1()
	for _, c := range changes {
		select {
		case <-done:
			return
		case <-time.After(c.At - p.now()):
		}
		for _, o := range c.Write {
			if err := write(flowControl, o); err != nil {
				panic(err)
			}
			synctest.Wait()
		}
		for _, o := range c.Delete {
			if err := remove(flowControl, o); err != nil {
				panic(err)
			}
			synctest.Wait()
		}
	}
}

// write creates or updates an object, as the API server does it: an update leaves the
// status as it is.
func write(c api.FlowcontrolV1Interface, o metav1.Object) error {
	ctx := context.Background()
	switch o := o.(type) {
	case *flowcontrol.FlowSchema:
		o = o.DeepCopy()
		o.UID = types.UID(o.Name)
		old, err := c.FlowSchemas().Get(ctx, o.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			_, err = c.FlowSchemas().Create(ctx, o, metav1.CreateOptions{})
			return err
		}
		if err == nil {
			o.Status = old.Status
			_, err = c.FlowSchemas().Update(ctx, o, metav1.UpdateOptions{})
		}
		return err
	case *flowcontrol.PriorityLevelConfiguration:
		o = o.DeepCopy()
		o.UID = types.UID(o.Name)
		_, err := c.PriorityLevelConfigurations().Update(ctx, o, metav1.UpdateOptions{})
		if apierrors.IsNotFound(err) {
			_, err = c.PriorityLevelConfigurations().Create(ctx, o, metav1.CreateOptions{})
		}
		return err
	}
	panic(fmt.Sprintf("%T is no object of flow control", o))
}

func remove(c api.FlowcontrolV1Interface, o metav1.Object) error {
	if _, schema := o.(*flowcontrol.FlowSchema); schema {
		return c.FlowSchemas().Delete(context.Background(), o.GetName(), metav1.DeleteOptions{})
	}
	return c.PriorityLevelConfigurations().Delete(context.Background(), o.GetName(), metav1.DeleteOptions{})
}
