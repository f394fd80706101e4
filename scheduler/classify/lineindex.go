package classify

import "strings"

// lineIndex finds the lines of rules, which are ResourceRules and NonResourceRules,
// that accept a target: one set of lines for each word of the target, and their
// intersection.
type lineIndex struct {
	// owner is the rule of each line; nil where line i belongs to rule i.
	owner []int32

	verbs, groups, resources, namespaces dimension
	// cluster holds the lines that accept requests without a namespace.
	cluster posting

	pathVerbs dimension
	paths     pathIndex
}

// dimension finds the lines in which a list of one kind, such as the verbs, has a word.
type dimension struct {
	// any holds the lines whose list is the wildcard alone.
	any  posting
	word map[string]posting
}

// set makes a set of the lines whose list has the word.
func (d *dimension) set(lines []uint64, word string) {
	clear(lines)
	d.any.addTo(lines)
	d.word[word].addTo(lines)
}

// find intersects the sets of lines for each word of the target, those that are likely
// to be small first: it is done when nothing is left. The order makes no difference to
// what is found, which is what matchesResource and matchesNonResource accept.
//
// It makes found the set of the lines that accept the target and returns false if
// it is empty; found then need not be. wanted is scratch memory, no shorter than found.
func (x *lineIndex) find(found, wanted []uint64, t *Target) bool {
	wanted = wanted[:len(found)]
	if t.Path != "" {
		x.pathVerbs.set(found, t.Verb)
		x.paths.set(wanted, t.Path)
		return intersect(found, wanted)
	}
	if t.Namespace == "" {
		clear(found)
		x.cluster.addTo(found)
	} else {
		x.namespaces.set(found, t.Namespace)
	}
	x.resources.set(wanted, t.resource())
	if !intersect(found, wanted) {
		return false
	}
	x.verbs.set(wanted, t.Verb)
	if !intersect(found, wanted) {
		return false
	}
	x.groups.set(wanted, t.APIGroup)
	return intersect(found, wanted)
}

// pathIndex finds the lines of which a URL accepts a path.
type pathIndex struct {
	any posting
	// exact finds lines by a URL, below by the beginning of the paths under one, which
	// ends with a slash.
	exact, below map[string]posting
}

// set makes a set of the lines that accept the path. A URL of a rule accepts what lies
// below it, so each beginning of the path that ends with a slash is looked up: as many
// look-ups as the path has parts, however many URLs there are.
func (x *pathIndex) set(lines []uint64, path string) {
	clear(lines)
	x.any.addTo(lines)
	x.exact[path].addTo(lines)
	for i := range len(path) {
		if path[i] == '/' {
			x.below[path[:i+1]].addTo(lines)
		}
	}
}

// linePostings gathers what a lineIndex will hold.
type linePostings struct {
	owner                                []int32
	verbs, groups, resources, namespaces dimensionPostings
	cluster                              []int32
	pathVerbs                            dimensionPostings
	anyPath                              []int32
	exact, below                         map[string][]int32
}

// dimensionPostings gathers what a dimension will hold.
type dimensionPostings struct {
	any  []int32
	word map[string][]int32
}

func newLinePostings() *linePostings {
	p := &linePostings{exact: map[string][]int32{}, below: map[string][]int32{}}
	for _, d := range []*dimensionPostings{&p.verbs, &p.groups, &p.resources, &p.namespaces, &p.pathVerbs} {
		d.word = map[string][]int32{}
	}
	return p
}

// next begins a line of rule r and returns its number.
func (p *linePostings) next(r int32) int32 {
	p.owner = append(p.owner, r)
	return int32(len(p.owner) - 1)
}

// add enters a list of a line as listed reads it.
func (d *dimensionPostings) add(line int32, list []string) {
	if len(list) == 1 && list[0] == wildcard {
		d.any = append(d.any, line)
		return
	}
	for _, word := range list {
		d.word[word] = append(d.word[word], line)
	}
}

// addResource enters a line for resources. The namespaces of a line concern requests
// in a namespace alone, and clusterScope those in none, so no request asks both.
func (p *linePostings) addResource(line int32, r *ResourceRule) {
	p.verbs.add(line, r.Verbs)
	p.groups.add(line, r.APIGroups)
	p.resources.add(line, r.Resources)
	p.namespaces.add(line, r.Namespaces)
	if r.ClusterScope {
		p.cluster = append(p.cluster, line)
	}
}

// addPath enters a line for other paths as matchesPath reads its URLs.
func (p *linePostings) addPath(line int32, r *NonResourceRule) {
	p.pathVerbs.add(line, r.Verbs)
	for _, url := range r.URLs {
		if url == wildcard {
			p.anyPath = append(p.anyPath, line)
			continue
		}
		p.exact[url] = append(p.exact[url], line)
		prefix := pathPrefix(url)
		p.below[prefix] = append(p.below[prefix], line)
	}
}

// pathPrefix returns the beginning of all paths below a URL of a rule.
func pathPrefix(url string) string {
	prefix := strings.TrimSuffix(url, wildcard)
	if !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	return prefix
}

func (d *dimensionPostings) index(words int) dimension {
	return dimension{any: newPosting(d.any, words), word: newPostings(d.word, words)}
}

func (p *linePostings) index(words int) lineIndex {
	return lineIndex{
		owner: p.owner,
		verbs: p.verbs.index(words), groups: p.groups.index(words),
		resources: p.resources.index(words), namespaces: p.namespaces.index(words),
		cluster:   newPosting(p.cluster, words),
		pathVerbs: p.pathVerbs.index(words),
		paths: pathIndex{
			any:   newPosting(p.anyPath, words),
			exact: newPostings(p.exact, words), below: newPostings(p.below, words),
		},
	}
}
