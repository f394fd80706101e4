package reports

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/scheduler"
)

// wantFlowControl is what TestFlowControl wants.
const wantFlowControl = `{
 "priorityLevels": [
  {
   "name": "free",
   "exempt": true,
   "shares": 0,
   "lendablePercent": 0
  },
  {
   "name": "last",
   "shares": 5,
   "lendablePercent": 0
  },
  {
   "name": "work",
   "shares": 30,
   "lendablePercent": 50,
   "borrowingLimitPercent": 0,
   "queuing": {
    "queues": 64,
    "handSize": 6,
    "queueLengthLimit": 50
   }
  }
 ],
 "flowSchemas": [
  {
   "name": "z",
   "precedence": 1,
   "priorityLevel": "free",
   "rules": []
  },
  {
   "name": "a",
   "precedence": 100,
   "priorityLevel": "work",
   "distinguisher": "ByNamespace",
   "rules": [
    {
     "subjects": [
      "Group ops",
      "ServiceAccount ci/*"
     ],
     "requests": [
      "verbs get, list; resources pods; apiGroups \"\", apps; namespaces prod; clusterScope",
      "verbs *; resources *",
      "verbs get; nonResourceURLs /healthz"
     ]
    }
   ]
  },
  {
   "name": "b",
   "precedence": 100,
   "priorityLevel": "work",
   "rules": []
  }
 ]
}`

// The configuration is told in the order of matching, and its rules in words.
func TestFlowControl(t *testing.T) {
	if got := newFlowControl(&scheduler.Config{}); got != nil {
		t.Errorf("nothing is configured, got %+v", got)
	}
	got, err := json.MarshalIndent(newFlowControl(&scheduler.Config{
		PriorityLevels: []scheduler.PriorityLevel{
			{Name: "work", Shares: 30, LendablePercent: 50, BorrowingLimitPercent: 0, Queuing: &scheduler.Queuing{Queues: 64, HandSize: 6, QueueLengthLimit: 50}},
			{Name: "free", Exempt: true},
			{Name: "last", Shares: 5, BorrowingLimitPercent: -1},
		},
		FlowSchemas: []scheduler.FlowSchema{
			{Name: "b", Precedence: 100, PriorityLevel: "work"},
			{Name: "z", Precedence: 1, PriorityLevel: "free"},
			{Name: "a", Precedence: 100, PriorityLevel: "work", Distinguisher: scheduler.ByNamespace, Rules: []scheduler.Rule{{
				Subjects: []scheduler.SubjectRule{{Kind: scheduler.Group, Name: "ops"}, {Kind: scheduler.ServiceAccount, Namespace: "ci", Name: "*"}},
				Resources: []scheduler.ResourceRule{
					{Verbs: []string{"get", "list"}, APIGroups: []string{"", "apps"}, Resources: []string{"pods"}, Namespaces: []string{"prod"}, ClusterScope: true},
					{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
				},
				NonResources: []scheduler.NonResourceRule{{Verbs: []string{"get"}, URLs: []string{"/healthz"}}},
			}}},
		},
	}), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(wantFlowControl, string(got)); d != "" {
		t.Error(d)
	}
}
