package reports

import (
	"cmp"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
)

// newFlowControl describes the configuration of a server, nil for none.
func newFlowControl(cfg *scheduler.Config) *FlowControl {
	if len(cfg.PriorityLevels)+len(cfg.FlowSchemas) == 0 {
		return nil
	}
	out := &FlowControl{PriorityLevels: []LevelSettings{}, FlowSchemas: []SchemaSettings{}}
	for i := range cfg.PriorityLevels {
		out.PriorityLevels = append(out.PriorityLevels, newLevelSettings(&cfg.PriorityLevels[i]))
	}
	for i := range cfg.FlowSchemas {
		out.FlowSchemas = append(out.FlowSchemas, newSchemaSettings(&cfg.FlowSchemas[i]))
	}
	slices.SortStableFunc(out.PriorityLevels, func(a, b LevelSettings) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(out.FlowSchemas, func(a, b SchemaSettings) int {
		return cmp.Or(cmp.Compare(a.Precedence, b.Precedence), cmp.Compare(a.Name, b.Name))
	})
	return out
}

func newLevelSettings(l *scheduler.PriorityLevel) LevelSettings {
	out := LevelSettings{Name: l.Name, Exempt: l.Exempt, Shares: l.Shares, LendablePercent: l.LendablePercent}
	if l.BorrowingLimitPercent >= 0 && !l.Exempt {
		out.BorrowingLimitPercent = &l.BorrowingLimitPercent
	}
	if q := l.Queuing; q != nil {
		out.Queuing = &Queuing{Queues: int(q.Queues), HandSize: int(q.HandSize), QueueLengthLimit: int(q.QueueLengthLimit)}
	}
	return out
}

func newSchemaSettings(s *scheduler.FlowSchema) SchemaSettings {
	out := SchemaSettings{
		Name: s.Name, Precedence: s.Precedence, PriorityLevel: s.PriorityLevel,
		Distinguisher: s.Distinguisher.String(), Rules: []RuleSettings{},
	}
	for i := range s.Rules {
		out.Rules = append(out.Rules, newRuleSettings(&s.Rules[i]))
	}
	return out
}

func newRuleSettings(r *scheduler.Rule) RuleSettings {
	out := RuleSettings{Subjects: []string{}, Requests: []string{}}
	for _, s := range r.Subjects {
		name := s.Name
		if s.Kind == scheduler.ServiceAccount {
			name = s.Namespace + "/" + s.Name
		}
		out.Subjects = append(out.Subjects, s.Kind.String()+" "+name)
	}
	for _, line := range r.Resources {
		text := listed("verbs", line.Verbs) + "; " + listed("resources", line.Resources)
		if !slices.Equal(line.APIGroups, []string{"*"}) {
			text += "; " + listed("apiGroups", line.APIGroups)
		}
		if len(line.Namespaces) > 0 {
			text += "; " + listed("namespaces", line.Namespaces)
		}
		if line.ClusterScope {
			text += "; clusterScope"
		}
		out.Requests = append(out.Requests, text)
	}
	for _, line := range r.NonResources {
		out.Requests = append(out.Requests, listed("verbs", line.Verbs)+"; "+listed("nonResourceURLs", line.URLs))
	}
	return out
}

// listed writes a list of a rule. The empty string is the core group.
func listed(name string, values []string) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = v
		if v == "" {
			words[i] = `""`
		}
	}
	return name + " " + strings.Join(words, ", ")
}
