package releases

import (
	"cmp"
	"slices"
	"testing"
	"time"

	flowcontrol "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/apfsim/apfsim/conformance/fullrun"
)

const (
	// epochSeats are the seats of each of two users, 10 of them in a request.
	epochSeats = 200_000
	// epochLevel is the level, and flow schema, of both.
	epochLevel = "long"
)

// TestEpochs compares the metrics of a run in which the virtual time R of a level is wound back, with and without a
// queue whose own reading of it is too old for that. R gains at most as many seat-seconds a second as a queue has seats,
// and is wound back at three quarters of 2^64 units of 1e-8 seat-seconds: after 8 days with 200,000 seats. Up to 1.24 that
// is too long for the real server, which looks at each millisecond for its metrics.
func TestEpochs(t *testing.T) {
	for _, o := range selected(t) {
		if !o.since(25) {
			continue
		}
		t.Run(o.name, func(t *testing.T) {
			o.start(t)
			c, err := o.epochCase()
			if err != nil {
				t.Fatal(err)
			}
			theirs := o.compareScrapes(t, c)
			families, err := fullrun.Families(theirs[len(theirs)-1])
			if err != nil {
				t.Fatal(err)
			}
			const name = "apiserver_flowcontrol_epoch_advance_total"
			told := families[name].String()
			for _, success := range []string{"true", "false"} {
				advances := 0.0
				for _, m := range families[name].GetMetric() {
					if m.Label[0].GetValue() == epochLevel && m.Label[1].GetValue() == success {
						advances += m.GetCounter().GetValue()
					}
				}
				if advances == 0 {
					t.Errorf("no advance with success %s: %s", success, told)
				}
			}
		})
	}
}

// epochCase returns a case in which the first user has all the seats at first. When R has come so far that a reading of
// it can be wound back, the second user takes over, until its own reading has become too old.
func (o *oracle) epochCase() (*fullrun.Case, error) {
	levels, schemas, err := o.builtIn()
	if err != nil {
		return nil, err
	}
	byUser := &flowcontrol.FlowDistinguisherMethod{Type: flowcontrol.FlowDistinguisherMethodByUserType}
	everybody := flowcontrol.PolicyRulesWithSubjects{
		Subjects: []flowcontrol.Subject{{Kind: flowcontrol.SubjectKindGroup, Group: &flowcontrol.GroupSubject{Name: "users"}}},
		ResourceRules: []flowcontrol.ResourcePolicyRule{{
			Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true,
		}},
	}
	c := &fullrun.Case{Scenario: &fullrun.Scenario{
		Seats: 5 * epochSeats, RequestTimeout: time.Minute,
		PriorityLevels: append(levels, &flowcontrol.PriorityLevelConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: epochLevel},
			Spec: flowcontrol.PriorityLevelConfigurationSpec{Type: flowcontrol.PriorityLevelEnablementLimited, Limited: &flowcontrol.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: new(int32(10_000)), LendablePercent: new(int32(0)),
				LimitResponse: flowcontrol.LimitResponse{
					Type:    flowcontrol.LimitResponseTypeQueue,
					Queuing: &flowcontrol.QueuingConfiguration{Queues: 64, HandSize: 1, QueueLengthLimit: 50},
				},
			}},
		}),
		FlowSchemas: append(schemas, &flowcontrol.FlowSchema{
			ObjectMeta: metav1.ObjectMeta{Name: epochLevel},
			Spec: flowcontrol.FlowSchemaSpec{
				PriorityLevelConfiguration: flowcontrol.PriorityLevelConfigurationReference{Name: epochLevel},
				MatchingPrecedence:         10, DistinguisherMethod: byUser, Rules: []flowcontrol.PolicyRulesWithSubjects{everybody},
			},
		}),
		Objects: map[string]fullrun.Objects{"pods": {Count: 1000, AverageBytes: 1000}},
	}}
	c.Trace = slices.Concat(
		long("first", 0, 156*time.Hour), long("second", 144*time.Hour, 186*time.Hour),
		// R is looked at when something arrives or ends.
		long("second", 60*time.Hour, time.Second)[:1], long("second", 196*time.Hour, time.Second)[:1],
		long("second", 324*time.Hour, time.Second)[:1], long("second", 350*time.Hour, time.Second)[:1])
	slices.SortFunc(c.Trace, func(a, b fullrun.Request) int { return cmp.Compare(a.Arrival, b.Arrival) })
	return c, nil
}

// long returns the requests that take all seats of a user for a time, at times that are nobody else's.
func long(user string, at, duration time.Duration) []fullrun.Request {
	trace := make([]fullrun.Request, epochSeats/10)
	for i := range trace {
		trace[i] = fullrun.Request{
			Arrival: fullrun.Duration(at + 777_001 + time.Duration(i)*1_000_700), Duration: fullrun.Duration(duration),
			User: user, Groups: []string{"users"}, Verb: "list", Resource: "pods", ResourceVersion: "0",
		}
	}
	return trace
}
