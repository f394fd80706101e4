package scenarios

import (
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	apifield "k8s.io/apimachinery/pkg/util/validation/field"
)

// What the API server's validation refuses (pkg/apis/flowcontrol/validation in
// kubernetes), said with the place of the field and what it means. It reads the same
// from 1.20 to 1.37 but for what apiRelease tells.

// invalid reports a value that validation refuses. What else it refuses within the value
// is reported too, as the server does; what a fault of reading has spoiled is not.
func (d *decoder) invalid(path, message, legal, hint string) {
	d.invalidAt(path, d.at(path), message, legal, hint)
}

// invalidAt reports a value with a fault in a part of it, at the place of the part.
func (d *decoder) invalidAt(path string, at Place, message, legal, hint string) {
	if d.sound(path) {
		d.c.error(at, fault{code: CodeInvalid, field: d.written(path), message: message, legal: legal, hint: hint})
	}
}

// required reports an absent value.
func (d *decoder) required(path, legal string) {
	d.invalid(path, path+" is missing", legal, "")
}

const subdomainLegal = "a DNS subdomain: lower-case letters, digits, - and ., at most 253 characters, a letter or digit at both ends of each part"

// objectMeta checks the name, labels and so on of an object. What the server sets by
// itself when it takes an object in is of no interest, nor is the namespace: it is
// dropped from objects that are not in one.
func (d *decoder) objectMeta(m *metav1.ObjectMeta) {
	switch {
	case m.Name == "" && m.GenerateName != "":
		d.invalid("metadata.name", "metadata.name is missing; a generated name cannot be known", subdomainLegal, "")
	case m.Name == "":
		d.required("metadata.name", subdomainLegal)
	case len(validation.IsDNS1123Subdomain(m.Name)) > 0:
		d.invalid("metadata.name", fmt.Sprintf("%q is no name for an object", shorten(m.Name)), subdomainLegal, "")
	}
	rest := metav1.ObjectMeta{Name: "checked", Labels: m.Labels, Annotations: m.Annotations, OwnerReferences: m.OwnerReferences, Finalizers: m.Finalizers}
	anyName := func(string, bool) []string { return nil }
	for _, e := range apivalidation.ValidateObjectMeta(&rest, false, anyName, apifield.NewPath("metadata")) {
		message := fmt.Sprintf("%s cannot be %q", e.Field, shorten(fmt.Sprint(e.BadValue)))
		if e.Type == apifield.ErrorTypeRequired {
			message = e.Field + " is missing"
		}
		d.invalid(e.Field, message, e.Detail, "")
	}
	for i, f := range m.Finalizers {
		if !strings.Contains(f, "/") && !slices.Contains(standardFinalizers, f) {
			at := index("metadata.finalizers", i)
			d.invalid(at, fmt.Sprintf("%q is no finalizer", shorten(f)), strings.Join(standardFinalizers, ", ")+", or a name with a domain: example.com/name", "")
		}
	}
}

// standardFinalizers are those whose names need no domain (validateKubeFinalizerName in
// pkg/apis/core/validation).
var standardFinalizers = []string{"orphan", "foregroundDeletion", "kubernetes"}

// validate reports what the API server would refuse in a FlowSchema.
func (s *flowSchema) validate() {
	s.objectMeta(&s.object.ObjectMeta)
	spec := &s.object.Spec
	precedence := "spec.matchingPrecedence"
	exempt := s.object.Name == flowcontrolv1.FlowSchemaNameExempt
	switch p := spec.MatchingPrecedence; {
	case p < 1 || p > flowcontrolv1.FlowSchemaMaxMatchingPrecedence:
		s.invalid(precedence, fmt.Sprintf("%s is out of range: %d", precedence, p), "1 to 10000", "the lowest is tried first")
	case p == 1 && !exempt:
		s.invalid(precedence, precedence+" 1 is kept for the schema exempt", "2 to 10000", "")
	}
	if m := spec.DistinguisherMethod; m != nil {
		s.enumerated("spec.distinguisherMethod.type", string(m.Type),
			string(flowcontrolv1.FlowDistinguisherMethodByUserType), string(flowcontrolv1.FlowDistinguisherMethodByNamespaceType))
	}
	level := "spec.priorityLevelConfiguration.name"
	if name := spec.PriorityLevelConfiguration.Name; name == "" {
		s.required(level, "the name of a PriorityLevelConfiguration")
	} else if len(validation.IsDNS1123Subdomain(name)) > 0 {
		s.invalid(level, fmt.Sprintf("%q is no name for an object", shorten(name)), subdomainLegal, "")
	}
	for i := range spec.Rules {
		s.rule(index("spec.rules", i), &spec.Rules[i])
	}
}

// enumerated reports a value that is not one of those that are legal.
func (d *decoder) enumerated(path, value string, legal ...string) bool {
	if slices.Contains(legal, value) {
		return true
	}
	if value == "" {
		d.required(path, strings.Join(legal, ", "))
	} else {
		d.invalid(path, fmt.Sprintf("%s cannot be %q", path, shorten(value)), strings.Join(legal, ", "), didYouMean(value, legal))
	}
	return false
}

func (s *flowSchema) rule(path string, r *flowcontrolv1.PolicyRulesWithSubjects) {
	if len(r.Subjects) == 0 {
		s.required(join(path, "subjects"), "at least one subject: whose requests match")
	}
	if len(r.ResourceRules) == 0 && len(r.NonResourceRules) == 0 {
		s.invalid(path, path+" has neither resourceRules nor nonResourceRules, so it matches no request", "at least one of them", "")
	}
	for i := range r.Subjects {
		s.subject(index(join(path, "subjects"), i), &r.Subjects[i])
	}
	for i := range r.ResourceRules {
		s.resourceRule(index(join(path, "resourceRules"), i), &r.ResourceRules[i])
	}
	for i := range r.NonResourceRules {
		s.nonResourceRule(index(join(path, "nonResourceRules"), i), &r.NonResourceRules[i])
	}
}

// subject checks that a subject has the member that its kind names, and no other one.
func (s *flowSchema) subject(path string, u *flowcontrolv1.Subject) {
	kinds := []string{string(flowcontrolv1.SubjectKindUser), string(flowcontrolv1.SubjectKindGroup), string(flowcontrolv1.SubjectKindServiceAccount)}
	if !s.enumerated(join(path, "kind"), string(u.Kind), kinds...) {
		return
	}
	members := []struct {
		field string
		kind  flowcontrolv1.SubjectKind
		set   bool
	}{
		{"user", flowcontrolv1.SubjectKindUser, u.User != nil},
		{"group", flowcontrolv1.SubjectKindGroup, u.Group != nil},
		{"serviceAccount", flowcontrolv1.SubjectKindServiceAccount, u.ServiceAccount != nil},
	}
	for _, m := range members {
		at := join(path, m.field)
		if m.kind == u.Kind && !m.set {
			s.invalid(at, fmt.Sprintf("%s is missing: the subject is of kind %s", at, u.Kind), m.field, "")
		}
		if m.kind != u.Kind && m.set {
			s.invalid(at, fmt.Sprintf("%s cannot be set: the subject is of kind %s", at, u.Kind), "", fmt.Sprintf("remove it, or say kind: %s", m.kind))
		}
	}
	switch {
	case u.Kind == flowcontrolv1.SubjectKindUser && u.User != nil && u.User.Name == "":
		s.required(join(path, "user.name"), `a user name, or "*" for every user`)
	case u.Kind == flowcontrolv1.SubjectKindGroup && u.Group != nil && u.Group.Name == "":
		s.required(join(path, "group.name"), `a group name, or "*" for every group`)
	case u.Kind == flowcontrolv1.SubjectKindServiceAccount && u.ServiceAccount != nil:
		s.serviceAccount(join(path, "serviceAccount"), u.ServiceAccount)
	}
}

func (s *flowSchema) serviceAccount(path string, a *flowcontrolv1.ServiceAccountSubject) {
	at := join(path, "name")
	switch {
	case a.Name == "":
		s.required(at, `the name of a service account, or "*" for all of the namespace`)
	case a.Name != flowcontrolv1.NameAll && len(validation.IsDNS1123Subdomain(a.Name)) > 0:
		s.invalid(at, fmt.Sprintf("%q is no name for a service account", shorten(a.Name)), `a DNS subdomain, or "*"`, accountHint(a.Name))
	}
	at = join(path, "namespace")
	switch {
	case a.Namespace == "":
		s.required(at, "the namespace of the service account")
	case len(validation.IsDNS1123Label(a.Namespace)) > 0:
		hint := ""
		if a.Namespace == flowcontrolv1.NameAll {
			hint = "service accounts of all namespaces are the group system:serviceaccounts"
		}
		s.invalid(at, fmt.Sprintf("%q is no name for a namespace", shorten(a.Namespace)), labelLegal, hint)
	}
}

const labelLegal = "a DNS label: lower-case letters, digits and -, at most 63 characters, a letter or digit at both ends"

// accountHint helps with the user name of a service account where its name is expected.
func accountHint(name string) string {
	parts := strings.Split(name, ":")
	if len(parts) == 4 && parts[0] == "system" && parts[1] == "serviceaccount" {
		return fmt.Sprintf("write namespace: %s, name: %s", parts[2], parts[3])
	}
	return ""
}

func (s *flowSchema) resourceRule(path string, r *flowcontrolv1.ResourcePolicyRule) {
	s.verbs(join(path, "verbs"), r.Verbs)
	s.wildcardList(join(path, "apiGroups"), r.APIGroups, `API groups; "" is the core group, "*" alone is all`)
	s.wildcardList(join(path, "resources"), r.Resources, `resources such as pods or pods/status; "*" alone is all`)
	at := join(path, "namespaces")
	if len(r.Namespaces) == 0 && !r.ClusterScope {
		s.invalid(at, at+" is missing or empty, and clusterScope is not true, so the rule matches no request", `namespaces, "*" alone for all, or clusterScope: true`, "")
	}
	if s.wildcard(at, r.Namespaces) {
		return
	}
	for i, ns := range r.Namespaces {
		if len(validation.IsDNS1123Label(ns)) > 0 {
			s.invalid(index(at, i), fmt.Sprintf("%q is no name for a namespace", shorten(ns)), labelLegal, "")
		}
	}
}

// wildcardList checks a list that must not be empty and may be just "*". It tells
// whether the list has a "*".
func (s *flowSchema) wildcardList(path string, list []string, legal string) bool {
	if len(list) == 0 {
		s.invalid(path, path+" is missing or empty, so the rule matches no request", legal, "")
	}
	return s.wildcard(path, list)
}

// wildcard tells whether a list has a "*", and reports one beside other values, which
// are of no interest then.
func (s *flowSchema) wildcard(path string, list []string) bool {
	i := slices.Index(list, "*")
	if i >= 0 && len(list) > 1 {
		s.invalidAt(path, s.at(index(path, i)), fmt.Sprintf("%s has %q beside other values", path, "*"), `"*" alone, or values without it`, "")
	}
	return i >= 0
}

// policyVerbs are the verbs that validation knows, for resources and for paths alike.
var policyVerbs = []string{"get", "list", "create", "update", "delete", "deletecollection", "patch", "watch", "proxy"}

func (s *flowSchema) verbs(path string, verbs []string) {
	if s.wildcardList(path, verbs, strings.Join(policyVerbs, ", ")+`, or "*" alone`) {
		return
	}
	for i, v := range verbs {
		if !slices.Contains(policyVerbs, v) && s.sound(index(path, i)) {
			s.invalidAt(path, s.at(index(path, i)), fmt.Sprintf("there is no verb %q", shorten(v)), strings.Join(policyVerbs, ", ")+`, or "*" alone`, didYouMean(v, policyVerbs))
		}
	}
}

const urlLegal = `"*" alone, or paths that begin with /, have no space and no //, and a * only as the last part: /healthz, /metrics/*`

func (s *flowSchema) nonResourceRule(path string, r *flowcontrolv1.NonResourcePolicyRule) {
	s.verbs(join(path, "verbs"), r.Verbs)
	at := join(path, "nonResourceURLs")
	if s.wildcardList(at, r.NonResourceURLs, urlLegal) {
		return
	}
	for i, url := range r.NonResourceURLs {
		if !legalURL(url) {
			s.invalid(index(at, i), fmt.Sprintf("%q cannot be a path", shorten(url)), urlLegal, "")
		}
	}
}

func legalURL(url string) bool {
	if !strings.HasPrefix(url, "/") || strings.Contains(url, " ") || strings.Contains(url, "//") {
		return false
	}
	star := strings.IndexByte(url, '*')
	return star < 0 || star == len(url)-1 && strings.HasSuffix(url, "/*")
}
