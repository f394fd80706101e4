package scenarios

import (
	"fmt"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
)

// compile puts a configuration of flow control that is free of errors into the
// scheduler's terms.
func (f *flowControl) compile(cfg *scheduler.Config) {
	for i := range f.levels {
		cfg.PriorityLevels = append(cfg.PriorityLevels, compileLevel(&f.levels[i].object))
	}
	for i := range f.schemas {
		cfg.FlowSchemas = append(cfg.FlowSchemas, compileSchema(&f.schemas[i].object))
	}
}

// unlimitedBorrowing is how the scheduler is told of a borrowingLimitPercent that is
// not set.
const unlimitedBorrowing = -1

func compileLevel(l *flowcontrolv1.PriorityLevelConfiguration) scheduler.PriorityLevel {
	out := scheduler.PriorityLevel{Name: l.Name, BorrowingLimitPercent: unlimitedBorrowing}
	if l.Spec.Type == flowcontrolv1.PriorityLevelEnablementExempt {
		out.Exempt = true
		if e := l.Spec.Exempt; e != nil {
			out.Shares, out.LendablePercent = *e.NominalConcurrencyShares, *e.LendablePercent
		}
		return out
	}
	limited := l.Spec.Limited
	out.Shares, out.LendablePercent = *limited.NominalConcurrencyShares, *limited.LendablePercent
	if limited.BorrowingLimitPercent != nil {
		out.BorrowingLimitPercent = *limited.BorrowingLimitPercent
	}
	if q := limited.LimitResponse.Queuing; q != nil {
		out.Queuing = &scheduler.Queuing{Queues: q.Queues, HandSize: q.HandSize, QueueLengthLimit: q.QueueLengthLimit}
	}
	return out
}

func compileSchema(s *flowcontrolv1.FlowSchema) scheduler.FlowSchema {
	out := scheduler.FlowSchema{
		Name: s.Name, Precedence: s.Spec.MatchingPrecedence,
		PriorityLevel: s.Spec.PriorityLevelConfiguration.Name,
	}
	if m := s.Spec.DistinguisherMethod; m != nil {
		switch m.Type {
		case flowcontrolv1.FlowDistinguisherMethodByUserType:
			out.Distinguisher = classify.ByUser
		case flowcontrolv1.FlowDistinguisherMethodByNamespaceType:
			out.Distinguisher = classify.ByNamespace
		default:
			panic(fmt.Sprintf("scenarios: FlowSchema %s: distinguisher %q passed validation", s.Name, m.Type))
		}
	}
	for i := range s.Spec.Rules {
		out.Rules = append(out.Rules, compileRule(&s.Spec.Rules[i]))
	}
	return out
}

func compileRule(r *flowcontrolv1.PolicyRulesWithSubjects) scheduler.Rule {
	var out scheduler.Rule
	for i := range r.Subjects {
		out.Subjects = append(out.Subjects, compileSubject(&r.Subjects[i]))
	}
	for _, rr := range r.ResourceRules {
		out.Resources = append(out.Resources, scheduler.ResourceRule{
			Verbs: rr.Verbs, APIGroups: rr.APIGroups, Resources: rr.Resources,
			Namespaces: rr.Namespaces, ClusterScope: rr.ClusterScope,
		})
	}
	for _, nr := range r.NonResourceRules {
		out.NonResources = append(out.NonResources, scheduler.NonResourceRule{Verbs: nr.Verbs, URLs: nr.NonResourceURLs})
	}
	return out
}

func compileSubject(s *flowcontrolv1.Subject) scheduler.SubjectRule {
	switch s.Kind {
	case flowcontrolv1.SubjectKindUser:
		return scheduler.SubjectRule{Kind: classify.User, Name: s.User.Name}
	case flowcontrolv1.SubjectKindGroup:
		return scheduler.SubjectRule{Kind: classify.Group, Name: s.Group.Name}
	case flowcontrolv1.SubjectKindServiceAccount:
		return scheduler.SubjectRule{Kind: classify.ServiceAccount, Namespace: s.ServiceAccount.Namespace, Name: s.ServiceAccount.Name}
	}
	panic(fmt.Sprintf("scenarios: subject kind %q passed validation", s.Kind))
}
