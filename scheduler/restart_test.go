package scheduler

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/scheduler/release"
)

// restartConfig has a level with queues, one that rejects and one that is exempt.
func restartConfig(v release.Version) Config {
	all := func(group string) []Rule {
		return []Rule{{
			Subjects:  []SubjectRule{{Kind: Group, Name: group}},
			Resources: []ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}},
		}}
	}
	return Config{
		Seats: 20, RequestTimeout: time.Minute, Release: v,
		PriorityLevels: []PriorityLevel{
			{Name: Exempt, Exempt: true, BorrowingLimitPercent: -1},
			{Name: CatchAll, Shares: 5, BorrowingLimitPercent: -1},
			{Name: "queued", Shares: 20, LendablePercent: 50, BorrowingLimitPercent: -1, Queuing: &Queuing{Queues: 8, HandSize: 3, QueueLengthLimit: 4}},
			{Name: "strict", Shares: 10, BorrowingLimitPercent: -1},
		},
		FlowSchemas: []FlowSchema{
			{Name: "strict", Precedence: 50, PriorityLevel: "strict", Rules: all("strict")},
			{Name: "queued", Precedence: 100, PriorityLevel: "queued", Distinguisher: ByUser, Rules: all("queued")},
			{Name: CatchAll, Precedence: 10000, PriorityLevel: CatchAll, Rules: all("*")},
		},
	}
}

// life drives a server at random, and writes down all that it decides.
type life struct {
	server   *Server
	random   *rand.Rand
	subjects []SubjectID
	target   TargetID
	now      time.Duration
	waiting  map[uint32]ID
	running  map[uint32]ID
	order    []uint32 // tags, in the order of arrival
	lines    []string
}

// live makes a life that begins at a time. Subjects and targets get the same numbers on a
// server that knows them already.
func live(s *Server, now time.Duration, seed uint64) *life {
	l := &life{server: s, random: rand.New(rand.NewPCG(seed, 1)), now: now, waiting: map[uint32]ID{}, running: map[uint32]ID{}}
	for i := range 12 {
		l.subjects = append(l.subjects, s.Subject(fmt.Sprintf("user-%d", i), []string{[]string{"queued", "queued", "strict", "other"}[i%4]}))
	}
	l.target = s.Target(Target{Verb: "get", Resource: "pods", Namespace: "default"})
	return l
}

func (l *life) take(decisions []Decision) {
	for _, d := range decisions {
		l.lines = append(l.lines, fmt.Sprintf("%v %d %v %v %d", l.now, d.Tag, d.Kind, d.Reason, d.RetryAfter))
		id, waited := l.waiting[d.Tag]
		delete(l.waiting, d.Tag)
		if d.Kind == Dispatched {
			if !waited {
				id = d.ID
			}
			l.running[d.Tag] = id
		}
	}
}

// first returns the earliest request that is in a set.
func (l *life) first(in map[uint32]ID) (uint32, bool) {
	for _, tag := range l.order {
		if _, there := in[tag]; there {
			return tag, true
		}
	}
	return 0, false
}

func (l *life) step() {
	l.now += time.Duration(l.random.IntN(int(50 * time.Millisecond)))
	switch l.random.IntN(8) { // more arrivals than ends, so that many are rejected
	case 0, 1, 2, 3, 4:
		tag := uint32(len(l.order))
		l.order = append(l.order, tag)
		a, decisions := l.server.Arrive(l.now, &Request{Subject: l.subjects[l.random.IntN(len(l.subjects))], Target: l.target, Tag: tag})
		shown := *a
		if shown.Flow >= 0 {
			// A server that was restarted has the numbers of flows from before.
			shown.Flow = FlowID(l.server.Flow(a.Flow).Hash % 1e6)
		}
		l.lines = append(l.lines, fmt.Sprintf("%v %+v", l.now, shown))
		l.waiting[tag] = a.ID
		l.take(decisions)
	case 5, 6:
		if tag, there := l.first(l.running); there {
			_, lingers, decisions := l.server.Finish(l.now, l.running[tag])
			if lingers {
				panic("a get lingers")
			}
			delete(l.running, tag)
			l.take(decisions)
		}
	case 7:
		if l.random.IntN(4) > 0 {
			l.take(l.server.Adjust(l.now))
		} else if tag, there := l.first(l.waiting); there {
			l.take(l.server.Expire(l.now, l.waiting[tag]))
		}
	}
	l.lines = append(l.lines, fmt.Sprintf("%+v", l.server.Levels()))
}

// TestARestartedServerIsANewOne: after a life with requests in all states, and after changes
// of the configuration, a restarted server decides as one that has just been made, to the
// last number. Only the flows that it has met keep theirs.
func TestARestartedServerIsANewOne(t *testing.T) {
	for _, text := range []string{"1.21", "1.25", "1.28.4", "1.37"} {
		v, err := release.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			old, err := New(restartConfig(release.Version{}), 0)
			if err != nil {
				t.Fatal(err)
			}
			before := live(old, 0, seed)
			for range 400 {
				before.step()
			}
			at := before.now + time.Millisecond
			old.Restart(at, v)
			fresh, err := New(restartConfig(v), at)
			if err != nil {
				t.Fatal(err)
			}
			a, b := live(old, at, seed+100), live(fresh, at, seed+100)
			for range 300 {
				a.step()
				b.step()
			}
			if diff := cmp.Diff(b.lines, a.lines); diff != "" {
				t.Fatalf("release %s, seed %d: a new server (-) and a restarted one (+) differ:\n%s", text, seed, diff)
			}
		}
	}
}
