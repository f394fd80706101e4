package dump

import (
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// state is a server with a level of each kind, as releases from 1.20 to 1.37 would have it.
func state(minor int) *State {
	at := func(d time.Duration) time.Time {
		return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(d)
	}
	request := func(arrival, start time.Duration, e fairqueue.Estimate) Request {
		began := time.Time{}
		if start >= 0 {
			began = at(start)
		}
		return Request{FlowSchema: "workers", Flow: "ann", Arrival: at(arrival), Start: began, Estimate: e,
			Details: Details{"ann", "list", "/apis/apps/v1/namespaces/a/deployments", "a", "", "apps", "v1", "deployments", ""}}
	}
	waiting := []Request{
		request(time.Second, -1, fairqueue.Estimate{InitialSeats: 3}),
		request(1500*time.Millisecond, -1, fairqueue.Estimate{InitialSeats: 1, FinalSeats: 4, AdditionalLatency: 5 * time.Millisecond}),
	}
	executing := []Request{request(0, 250*time.Millisecond, fairqueue.Estimate{InitialSeats: 10})}
	return &State{Minor: minor, Levels: []Level{
		{Name: "exempt", Bare: minor < 28, Idle: true},
		{Name: "work", Waiting: 2, Executing: 1, Dispatched: 7, Rejected: 3, TimedOut: 1, Cancelled: 2, Queues: []Queue{
			{QueueState: fairqueue.QueueState{Executing: 1, SeatsInUse: 10, NextDispatchR: 1203000000}, VirtualStart: 12.03, Executing: executing},
			{QueueState: fairqueue.QueueState{Waiting: 2, Work: 5600000}, VirtualStart: -0.00004, Waiting: waiting},
		}},
	}}
}

// The pages of each of the four forms, as apf_controller_debug.go of 0.22.17, 0.26.15, 0.27.16 and
// 0.37.2 writes them.
func TestPages(t *testing.T) {
	for _, c := range []struct {
		minor                    int
		levels, queues, requests string
	}{
		{22, `
PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests
exempt,            <none>,       <none>, <none>,      <none>,          <none>
work,              1,            false,  false,       2,               1
`, `
PriorityLevelName, Index,  PendingRequests, ExecutingRequests, VirtualStart
exempt,            <none>, <none>,          <none>,            <none>
work,              0,      0,               1,                 12.0300
work,              1,      2,               0,                 -0.0000
`, `
PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime
work,              workers,        1,          0,                   ann,             2020-01-01T00:00:01Z
work,              workers,        1,          1,                   ann,             2020-01-01T00:00:01.5Z
`},
		{26, `
PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests
exempt,            <none>,       <none>, <none>,      <none>,          <none>
work,              1,            false,  false,       2,               1
`, `
PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum
exempt,            <none>, <none>,          <none>,            <none>,     <none>,        <none>,          <none>,      <none>
work,              0,      0,               1,                 10,         12.03000000ss, 0,               0,           0.00000000ss
work,              1,      2,               0,                 0,          0.00000000ss,  4,               7,           0.05600000ss
`, `
PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime,             InitialSeats, FinalSeats, AdditionalLatency
work,              workers,        1,          0,                   ann,             2020-01-01T00:00:01Z,   3,            0,          0s
work,              workers,        1,          1,                   ann,             2020-01-01T00:00:01.5Z, 1,            4,          5ms
`},
		{27, `
PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests
exempt,            <none>,       <none>, <none>,      <none>,          <none>,            <none>,             <none>,           <none>,           <none>
work,              1,            false,  false,       2,               1,                 7,                  3,                1,                2
`, "", ""},
		{37, `
PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests
exempt,            0,            true,   false,       0,               0,                 0,                  0,                0,                0
work,              1,            false,  false,       2,               1,                 7,                  3,                1,                2
`, `
PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum
work,              0,      0,               1,                 10,         12.03000000ss, 0,               0,           0.00000000ss
work,              1,      2,               0,                 0,          0.00000000ss,  4,               7,           0.05600000ss
`, `
PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime,             InitialSeats, FinalSeats, AdditionalLatency, StartTime
work,              workers,        0,          -1,                  ann,             2020-01-01T00:00:00Z,   10,           0,          0s,                2020-01-01T00:00:00.25Z
work,              workers,        1,          0,                   ann,             2020-01-01T00:00:01Z,   3,            0,          0s,                0001-01-01T00:00:00Z
work,              workers,        1,          1,                   ann,             2020-01-01T00:00:01.5Z, 1,            4,          5ms,               0001-01-01T00:00:00Z
`},
	} {
		s := state(c.minor)
		for name, pair := range map[string][2]string{
			"levels": {s.PriorityLevels(), c.levels}, "queues": {s.Queues(), c.queues}, "requests": {s.Requests(false), c.requests},
		} {
			if want := strings.TrimPrefix(pair[1], "\n"); want != "" && pair[0] != want {
				t.Errorf("1.%d, %s:\n%s\nwant\n%s", c.minor, name, pair[0], want)
			}
		}
	}
}

// Details follow the other columns.
func TestDetails(t *testing.T) {
	lines := strings.Split(state(37).Requests(true), "\n")
	if !strings.HasSuffix(lines[0], "StartTime,               UserName, Verb,   APIPath,                                Namespace, Name,   APIVersion, Resource,    SubResource") ||
		!strings.HasSuffix(lines[1], "ann,      list,   /apis/apps/v1/namespaces/a/deployments, a,         ,       apps/v1,    deployments, ") {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}
