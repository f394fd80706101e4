package kubectl

import (
	"fmt"
	"slices"
	"strings"
)

// object is an object, or with an empty name all objects of a resource.
type object struct {
	Resource
	name, namespace string
	// guessed tells that the scope of the resource is a guess.
	guessed bool
}

// path is that of the object.
func (o *object) path() string {
	p := o.collection(o.namespace)
	if o.name != "" {
		p += "/" + o.name
	}
	return p
}

// objects reads what a command line is about: TYPE, TYPE NAME..., TYPE/NAME..., types
// joined by commas, or the objects of files (cli-runtime's resource.Builder).
func (s *sentence) objects() ([]object, error) {
	if files := s.strings("filename"); len(files) > 0 {
		if len(s.args) > 0 {
			return nil, faultf("", "kubectl %s takes files or resources, not both", s.verb)
		}
		return s.fromFiles(files)
	}
	if len(s.args) == 0 {
		return nil, faultf("as in kubectl "+s.verb+" pods", "kubectl %s: no resource is named", s.verb)
	}
	if strings.Contains(s.args[0], "/") {
		return s.slashed(s.args)
	}
	var out []object
	for _, word := range strings.Split(s.args[0], ",") {
		words := []string{word}
		if word == "all" {
			words = all
		}
		for _, w := range words {
			r, known, err := Find(w)
			if err != nil {
				return nil, err
			}
			names := s.args[1:]
			if len(names) == 0 {
				names = []string{""}
			}
			for _, name := range names {
				out = append(out, s.object(r, known, name))
			}
		}
	}
	return out, nil
}

// slashed reads arguments of the form TYPE/NAME.
func (s *sentence) slashed(args []string) ([]object, error) {
	var out []object
	for _, arg := range args {
		word, name, ok := strings.Cut(arg, "/")
		if !ok || name == "" || strings.Contains(name, "/") {
			return nil, faultf("as in deployment/web", "%s is not TYPE/NAME, as the arguments before it", quote(arg))
		}
		r, known, err := Find(word)
		if err != nil {
			return nil, err
		}
		out = append(out, s.object(r, known, name))
	}
	return out, nil
}

// object places an object in the namespace that the command line is about.
func (s *sentence) object(r Resource, known bool, name string) object {
	o := object{Resource: r, name: name, guessed: !known}
	if !r.Cluster {
		o.namespace = s.namespace()
	}
	return o
}

// single reads the one object that a verb is about; a bare word is a name of the default
// type, if there is one. More words may follow.
func (s *sentence) single(defaultType string) (object, error) {
	if len(s.args) == 0 {
		return object{}, faultf("", "kubectl %s: no object is named", s.verb)
	}
	args := s.args
	if !strings.Contains(args[0], "/") && defaultType != "" {
		args = []string{defaultType + "/" + args[0]}
	}
	if strings.Contains(args[0], "/") {
		list, err := s.slashed(args[:1])
		if err != nil {
			return object{}, err
		}
		return list[0], nil
	}
	list, err := s.objects()
	if err != nil {
		return object{}, err
	}
	return list[0], nil
}

// named returns the objects of a command line that has to name each.
func (s *sentence) named() ([]object, error) {
	list, err := s.objects()
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(list, func(o object) bool { return o.name == "" }); i >= 0 {
		return nil, faultf(fmt.Sprintf("as in kubectl %s %s NAME", s.verb, list[i].Name), "kubectl %s: no name of %s is given", s.verb, list[i].Name)
	}
	return list, nil
}

// guess notes that the scope of a custom resource is not known.
func (s *sentence) guess(o *object) {
	if o.guessed {
		s.note(o.Name + " is taken for a custom resource with objects in namespaces")
	}
}

// cutPod splits a place of kubectl cp in a pod: NAMESPACE/POD:PATH or POD:PATH.
func cutPod(arg string) (namespace, pod string, ok bool) {
	place, _, ok := strings.Cut(arg, ":")
	if !ok || place == "" {
		return "", "", false
	}
	if namespace, pod, both := strings.Cut(place, "/"); both {
		return namespace, pod, pod != ""
	}
	return "", place, true
}
