package pure

import (
	"fmt"
	"slices"
	"sort"
	"testing"
	"time"

	flowcontrolapi "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/apiserver/pkg/authentication/user"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/util/apihelpers"
	"k8s.io/apiserver/pkg/util/flowcontrol"

	"github.com/apfsim/apfsim/scheduler/classify"
)

// tenants are the built-in schemas and so many more between them, in the order of matching:
// in turn for all service accounts of a namespace, for a user, and for one service
// account's LISTs in its namespace.
func tenants(n int) []*flowcontrolapi.FlowSchema {
	schemas := slices.Clone(bootstrap.SuggestedFlowSchemas)
	schemas = append(schemas, bootstrap.MandatoryFlowSchemas...)
	everything := flowcontrolapi.ResourcePolicyRule{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}
	for i := range n {
		name := fmt.Sprintf("tenant-%d", i)
		account := func(name, namespace string) flowcontrolapi.Subject {
			return flowcontrolapi.Subject{Kind: flowcontrolapi.SubjectKindServiceAccount,
				ServiceAccount: &flowcontrolapi.ServiceAccountSubject{Name: name, Namespace: namespace}}
		}
		subject, line := account("*", name), everything
		switch i % 3 {
		case 1:
			subject = flowcontrolapi.Subject{Kind: flowcontrolapi.SubjectKindUser, User: &flowcontrolapi.UserSubject{Name: name}}
		case 2:
			subject = account("bot", name)
			line = flowcontrolapi.ResourcePolicyRule{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"pods"}, Namespaces: []string{name}}
		}
		schemas = append(schemas, &flowcontrolapi.FlowSchema{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: flowcontrolapi.FlowSchemaSpec{MatchingPrecedence: 5000, Rules: []flowcontrolapi.PolicyRulesWithSubjects{{
				Subjects: []flowcontrolapi.Subject{subject}, ResourceRules: []flowcontrolapi.ResourcePolicyRule{line}}}},
		})
	}
	sort.Sort(apihelpers.FlowSchemaSequence(schemas))
	return schemas
}

// benchRequests are requests of service accounts, users and nodes, of which all differ in
// who asks or in which namespace.
func benchRequests(n int) []flowcontrol.RequestDigest {
	out := make([]flowcontrol.RequestDigest, n)
	for i := range out {
		info := &apirequest.RequestInfo{IsResourceRequest: true, Verb: "list", Resource: "pods", Namespace: fmt.Sprintf("tenant-%d", i)}
		who := &user.DefaultInfo{Name: fmt.Sprintf("system:serviceaccount:tenant-%d:bot", i),
			Groups: []string{"system:serviceaccounts", fmt.Sprintf("system:serviceaccounts:tenant-%d", i), "system:authenticated"}}
		switch i % 4 {
		case 1:
			who = &user.DefaultInfo{Name: fmt.Sprintf("tenant-%d", i), Groups: []string{"system:authenticated"}}
		case 2:
			who = &user.DefaultInfo{Name: fmt.Sprintf("system:node:n%d", i), Groups: []string{"system:nodes", "system:authenticated"}}
			info = &apirequest.RequestInfo{IsResourceRequest: true, Verb: "get", Resource: "secrets", Namespace: fmt.Sprintf("tenant-%d", i), Name: "x"}
		}
		out[i] = flowcontrol.RequestDigest{RequestInfo: info, User: who}
	}
	return out
}

// BenchmarkClassifyRatio classifies the same requests by the real scan of the schemas, by
// the product when it has seen the user and the target before ("warm"), when it has not
// and keeps them ("first"), and when it keeps nothing ("find"), a few requests each in
// turn. All are medians, in nanoseconds a request, so that what else the machine does
// meanwhile matters little; "x" is how many times faster the product is.
func BenchmarkClassifyRatio(b *testing.B) {
	const slice = 50
	requests := benchRequests(200 * slice)
	for _, extra := range []int{0, 100, 1000, 10_000} {
		schemas := tenants(extra)
		ours := make([]classify.FlowSchema, len(schemas))
		for i, s := range schemas {
			ours[i] = ourSchema(s)
		}
		b.Run(fmt.Sprintf("schemas=%d", len(schemas)), func(b *testing.B) {
			var scans, warms, firsts, finds []float64
			var c *classify.Classifier
			for done := 0; done < b.N; done += slice {
				from := done % len(requests)
				if from == 0 {
					c = classify.New(ours)
				}
				batch := requests[from : from+slice]
				find, findTime := timed(slice, func(i int) int32 { return findOurs(c, &batch[i]) })
				kept, keptTime := timed(slice, func(i int) int32 { return classifyOurs(c, &batch[i]) })
				warm, warmTime := timed(slice, func(i int) int32 { return classifyOurs(c, &batch[i]) })
				scan, scanTime := timed(slice, func(i int) int32 { return classifyTheirs(schemas, &batch[i]) })
				if find != scan || kept != scan || warm != scan {
					b.Fatalf("the schemas add up to %d, %d, %d and %d", find, kept, warm, scan)
				}
				scans, warms = append(scans, scanTime), append(warms, warmTime)
				firsts, finds = append(firsts, keptTime), append(finds, findTime)
			}
			scan, warm, find := median(scans), median(warms), median(finds)
			b.ReportMetric(scan, "upstream-ns")
			b.ReportMetric(warm, "warm-ns")
			b.ReportMetric(median(firsts), "first-ns")
			b.ReportMetric(find, "find-ns")
			b.ReportMetric(scan/warm, "x-warm")
			b.ReportMetric(scan/find, "x-find")
			b.ReportMetric(0, "ns/op") // it would be the sum of the four
		})
	}
}

// classifyTheirs tries one schema after another, as the real controller does.
func classifyTheirs(schemas []*flowcontrolapi.FlowSchema, r *flowcontrol.RequestDigest) int32 {
	return int32(slices.IndexFunc(schemas, func(s *flowcontrolapi.FlowSchema) bool { return matchesFlowSchema(*r, s) }))
}

// classifyOurs finds the ids of who asks and what is asked, as for a request that comes
// from outside, and classifies them.
func classifyOurs(c *classify.Classifier, r *flowcontrol.RequestDigest) int32 {
	return c.Classify(c.Subject(r.User.GetName(), r.User.GetGroups()), c.Target(ourTarget(r.RequestInfo)))
}

// findOurs classifies without keeping anything.
func findOurs(c *classify.Classifier, r *flowcontrol.RequestDigest) int32 {
	target := ourTarget(r.RequestInfo)
	return c.Find(r.User.GetName(), r.User.GetGroups(), &target)
}

// timed calls f for all requests and returns the sum of what it returns, to compare it,
// and the nanoseconds that a call took.
func timed(n int, f func(int) int32) (sum int64, nanoseconds float64) {
	start := time.Now()
	for i := range n {
		sum += int64(f(i))
	}
	return sum, float64(time.Since(start).Nanoseconds()) / float64(n)
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
