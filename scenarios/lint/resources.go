package lint

import (
	_ "embed" // for the table of resources
	"fmt"
	"slices"
	"strings"
	"sync"
)

// resource is one of the resources that every API server has.
type resource struct {
	group, name string
	namespaced  bool
	// kind is that of its objects, short are kubectl's abbreviations.
	kind  string
	short []string
	// verbs are those that are served.
	verbs        []string
	subresources []subresource
}

// subresource is what a request can name after the name of an object.
type subresource struct {
	name  string
	verbs []string
}

// sub finds a subresource.
func (r resource) sub(name string) (subresource, bool) {
	i := slices.IndexFunc(r.subresources, func(s subresource) bool { return s.name == name })
	if i < 0 {
		return subresource{}, false
	}
	return r.subresources[i], true
}

//go:embed resources.txt
var resourceTable string

// resources lists the resources of all releases, by group and name.
var resources = sync.OnceValue(func() []resource {
	var out []resource
	for _, line := range strings.Split(strings.TrimSuffix(resourceTable, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		w := strings.Fields(line)
		if len(w) != 7 {
			panic(fmt.Sprintf("lint: the line %q of the table of resources has %d words", line, len(w)))
		}
		r := resource{group: w[0], name: w[1], namespaced: w[2] == "namespace", kind: w[3], short: listed(w[4]), verbs: verbs(w[5])}
		if r.group == "-" {
			r.group = ""
		}
		for _, word := range listed(w[6]) {
			name, served, _ := strings.Cut(word, ":")
			r.subresources = append(r.subresources, subresource{name, verbs(served)})
		}
		out = append(out, r)
	}
	return out
})

// listed reads a list of the table.
func listed(word string) []string {
	if word == "-" {
		return nil
	}
	return strings.Split(word, ",")
}

// verbs reads the verbs of the table.
func verbs(word string) []string {
	if word == wildcard {
		return slices.Concat(collective, single)
	}
	return strings.Split(word, "+")
}

// knownGroup tells whether a group is one of the API server's own, so that it holds no
// other resources than those of the table.
func knownGroup(group string) bool {
	return slices.ContainsFunc(resources(), func(r resource) bool { return r.group == group })
}

// knownGroups lists the groups of the table.
func knownGroups() []string {
	var out []string
	for _, r := range resources() {
		out = append(out, r.group)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// named lists the resources with a name, those in the given groups if there are any.
func named(name string, groups []string) []resource {
	var all, within []resource
	for _, r := range resources() {
		if r.name != name {
			continue
		}
		all = append(all, r)
		if slices.Contains(groups, r.group) {
			within = append(within, r)
		}
	}
	if len(within) > 0 {
		return within
	}
	return all
}

// meant finds the resource that somebody names by its kind, its singular or its short
// name.
func meant(word string) (resource, bool) {
	for _, r := range resources() {
		if strings.EqualFold(word, r.kind) || strings.EqualFold(word, r.name) || slices.Contains(r.short, strings.ToLower(word)) {
			return r, true
		}
	}
	return resource{}, false
}
