package explain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// ObjectRef names an object of any kind that a manifest holds.
type ObjectRef struct {
	Group, Kind, Namespace, Name string
}

// manifestItem is what is read of an object, or of a list of them.
type manifestItem struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Items             []manifestItem `json:"items"`
}

// ManifestObjects reads which objects a manifest holds, in their order: YAML or JSON, one
// document or several, lists of objects among them. The error says what is not one.
func ManifestObjects(text []byte) ([]ObjectRef, error) {
	d := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	var out []ObjectRef
	for {
		var item *manifestItem
		err := d.Decode(&item)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("not a manifest: %s", firstLine(err))
		}
		if item == nil {
			continue // an empty document
		}
		if out, err = item.objects(out); err != nil {
			return nil, err
		}
	}
}

// firstLine is what the YAML reader has to say without its context.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// objects appends the object, or those of the list.
func (m *manifestItem) objects(out []ObjectRef) ([]ObjectRef, error) {
	if m.Items != nil {
		for i := range m.Items {
			var err error
			if out, err = m.Items[i].objects(out); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	if m.Kind == "" || m.APIVersion == "" {
		return nil, errors.New("not a manifest: an object has no apiVersion or no kind")
	}
	gv, err := schema.ParseGroupVersion(m.APIVersion)
	if err != nil {
		return nil, fmt.Errorf("not a manifest: %s", firstLine(err))
	}
	return append(out, ObjectRef{Group: gv.Group, Kind: m.Kind, Namespace: m.Namespace, Name: m.Name}), nil
}

// GuessPlural guesses the resource of a kind, by the rules for English words that the
// makers of custom resources go by.
func GuessPlural(kind string) string {
	word := strings.ToLower(kind)
	stem, y := strings.CutSuffix(word, "y")
	switch {
	case y && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		return stem + "ies"
	case strings.HasSuffix(word, "s"), strings.HasSuffix(word, "x"), strings.HasSuffix(word, "ch"), strings.HasSuffix(word, "sh"):
		return word + "es"
	}
	return word + "s"
}
