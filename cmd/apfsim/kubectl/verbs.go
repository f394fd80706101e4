package kubectl

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// chunk is how many objects kubectl asks for at once (--chunk-size of get).
const chunk = "500"

const (
	selectors = ` l/selector=string field-selector=string`
	outputs   = ` o/output=string template=string show-managed-fields=bool allow-missing-template-keys=bool`
	files     = ` f/filename=strings R/recursive=bool k/kustomize=string`
	changes   = ` dry-run=text field-manager=string record=bool overwrite=bool list=bool local=bool
		resource-version=string validate=text save-config=bool edit=bool windows-line-endings=bool`
	pods = ` c/container=string pod-running-timeout=string q/quiet=bool i/stdin=bool t/tty=bool`
)

// verbs are those that are understood, with their own flags.
var verbs map[string]verb

// verbNames are their names in order, without the other names of some.
var verbNames []string

func init() {
	verbs = map[string]verb{
		"get": {selectors + outputs + files + ` A/all-namespaces=bool w/watch=bool watch-only=bool chunk-size=string raw=string
			sort-by=string show-labels=bool no-headers=bool ignore-not-found=bool L/label-columns=strings show-kind=bool
			output-watch-events=bool subresource=string server-print=bool`, get},
		"describe": {selectors + files + ` A/all-namespaces=bool show-events=bool chunk-size=string`, describe},
		"create": {outputs + files + changes + ` raw=string image=string replicas=string port=string from-literal=strings
			from-file=strings from-env-file=strings type=string schedule=string class=string rule=strings default-backend=string
			tcp=strings external-name=string clusterip=string node-port=string hard=string scopes=string verb=strings
			resource=strings resource-name=strings non-resource-url=strings role=string clusterrole=string group=strings
			serviceaccount=strings aggregation-rule=string value=string description=string global-default=bool
			preemption-policy=string min-available=string max-unavailable=string selector=string duration=string
			audience=strings bound-object-kind=string bound-object-name=string bound-object-uid=string from=string restart=string
			docker-server=string docker-username=string docker-password=string docker-email=string cert=string key=string
			append-hash=bool annotation=strings`, create},
		"apply": {selectors + outputs + files + changes + ` server-side=bool force-conflicts=bool prune=bool all=bool
			prune-allowlist=strings applyset=string wait=bool force=bool cascade=text grace-period=string timeout=string
			openapi-patch=bool subresource=string`, apply},
		"delete": {selectors + files + ` A/all-namespaces=bool all=bool now=bool force=bool wait=bool cascade=text
			grace-period=string timeout=string ignore-not-found=bool i/interactive=bool o/output=string dry-run=text raw=string`, remove},
		"patch":         {outputs + files + changes + ` p/patch=string type=string patch-file=string subresource=string`, getAndPatch},
		"edit":          {outputs + files + changes + ` output-patch=bool subresource=string`, getAndPatch},
		"label":         {selectors + outputs + files + changes + ` A/all-namespaces=bool all=bool`, markers},
		"annotate":      {selectors + outputs + files + changes + ` A/all-namespaces=bool all=bool`, markers},
		"replace":       {outputs + files + changes + ` force=bool cascade=text grace-period=string wait=bool timeout=string raw=string subresource=string`, replace},
		"scale":         {selectors + outputs + files + changes + ` replicas=string current-replicas=string all=bool timeout=string`, scale},
		"autoscale":     {outputs + files + changes + ` min=string max=string cpu=string memory=string cpu-percent=string name=string`, autoscale},
		"run":           {outputs + changes + pods + ` image=string restart=string rm=bool command=bool env=strings l/labels=string port=string expose=bool attach=bool overrides=string annotations=strings image-pull-policy=string privileged=bool`, run},
		"expose":        {` selector=string field-selector=string` + outputs + files + changes + ` port=string target-port=string type=string name=string protocol=string cluster-ip=string external-ip=string load-balancer-ip=string session-affinity=string l/labels=string`, expose},
		"logs":          {` f/follow=bool l/selector=string p/previous=bool since=string since-time=string tail=string timestamps=bool all-containers=bool all-pods=bool limit-bytes=string max-log-requests=string prefix=bool ignore-errors=bool insecure-skip-tls-verify-backend=bool` + ` c/container=string pod-running-timeout=string`, logs},
		"exec":          {pods + ` f/filename=strings`, exec},
		"attach":        {pods, attach},
		"port-forward":  {` address=strings pod-running-timeout=string`, portForward},
		"cp":            {` c/container=string no-preserve=bool retries=string`, copyFiles},
		"top pods":      {selectors + ` A/all-namespaces=bool containers=bool no-headers=bool sort-by=string sum=bool show-swap=bool use-protocol-buffers=bool`, topPods},
		"top nodes":     {selectors + ` no-headers=bool sort-by=string show-capacity=bool show-swap=bool use-protocol-buffers=bool`, topNodes},
		"auth can-i":    {` A/all-namespaces=bool list=bool q/quiet=bool no-headers=bool subresource=string`, canI},
		"auth whoami":   {outputs, whoAmI},
		"cordon":        {selectors + changes, cordon},
		"uncordon":      {selectors + changes, cordon},
		"taint":         {selectors + outputs + changes + ` all=bool`, taint},
		"version":       {outputs + ` client=bool`, version},
		"api-resources": {outputs + ` namespaced=bool api-group=string verbs=strings no-headers=bool cached=bool categories=strings sort-by=string`, discovery},
		"api-versions":  {``, discovery},
	}
	for _, v := range []string{"restart", "pause", "resume"} {
		verbs["rollout "+v] = verb{selectors + outputs + files + changes, getAndPatch}
	}
	verbs["rollout status"] = verb{selectors + files + ` w/watch=bool timeout=string revision=string`, rolloutStatus}
	verbNames = slices.Sorted(maps.Keys(verbs))
	for _, v := range []string{"pod", "po"} {
		verbs["top "+v] = verbs["top pods"]
	}
	for _, v := range []string{"node", "no"} {
		verbs["top "+v] = verbs["top nodes"]
	}
	verbs["log"] = verbs["logs"]
}

// listQuery is the query of a LIST with the selectors of the command line.
func (s *sentence) listQuery(limit string) url.Values {
	q := url.Values{}
	set := func(key, value string) {
		if value != "" {
			q.Set(key, value)
		}
	}
	set("limit", limit)
	set("labelSelector", s.string("selector"))
	set("fieldSelector", s.string("field-selector"))
	return q
}

// get reads objects (pkg/cmd/get): each by its name, or a kind in chunks. With -w a watch
// follows, from the version of the list, or from 0 for a single object.
func get(s *sentence) error {
	if raw := s.string("raw"); raw != "" {
		u, err := url.Parse(raw)
		if err != nil {
			return faultf("", "--raw %s is no path", raw)
		}
		return s.ask("", "GET", u.Path, u.Query())
	}
	limit := chunk
	if s.flags.Changed("chunk-size") {
		limit = s.string("chunk-size")
	}
	if limit == "0" {
		limit = ""
	}
	list, err := s.objects()
	if err != nil {
		return err
	}
	watch := s.bool("watch") || s.bool("watch-only")
	if watch && len(list) != 1 {
		return faultf("name one kind, or one object", "kubectl get -w watches one thing at a time, not %d", len(list))
	}
	for i := range list {
		if err := s.getOne(&list[i], limit, watch); err != nil {
			return err
		}
	}
	return nil
}

// getOne reads one object, or one kind.
func (s *sentence) getOne(o *object, limit string, watch bool) error {
	path, query, purpose := o.path(), url.Values{}, "read it"
	if sub := s.string("subresource"); sub != "" && o.name != "" {
		path += "/" + sub
	}
	if o.name == "" {
		query, purpose = s.listQuery(limit), "list them"
		if limit != "" {
			purpose = "list them in chunks of " + limit
		}
	}
	if err := s.ask(purpose, "GET", path, query); err != nil {
		return err
	}
	s.guess(o)
	if o.name == "" && limit != "" {
		s.note("as long as more objects are left, the same follows with a continue token")
	}
	if !watch {
		return nil
	}
	version, collection := "the list's", *o
	collection.name = ""
	query = s.listQuery("")
	if o.name != "" {
		version = "0"
		query.Set("fieldSelector", "metadata.name="+o.name)
	}
	query.Set("watch", "true")
	query.Set("resourceVersion", version)
	return s.ask("follow the changes", "GET", collection.path(), query)
}

// each asks the same of every object of the command line, a list of methods and purposes.
func (s *sentence) each(list []object, steps ...step) error {
	for i := range list {
		for _, st := range steps {
			path := list[i].path()
			if st.subresource != "" {
				path += "/" + st.subresource
			}
			if st.method == "POST" && st.subresource == "" {
				collection := list[i]
				collection.name = ""
				path = collection.path()
			}
			if err := s.ask(st.purpose, st.method, path, nil); err != nil {
				return err
			}
			if st.note != "" {
				s.note(st.note)
			}
			s.guess(&list[i])
		}
	}
	return nil
}

// step is one request about an object.
type step struct{ method, subresource, purpose, note string }

// Knows tells whether a word is the first of a verb that is understood.
func Knows(word string) bool {
	return slices.ContainsFunc(verbNames, func(name string) bool {
		first, _, _ := strings.Cut(name, " ")
		return first == word
	})
}
