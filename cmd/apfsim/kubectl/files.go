package kubectl

import (
	"github.com/apfsim/apfsim/scenarios/explain"
)

// fromFiles reads the objects of the files of -f.
func (s *sentence) fromFiles(files []string) ([]object, error) {
	var out []object
	for _, name := range files {
		text, err := s.read(name)
		if err != nil {
			return nil, err
		}
		refs, err := explain.ManifestObjects(text)
		if err != nil {
			return nil, faultf("", "%s: %s", name, err)
		}
		for _, ref := range refs {
			out = append(out, s.fromManifest(ref))
		}
	}
	if len(out) == 0 {
		return nil, faultf("", "the files of kubectl %s hold no object", s.verb)
	}
	return out, nil
}

// fromManifest makes the object of a manifest. The plural of a kind that is not known is
// guessed as the API's own tools do, by the rules for English words.
func (s *sentence) fromManifest(ref explain.ObjectRef) object {
	r, known := OfKind(ref.Group, ref.Kind)
	if !known {
		r = Resource{Name: explain.GuessPlural(ref.Kind), Kind: ref.Kind, Group: ref.Group}
	}
	o := s.object(r, known, ref.Name)
	if ref.Namespace != "" && !r.Cluster {
		o.namespace = ref.Namespace
	}
	return o
}
