package kubectl

import "strings"

// apply applies manifests (pkg/cmd/apply). On the client's side each object is read, and
// then patched, or created if it was not found; on the server's side it is patched alone.
func apply(s *sentence) error {
	if len(s.strings("filename")) == 0 {
		return faultf("as in kubectl apply -f FILE", "kubectl apply: no file is given")
	}
	list, err := s.named()
	if err != nil {
		return err
	}
	if s.bool("server-side") {
		return s.each(list, step{method: "PATCH", purpose: "apply it on the server's side"})
	}
	return s.each(list, step{method: "GET", purpose: "read what there is"},
		step{method: "PATCH", purpose: "change it", note: "an object that does not exist is created instead, and one that is as it should be stays"})
}

// create creates objects (pkg/cmd/create): those of files, or one that the words name.
func create(s *sentence) error {
	if len(s.strings("filename")) > 0 {
		list, err := s.objects()
		if err != nil {
			return err
		}
		return s.each(list, step{method: "POST", purpose: "create it"})
	}
	if len(s.args) == 0 {
		return faultf("as in kubectl create -f FILE or kubectl create namespace NAME", "kubectl create: neither a file nor a kind is given")
	}
	if s.args[0] == "token" {
		s.args = s.args[1:]
		return token(s)
	}
	r, known, err := Find(s.args[0])
	if err != nil {
		return err
	}
	o := s.object(r, known, "")
	return s.each([]object{o}, step{method: "POST", purpose: "create it"})
}

// token asks for a token of a service account.
func token(s *sentence) error {
	o, err := s.single("serviceaccounts")
	if err != nil {
		return err
	}
	return s.each([]object{o}, step{method: "POST", subresource: "token", purpose: "create a token"})
}

// remove deletes objects (pkg/cmd/delete): each by its name, after a LIST without a limit
// if they are chosen by a selector, and then looks whether each has gone.
func remove(s *sentence) error {
	if raw := s.string("raw"); raw != "" {
		return s.ask("", "DELETE", raw, nil)
	}
	list, err := s.objects()
	if err != nil {
		return err
	}
	bySelector := s.bool("all") || s.string("selector") != "" || s.string("field-selector") != ""
	steps := []step{{method: "DELETE", purpose: "delete it"}}
	if s.string("dry-run") == "client" {
		steps = nil
	} else if wait := s.flags.Lookup("wait"); s.string("dry-run") == "" && (!wait.Changed || s.bool("wait")) {
		steps = append(steps, step{method: "GET", purpose: "see whether it has gone", note: "if it has not, a LIST and a WATCH of it follow until it has"})
	}
	for i := range list {
		o := list[i : i+1]
		if o[0].name == "" {
			if !bySelector {
				return faultf("give names, -l or --all", "kubectl delete %s: nothing says which", o[0].Name)
			}
			if err := s.ask("find them", "GET", o[0].path(), s.listQuery("")); err != nil {
				return err
			}
			o = []object{o[0]}
			o[0].name = "NAME"
		}
		if err := s.each(o, steps...); err != nil {
			return err
		}
		if o[0].name == "NAME" && len(steps) > 0 {
			s.note("the same is sent for each object that was found")
		}
	}
	return nil
}

// getAndPatch reads an object before it patches it (pkg/cmd/patch, edit, rollout).
func getAndPatch(s *sentence) error {
	list, err := s.named()
	if err != nil {
		return err
	}
	return s.each(list, step{method: "GET", purpose: "read it"},
		step{method: "PATCH", subresource: s.string("subresource"), purpose: "change it"})
}

// markers are labels and annotations, whose words come after those of the objects.
func markers(s *sentence) error {
	for i, arg := range s.args {
		if i > 0 && (strings.Contains(arg, "=") || strings.HasSuffix(arg, "-")) {
			s.args = s.args[:i]
			break
		}
	}
	if s.bool("all") || s.string("selector") != "" {
		return s.listAndPatch()
	}
	return getAndPatch(s)
}

// listAndPatch patches each object that a selector finds.
func (s *sentence) listAndPatch() error {
	list, err := s.objects()
	if err != nil {
		return err
	}
	for i := range list {
		if err := s.ask("find them", "GET", list[i].path(), s.listQuery("")); err != nil {
			return err
		}
		list[i].name = "NAME"
		if err := s.each(list[i:i+1], step{method: "PATCH", purpose: "change it", note: "the same is sent for each object that was found"}); err != nil {
			return err
		}
	}
	return nil
}

// taint changes nodes; its words for taints are those with an equals sign or a colon.
func taint(s *sentence) error {
	for i, arg := range s.args {
		if i > 0 && (strings.ContainsAny(arg, "=:") || strings.HasSuffix(arg, "-")) {
			s.args = s.args[:i]
			break
		}
	}
	return markers(s)
}

// cordon marks a node as one for no new pods.
func cordon(s *sentence) error {
	if s.string("selector") != "" {
		s.args = []string{"nodes"}
		return s.listAndPatch()
	}
	o, err := s.single("nodes")
	if err != nil {
		return err
	}
	return s.each([]object{o}, step{method: "GET", purpose: "read it"}, step{method: "PATCH", purpose: "change it"})
}

// replace puts objects in the place of those that exist (pkg/cmd/replace).
func replace(s *sentence) error {
	list, err := s.named()
	if err != nil {
		return err
	}
	if s.bool("force") {
		return s.each(list, step{method: "DELETE", purpose: "delete it"}, step{method: "GET", purpose: "see whether it has gone"},
			step{method: "POST", purpose: "create it again"})
	}
	return s.each(list, step{method: "GET", purpose: "read its version"}, step{method: "PUT", purpose: "replace it"})
}

// scale sets the replicas of objects (pkg/cmd/scale): it reads each and patches its scale;
// with a condition it reads and updates the scale.
func scale(s *sentence) error {
	list, err := s.named()
	if err != nil {
		return err
	}
	steps := []step{{method: "GET", purpose: "read it"}}
	if s.flags.Changed("current-replicas") || s.flags.Changed("resource-version") {
		steps = append(steps, step{method: "GET", subresource: "scale", purpose: "compare with the condition"},
			step{method: "PUT", subresource: "scale", purpose: "set the replicas"})
	} else {
		steps = append(steps, step{method: "PATCH", subresource: "scale", purpose: "set the replicas"})
	}
	return s.each(list, steps...)
}

// autoscale makes a HorizontalPodAutoscaler for an object.
func autoscale(s *sentence) error {
	return s.andCreate("horizontalpodautoscalers.autoscaling")
}

// expose makes a Service for an object.
func expose(s *sentence) error { return s.andCreate("services") }

// andCreate reads an object and creates another one for it.
func (s *sentence) andCreate(resource string) error {
	list, err := s.named()
	if err != nil {
		return err
	}
	if err := s.each(list[:1], step{method: "GET", purpose: "read it"}); err != nil {
		return err
	}
	r, known, err := Find(resource)
	if err != nil {
		return err
	}
	return s.each([]object{s.object(r, known, "")}, step{method: "POST", purpose: "create it"})
}

// run creates a pod.
func run(s *sentence) error {
	if len(s.args) == 0 {
		return faultf("as in kubectl run NAME --image=IMAGE", "kubectl run: the pod has no name")
	}
	r, known, err := Find("pods")
	if err != nil {
		return err
	}
	return s.each([]object{s.object(r, known, "")}, step{method: "POST", purpose: "create the pod"})
}
