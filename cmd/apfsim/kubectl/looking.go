package kubectl

import "net/url"

// describe reads an object, reads it again with what belongs to it, and lists its events
// (pkg/cmd/describe and pkg/describe).
func describe(s *sentence) error {
	list, err := s.objects()
	if err != nil {
		return err
	}
	for i := range list {
		o := list[i]
		query := url.Values{}
		if o.name == "" {
			query = s.listQuery(chunk)
		}
		if err := s.ask("find it", "GET", o.path(), query); err != nil {
			return err
		}
		if o.name == "" {
			o.name = "NAME"
		}
		if err := s.each([]object{o}, step{method: "GET", purpose: "describe it",
			note: "some kinds have more that is read for the description, such as the pods of a node"}); err != nil {
			return err
		}
		events := object{Resource: Resource{Name: "events"}, namespace: o.namespace}
		query = url.Values{"limit": {chunk}, "fieldSelector": {"involvedObject.name=" + o.name}}
		if err := s.ask("list its events", "GET", events.path(), query); err != nil {
			return err
		}
	}
	return nil
}

// stream reads a pod and opens a stream to it: a GET since kubectl 1.31, which uses
// WebSockets (pkg/cmd/exec, attach, portforward).
func (s *sentence) stream(subresource string) error {
	o, err := s.single("pods")
	if err != nil {
		return err
	}
	steps := []step{{method: "GET", purpose: "read it"}}
	if o.Name != "pods" {
		if err := s.each([]object{o}, steps...); err != nil {
			return err
		}
		o = object{Resource: Resource{Name: "pods"}, namespace: o.namespace}
		if err := s.ask("find one of its pods", "GET", o.path(), url.Values{"labelSelector": {"its selector"}}); err != nil {
			return err
		}
		o.name, steps = "NAME", nil
	}
	purpose := "open the stream"
	if subresource == "log" {
		purpose = "read the log"
	}
	return s.each([]object{o}, append(steps, step{method: "GET", subresource: subresource, purpose: purpose})...)
}

func exec(s *sentence) error        { return s.stream("exec") }
func attach(s *sentence) error      { return s.stream("attach") }
func portForward(s *sentence) error { return s.stream("portforward") }

// copyFiles runs tar in the pod that one of the two places names.
func copyFiles(s *sentence) error {
	for _, arg := range s.args {
		namespace, pod, ok := cutPod(arg)
		if !ok {
			continue
		}
		if namespace != "" {
			if err := s.flags.Set("namespace", namespace); err != nil {
				return err
			}
		}
		s.args = []string{pod}
		return s.stream("exec")
	}
	return faultf("as in kubectl cp POD:/PATH PATH", "kubectl cp: no argument names a pod")
}

// logs reads the log of a pod, or of each pod that a selector finds (pkg/cmd/logs).
func logs(s *sentence) error {
	if s.string("selector") == "" {
		return s.stream("log")
	}
	o := object{Resource: Resource{Name: "pods"}, namespace: s.namespace()}
	if err := s.ask("find them", "GET", o.path(), s.listQuery("")); err != nil {
		return err
	}
	o.name = "NAME"
	return s.each([]object{o}, step{method: "GET", subresource: "log", purpose: "read the log", note: "the same is sent for each pod that was found"})
}

// metrics is a resource of the metrics API.
func metrics(name string, cluster bool) Resource {
	return Resource{Name: name, Group: "metrics.k8s.io", Cluster: cluster}
}

// topPods reads the metrics of pods, without a limit (pkg/cmd/top).
func topPods(s *sentence) error {
	o := s.object(metrics("pods", false), true, first(s.args))
	return s.ask("read the metrics", "GET", o.path(), s.selected(&o))
}

// topNodes reads the metrics of nodes and the nodes, without a limit.
func topNodes(s *sentence) error {
	o := s.object(metrics("nodes", true), true, first(s.args))
	if err := s.ask("read the metrics", "GET", o.path(), s.selected(&o)); err != nil {
		return err
	}
	o.Resource = Resource{Name: "nodes", Cluster: true}
	return s.ask("read what they have", "GET", o.path(), s.selected(&o))
}

// selected is the query of a LIST without a limit, none for a single object.
func (s *sentence) selected(o *object) url.Values {
	if o.name != "" {
		return nil
	}
	return s.listQuery("")
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// canI asks the server to review a request (pkg/cmd/auth).
func canI(s *sentence) error {
	resource := "selfsubjectaccessreviews"
	if s.bool("list") {
		resource = "selfsubjectrulesreviews"
	} else if len(s.args) < 2 {
		return faultf("as in kubectl auth can-i list pods", "kubectl auth can-i takes a verb and a resource")
	}
	return s.ask("ask for a review", "POST", "/apis/authorization.k8s.io/v1/"+resource, nil)
}

func whoAmI(s *sentence) error {
	return s.ask("ask for a review", "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", nil)
}

// rolloutStatus reads an object and follows it until it is done (pkg/cmd/rollout).
func rolloutStatus(s *sentence) error {
	list, err := s.named()
	if err != nil {
		return err
	}
	o := list[0]
	if err := s.each(list[:1], step{method: "GET", purpose: "read it"}); err != nil {
		return err
	}
	collection := o
	collection.name = ""
	query := url.Values{"fieldSelector": {"metadata.name=" + o.name}}
	if err := s.ask("list it", "GET", collection.path(), query); err != nil {
		return err
	}
	query.Set("watch", "true")
	query.Set("resourceVersion", "the list's")
	return s.ask("follow it until it is done", "GET", collection.path(), query)
}

func version(s *sentence) error {
	if s.bool("client") {
		return faultf("", "kubectl version --client sends nothing")
	}
	return s.ask("", "GET", "/version", nil)
}

// discovery asks for all groups and resources.
func discovery(s *sentence) error {
	if err := s.ask("find the core resources", "GET", "/api", nil); err != nil {
		return err
	}
	return s.ask("find those of the groups", "GET", "/apis", nil)
}
