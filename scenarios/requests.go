package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/traceline"
)

// The verbs of RequestInfo (pkg/endpoints/request in apiserver): for resources its own,
// for other paths the HTTP methods in lower case.
var (
	resourceVerbs = traceline.ResourceVerbs()
	pathVerbs     = traceline.PathVerbs()
)

// request makes one kind of request of a population.
func (d *decoder) request(path string, s *requestSpec) workload.Template {
	if s.Path != "" || d.has(join(path, "path")) {
		d.pathRequest(path, s)
	} else {
		d.resourceRequest(path, s)
	}
	for _, f := range []struct{ field, text string }{{"namespace", s.Namespace}, {"name", s.Name}, {"path", s.Path}} {
		d.placeholders(join(path, f.field), f.text)
	}
	t := workload.Template{
		Verb: s.Verb, APIGroup: s.APIGroup, Resource: s.Resource, Subresource: s.Subresource,
		Namespace: s.Namespace, Name: s.Name, Path: s.Path, Weight: value(s.Weight, 1),
		Options: workload.RawOptions{
			Limit: value(s.Limit, 0), ResourceVersion: value(s.ResourceVersion, ""),
			ResourceVersionMatch: string(s.ResourceVersionMatch), Continue: s.Continue,
			FieldSelector: s.FieldSelector, LabelSelector: s.LabelSelector, SendInitialEvents: s.SendInitialEvents,
		},
	}
	t.Calls = d.calls(path, s.Calls)
	d.inRange(join(path, "limit"), t.Options.Limit, 0, 1<<53)
	if s.Timeout != nil {
		t.Timeout = time.Duration(*s.Timeout)
		if t.Timeout == 0 {
			d.refuse(join(path, "timeout"), fault{code: CodeOutOfRange, message: join(path, "timeout") + " is 0",
				legal: "a duration above 0", hint: "leave it out for the server's own timeout"})
		}
	}
	if s.Duration != nil {
		dist := d.distribution(join(path, "duration"), s.Duration)
		t.Duration = &dist
	}
	return t
}

// ofLists are the fields that a LIST or WATCH has alone, and notOfPaths those that no request for a
// path has.
var (
	ofLists    = []string{"limit", "resourceVersionMatch", "continue", "fieldSelector", "labelSelector"}
	notOfPaths = append([]string{"apiGroup", "resource", "subresource", "namespace", "name", "resourceVersion", "sendInitialEvents"}, ofLists...)
)

func (d *decoder) resourceRequest(path string, s *requestSpec) {
	if d.require(path, "verb", strings.Join(resourceVerbs, ", ")) {
		d.legalVerb(path, s.Verb, resourceVerbs)
	}
	if d.require(path, "resource", "a resource in the plural, such as pods; or a path instead") {
		d.resourceName(join(path, "resource"), s.Resource)
	}
	d.groupName(join(path, "apiGroup"), s.APIGroup)
	lists := s.Verb == "list" || s.Verb == "watch" || s.Verb == "deletecollection"
	if slices.Contains(resourceVerbs, s.Verb) && !lists {
		why := "for the verb " + s.Verb + ": it is an option of list and watch"
		d.excluded(path, why, ofLists...)
		if s.Verb != "get" {
			d.excluded(path, why, "resourceVersion")
		}
	}
	if slices.Contains(resourceVerbs, s.Verb) && s.Verb != "watch" {
		d.excluded(path, "for the verb "+s.Verb+": it is an option of watch", "sendInitialEvents")
	}
}

func (d *decoder) pathRequest(path string, s *requestSpec) {
	if d.require(path, "verb", strings.Join(pathVerbs, ", ")) {
		d.legalVerb(path, s.Verb, pathVerbs)
	}
	d.excluded(path, "beside path: a request is for a resource or for a path", notOfPaths...)
	if !strings.HasPrefix(s.Path, "/") || strings.ContainsAny(s.Path, "? \t\n") {
		d.refuse(join(path, "path"), fault{code: CodeNotLegal, message: fmt.Sprintf("%s is no path: %q", join(path, "path"), shorten(s.Path)),
			legal: "an absolute path without a query, such as /healthz"})
	}
}

func (d *decoder) legalVerb(path, verb string, legal []string) {
	if slices.Contains(legal, verb) {
		return
	}
	d.refuse(join(path, "verb"), fault{code: CodeNotLegal, message: fmt.Sprintf("%s cannot be %q", join(path, "verb"), shorten(verb)),
		legal: strings.Join(legal, ", "), hint: didYouMean(verb, legal)})
}

// resourceName checks the resource of a request: requests name the group and the
// subresource in fields of their own.
func (d *decoder) resourceName(path, resource string) {
	f := fault{code: CodeNotLegal, message: fmt.Sprintf("%s is no resource: %q", path, shorten(resource)), legal: "a resource in the plural and in lower case, such as pods"}
	switch base, rest, ok := strings.Cut(resource, "/"); {
	case ok && base != "" && rest != "":
		f.hint = fmt.Sprintf("write resource: %s, subresource: %s", base, rest)
	case strings.Contains(resource, "."):
		base, group, _ := strings.Cut(resource, ".")
		f.hint = fmt.Sprintf("write resource: %s, apiGroup: %s", base, group)
	case !plainName(resource):
		if lower := strings.ToLower(resource); plainName(lower) {
			f.hint = fmt.Sprintf("did you mean %q?", lower)
		}
	default:
		return
	}
	d.refuse(path, f)
}

// groupName checks an API group: "" is the core group.
func (d *decoder) groupName(path, group string) {
	f := fault{code: CodeNotLegal, message: fmt.Sprintf("%s is no API group: %q", path, shorten(group)), legal: `a group such as apps or coordination.k8s.io; "" or nothing for the core group`}
	switch base, _, ok := strings.Cut(group, "/"); {
	case ok:
		f.hint = fmt.Sprintf("a group has no version: write %s", base)
	case group == "core" || group == "v1":
		f.hint = "leave it out for the core group"
	case group == "" || plainName(strings.ReplaceAll(group, ".", "")):
		return
	}
	d.refuse(path, f)
}

// plainName tells whether a text consists of lower-case letters, digits and hyphens.
func plainName(text string) bool {
	for _, r := range text {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return text != ""
}
