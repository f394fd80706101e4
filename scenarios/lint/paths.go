package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
)

// Non-resource rules: which verbs and paths such requests have.

// pathVerbs are the verbs of validation that a request for a path can have: HTTP methods
// in lower case.
var pathVerbs = []string{wildcard, "get", "patch", "delete"}

// checkPathRule looks at a non-resource rule of a schema.
func (c *checker) checkPathRule(s *schema, path string, r *scheduler.NonResourceRule) {
	var strange []string
	first := -1
	for i, v := range r.Verbs {
		if !slices.Contains(pathVerbs, v) {
			strange = append(strange, v)
			if first < 0 {
				first = i
			}
		}
	}
	if first >= 0 {
		a := advice{code: "APF010", less: len(strange) < len(r.Verbs),
			message: fmt.Sprintf("no request for a path has the verb %s: its verb is the HTTP method, get, post, put and so on", quotedOr(strange)),
			hint:    `POST and PUT can be matched by "*" alone`}
		c.say(s.Source, fmt.Sprintf("%s.verbs[%d]", path, first), a)
	}
	for i, url := range r.URLs {
		c.checkURL(s, fmt.Sprintf("%s.nonResourceURLs[%d]", path, i), url, r.URLs)
	}
}

// quotedOr writes a list as "a" or "b".
func quotedOr(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	if len(words) == 1 {
		return quoted[0]
	}
	return strings.Join(quoted[:len(words)-1], ", ") + " or " + quoted[len(words)-1]
}

// checkURL looks at one of the URLs of a rule.
func (c *checker) checkURL(s *schema, path, url string, all []string) {
	base, below := strings.CutSuffix(strings.TrimSuffix(url, wildcard), "/")
	// Both a path and all below it are listed as roles have to have it: that does what it
	// says.
	before := slices.IndexFunc(all, func(u string) bool {
		return u != url && u != base && u != wildcard && holdsPath(u, url) && !holdsPath(url, u)
	})
	switch {
	case url == wildcard:
	case url == "/":
		c.say(s.Source, path, advice{code: "APF016",
			message: "/ matches every path, not the root alone",
			hint:    `write "*" if that is meant; the root alone cannot be matched`})
	case strings.ContainsAny(url, "?#"):
		c.say(s.Source, path, advice{code: "APF015",
			message: fmt.Sprintf("no request has the path %q: what follows the ? of a URL is no part of it", url),
			hint:    fmt.Sprintf("write %q", url[:strings.IndexAny(url, "?#")])})
	case resourcePath(base):
		c.say(s.Source, path, advice{code: "APF015",
			message: fmt.Sprintf("requests for %s are resource requests, which non-resource rules do not match", url),
			hint:    "use resourceRules"})
	case before >= 0:
		c.say(s.Source, path, advice{code: "APF016",
			message: fmt.Sprintf("%s is matched by %s already: a path matches everything below it too", url, all[before]),
			hint:    "remove it, or the other one if only this is meant"})
	case below && base != "" && !slices.ContainsFunc(all, func(u string) bool { return matchesPath(u, base) }):
		c.say(s.Source, path, advice{code: "APF016",
			message: fmt.Sprintf("%s matches what is below %s, and not %s itself", url, base, base),
			hint:    fmt.Sprintf("write %s, which matches both", base)})
	}
}

// resourcePath tells whether a request for a path is a resource request: below
// /api/VERSION or /apis/GROUP/VERSION (RequestInfoFactory in apiserver).
func resourcePath(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch parts[0] {
	case "api":
		return len(parts) > 2
	case "apis":
		return len(parts) > 3
	}
	return false
}
