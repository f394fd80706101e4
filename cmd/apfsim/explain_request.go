package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/apfsim/apfsim/cmd/apfsim/kubectl"
	"github.com/apfsim/apfsim/scenarios/explain"
	"github.com/apfsim/apfsim/workload/traceline"
)

// requestFlags describe a request.
type requestFlags struct {
	explain.Request
	exactGroups   bool
	allNamespaces bool
}

// The names of the flags that say who asks, which go with a kubectl command line too.
var whoFlags = []string{"user", "group", "exact-groups"}

// whatFlags are those that say what is asked for.
var whatFlags = []string{
	"verb", "api-group", "resource", "subresource", "namespace", "all-namespaces", "name", "path", "limit", "resource-version",
	"resource-version-match", "continue", "field-selector", "label-selector", "send-initial-events", "timeout",
}

// register adds the flags to a command.
func (r *requestFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&r.User, "user", "", "the `user` who asks")
	flags.StringArrayVar(&r.Groups, "group", nil, "a `group` of the user; may repeat")
	flags.BoolVar(&r.exactGroups, "exact-groups", false, "add no group that follows from the user's name")
	flags.StringVar(&r.Verb, "verb", "", "the `verb` of the API, or for a path the method of HTTP in lower case")
	flags.StringVar(&r.Resource, "resource", "", "the `resource`: pods, deployments.apps, or a short name")
	flags.StringVar(&r.APIGroup, "api-group", "", "the API `group` of the resource")
	flags.StringVar(&r.Subresource, "subresource", "", "the `subresource`, such as status")
	flags.StringVarP(&r.Namespace, "namespace", "n", "", "the `namespace`")
	flags.BoolVarP(&r.allNamespaces, "all-namespaces", "A", false, "in no namespace: of all namespaces")
	flags.StringVar(&r.Name, "name", "", "the `name` of the object")
	flags.StringVar(&r.Path, "path", "", "a `path` that is not for a resource, such as /healthz")
	flags.Int64Var(&r.Limit, "limit", 0, "option of a list: the `number` of objects asked for")
	flags.StringVar(&r.ResourceVersion, "resource-version", "", "option of a list or watch: a `version`")
	flags.StringVar(&r.ResourceVersionMatch, "resource-version-match", "", "option of a list: Exact or NotOlderThan, a `word`")
	flags.StringVar(&r.Continue, "continue", "", "option of a list: a continue `token`")
	flags.StringVar(&r.FieldSelector, "field-selector", "", "option of a list or watch: a `selector`")
	flags.StringVarP(&r.LabelSelector, "label-selector", "l", "", "option of a list or watch: a `selector`")
	flags.BoolVar(&r.SendInitialEvents, "send-initial-events", false, "option of a watch")
	flags.DurationVar(&r.Timeout, "timeout", 0, "the deadline that the client asks for, a `duration`")
}

// request checks the flags and fills in what they leave open.
func (r *requestFlags) request(flags *pflag.FlagSet) (explain.Request, error) {
	out := r.Request
	if out.Resource == "" && out.Path == "" {
		return out, usagef("as in --verb list --resource pods, or kubectl get pods; see apfsim explain --help", "nothing to explain: neither a resource nor a path is given")
	}
	if err := r.whatIsAsked(&out, flags); err != nil {
		return out, err
	}
	if out.Timeout < 0 {
		return out, usagef("", "--timeout %s: 0 or more is needed", out.Timeout)
	}
	r.who(&out)
	return out, nil
}

// whatIsAsked checks verb, resource and path.
func (r *requestFlags) whatIsAsked(out *explain.Request, flags *pflag.FlagSet) error {
	legal := traceline.ResourceVerbs()
	if out.Path != "" {
		legal = traceline.PathVerbs()
	}
	switch {
	case out.Path != "" && out.Resource != "":
		return usagef("a request is for one of the two", "both --path and --resource are given")
	case out.Path != "" && !strings.HasPrefix(out.Path, "/"):
		return usagef("as in --path /healthz", "--path %s does not begin with a slash", out.Path)
	case out.Verb == "":
		return usagef("legal are "+strings.Join(legal, ", "), "--verb is missing")
	case !slices.Contains(legal, out.Verb):
		return usagef(didYouMean(out.Verb, legal), "--verb %s: no such verb of a %s", out.Verb, map[bool]string{true: "path", false: "resource"}[out.Path != ""])
	}
	if out.Path != "" {
		return r.path(out, flags)
	}
	return r.resource(out, flags)
}

// path takes the path of a resource for a request to that resource, as the server does.
func (r *requestFlags) path(out *explain.Request, flags *pflag.FlagSet) error {
	for _, name := range []string{"api-group", "subresource", "namespace", "all-namespaces", "name"} {
		if flags.Changed(name) {
			return usagef("a path has none", "both --path and --%s are given", name)
		}
	}
	u, err := explain.FromURL(strings.ToUpper(out.Verb), out.Path)
	if err != nil {
		return usagef("", "--path: %s", err)
	}
	if u.Path == "" {
		return usagef("describe the request with --verb and --resource, or as kubectl get --raw "+out.Path, "--path %s is the path of a resource", out.Path)
	}
	return nil
}

// resource finds the group of the resource, and the namespace that is meant.
func (r *requestFlags) resource(out *explain.Request, flags *pflag.FlagSet) error {
	if out.Namespace != "" && r.allNamespaces {
		return usagef("a request is for one of the two", "both --namespace and --all-namespaces are given")
	}
	word := out.Resource
	if name, sub, ok := strings.Cut(word, "/"); ok && out.Subresource == "" {
		word, out.Subresource = name, sub
	}
	out.Resource = word
	known := false
	if group := flags.Changed("api-group"); !group || out.APIGroup != "" {
		if group {
			word += "." + out.APIGroup
		}
		found, ok, err := kubectl.Find(word)
		var f *kubectl.Fault
		switch {
		case errors.As(err, &f) && !group:
			return usagef(f.Hint+"; or give its group by --api-group", "--resource: %s", f.Message)
		case err == nil:
			out.Resource, out.APIGroup, known = found.Name, found.Group, ok
			r.scope(out, &found, known)
			if !group && found.Group != "" && !strings.Contains(r.Resource, ".") {
				out.Notes = append(out.Notes, fmt.Sprintf("%s are of the API group %s", found.Name, found.Group))
			}
		}
	}
	return nil
}

// scope completes the namespace of a request for a resource whose scope is known.
func (r *requestFlags) scope(out *explain.Request, found *kubectl.Resource, known bool) {
	switch single := out.Verb != "list" && out.Verb != "watch" && out.Verb != "deletecollection"; {
	case !known:
	case found.Name == "namespaces" && found.Group == "" && out.Name != "" && out.Namespace == "":
		out.Namespace = out.Name
		out.Notes = append(out.Notes, "a request for a Namespace by name counts as one in that namespace")
	case found.Cluster && out.Namespace != "" && found.Name != "namespaces":
		out.Namespace = ""
		out.Notes = append(out.Notes, found.Name+" are in no namespace: the one that was given is left out")
	case !found.Cluster && single && out.Namespace == "" && !r.allNamespaces:
		out.Namespace = "default"
		out.Notes = append(out.Notes, "no namespace is given: default is taken")
	}
}

// somebody is the user of a request of whom nothing is said.
const somebody = "somebody"

// who fills in the groups that are implied, and the user if none is given.
func (r *requestFlags) who(out *explain.Request) {
	out.User, out.Groups = r.User, slices.Clone(r.Groups)
	if out.User == "" {
		out.User = somebody
		out.Notes = append(out.Notes, "no user is given: somebody without further groups is assumed")
	}
	if len(out.Groups) == 0 && !r.exactGroups {
		out.ImpliedGroups = explain.Imply(out.User)
		out.Groups = slices.Clone(out.ImpliedGroups)
	}
}

// sentence explains the requests of a kubectl command line.
func (f *explainFlags) sentence(p *Process, c *cobra.Command, words []string) error {
	for _, name := range append(slices.Clone(whatFlags), "trace-line") {
		if c.Flags().Changed(name) {
			return usagef("say it in the words of kubectl", "--%s has no meaning with a kubectl command line", name)
		}
	}
	form, err := f.output.single(formText, formJSON)
	if err != nil {
		return err
	}
	command, err := kubectl.Parse(words, func(name string) ([]byte, error) { return f.manifest(p, name) })
	var fault *kubectl.Fault
	if errors.As(err, &fault) {
		return usagef(fault.Hint, "%s", fault.Message)
	}
	if err != nil {
		return err
	}
	for i := range command.Requests {
		if err := f.actAs(&command.Requests[i], command.As); err != nil {
			return err
		}
	}
	return f.requests(p, command.Requests, form, true)
}

// manifest reads a file that a kubectl command line names.
func (f *explainFlags) manifest(p *Process, name string) ([]byte, error) {
	if name == "-" && slices.Contains(f.configuration.filenames, "-") {
		return nil, usagef("", "- is there twice, and the standard input can be read once")
	}
	text, err := readInput(p, name)
	if err != nil {
		return nil, inputf("", "%s: cannot read the file: %s", inputName(name), fileReason(err))
	}
	return text, nil
}

// actAs says who sends the request of a kubectl command line.
func (f *explainFlags) actAs(r *explain.Request, as kubectl.Identity) error {
	if as.User == "" && len(as.Groups) > 0 {
		return usagef("--as USER --as-group GROUP", "kubectl takes --as-group with --as only")
	}
	if as.User == "" {
		f.request.who(r)
		return nil
	}
	if f.request.User != "" || len(f.request.Groups) > 0 {
		return usagef("the server sees the one of --as", "both --as and a user or group before kubectl are given")
	}
	r.User, r.Groups = as.User, slices.Clone(as.Groups)
	if !f.request.exactGroups {
		r.ImpliedGroups = explain.ImplyImpersonated(as.User, as.Groups)
		r.Groups = append(r.Groups, r.ImpliedGroups...)
	}
	if strings.HasPrefix(as.User, "system:node:") && len(as.Groups) == 0 {
		r.Notes = append(r.Notes, "impersonated, a node is not in system:nodes: that group comes with its certificate")
	}
	return nil
}
