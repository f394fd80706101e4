package dump

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const levelsOf127 = `PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests
exempt,            <none>,       <none>, <none>,      <none>,          <none>,            <none>,             <none>,           <none>,           <none>
work,              1,            false,  false,       2,               1,                 7,                  3,                1,                2
`

const queuesOf137 = `PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum
work,              0,      0,               1,                 10,         12.03000000ss, 0,               0,           0.00000000ss
work,              1,      2,               0,                 0,          0.00000007ss,  4,               7,           0.05600000ss
`

const requestsOf137 = `PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime,             InitialSeats, FinalSeats, AdditionalLatency, StartTime,               UserName, Verb,   APIPath,                                Namespace, Name,   APIVersion, Resource,    SubResource
work,              workers,        0,          -1,                  ann, or so,      2020-01-01T00:00:00Z,   10,           0,          0s,                2020-01-01T00:00:00.25Z, ann,      list,   /apis/apps/v1/namespaces/a/deployments, a,         ,       apps/v1,    deployments, 
work,              workers,        1,          0,                   ann,             2020-01-01T00:00:01Z,   3,            0,          0s,                0001-01-01T00:00:00Z,    ann,      list,   /apis/apps/v1/namespaces/a/deployments, a,         ,       apps/v1,    deployments, 
work,              workers,        1,          1,                   ann,             2020-01-01T00:00:01.5Z, 1,            4,          5ms,               0001-01-01T00:00:00Z,    ann,      update, /apis/apps/v1/namespaces/a/deployments, a,         web,    apps/v1,    deployments, status
`

const scrapeOf137 = `# HELP apiserver_flowcontrol_current_r R(time of last change)
# TYPE apiserver_flowcontrol_current_r gauge
apiserver_flowcontrol_current_r{priority_level="work"} 12.5
apiserver_flowcontrol_current_limit_seats{priority_level="work"} 11
apiserver_flowcontrol_nominal_limit_seats{priority_level="work"} 9
apiserver_request_total{code="200"} 5
`

// read reads one file that holds all texts.
func read(texts ...string) (*Moment, []Fault) {
	m, faults, _ := Read([]File{{"pages.txt", []byte(strings.Join(texts, ""))}})
	return m, faults
}

func TestPagesInOneFile(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll(levelsOf127+queuesOf137+requestsOf137+scrapeOf137, "\n", end)
		m, faults := read(text)
		if len(faults) > 0 || len(m.Servers) != 1 {
			t.Fatalf("%+v %+v", faults, m)
		}
		s := m.Servers[0]
		l := s.Levels[1]
		got := fmt.Sprintln(s.Time, s.Pages, s.Scraped, s.Levels[0].Bare, l.Name, l.Waiting, l.Dispatched, l.Rejected, l.Limit, l.Nominal, l.R, l.Queues[0].NextDispatchR, l.Queues[1].NextDispatchR, l.Queues[0].SeatsInUse)
		got = strings.TrimSpace(got)
		want := "2020-01-01 00:00:01.5 +0000 UTC {true true true true true} true true work 2 7 3 11 9 1250000000 1203000000 7 10"
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		a, b := l.Requests[0], l.Requests[2]
		got = fmt.Sprintln(a.Phase, a.Queue, "|", a.Flow, "|", a.Start.Sub(a.Arrival), a.InitialSeats, a.Verb, a.Name, b.Phase, b.Start.IsZero(), b.FinalSeats, b.AdditionalLatency, b.User, b.Verb, b.Group, b.Version, b.Resource, b.Subresource, b.Name)
		if want := "1 0 | ann, or so | 250ms 10 list  0 true 4 5ms ann update apps v1 deployments status web"; strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// A page whose columns were moved is cut at its commas.
func TestPageThatWasReformatted(t *testing.T) {
	m, faults := read("PriorityLevelName,Index,PendingRequests,ExecutingRequests,SeatsInUse,NextDispatchR,InitialSeatsSum,MaxSeatsSum,TotalWorkSum\nwork,0,3,1,10,12.03000000ss,0,0,0.00000000ss\n")
	if len(faults) > 0 || m.Servers[0].Levels[0].Queues[0].Pending != 3 {
		t.Errorf("%+v %+v", faults, m)
	}
}

func TestPagesOfSeveralServers(t *testing.T) {
	m, faults := read("==> apiserver-0 <==\n", queuesOf137, "\n==> apiserver-2 <==\n", queuesOf137, "==> apiserver-0 <==\n", requestsOf137)
	if len(faults) > 0 || len(m.Servers) != 2 || m.Servers[1].Name != "apiserver-2" || len(m.Servers[0].Levels[0].Requests) != 3 {
		t.Errorf("%+v %+v", faults, m.Servers)
	}
}

// An idle server tells its time by the header of HTTP alone.
func TestTimeOfTheHTTPHeader(t *testing.T) {
	m, faults := read("HTTP/2 200\ndate: Mon, 30 Nov 2026 13:26:00 GMT\ncontent-type: text/plain\n\n", levelsOf127)
	if want := time.Date(2026, 11, 30, 13, 26, 0, 0, time.UTC); len(faults) > 0 || !m.Servers[0].Time.Equal(want) {
		t.Errorf("%+v %v", faults, m.Servers[0].Time)
	}
}

func TestFaultsOfPages(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":     {"\n", "pages.txt:1:1: the file is empty"},
		"json":      {`{"kind":"Status"}`, `pages.txt:1:1: no page begins with "{\"kind\":\"Status\"}"`},
		"kubectl":   {"Error from server (Forbidden): no", `pages.txt:1:1: no page begins with "Error from server (Forbidden): no"`},
		"number":    {strings.Replace(queuesOf137, "10, ", "ten,", 1), `pages.txt:2:64: SeatsInUse: "ten" is not legal`},
		"work":      {strings.Replace(queuesOf137, "12.03000000ss", "12.03ss      ", 1), `pages.txt:2:76: NextDispatchR: "12.03ss      " is not legal`},
		"time":      {strings.Replace(requestsOf137, "2020-01-01T00:00:01Z", "yesterday           ", 1), `pages.txt:3:86: ArriveTime: "yesterday           " is not legal`},
		"cut off":   {queuesOf137 + "work,              2,", "pages.txt:4:1: 3 cells below 9 titles"},
		"twice":     {queuesOf137 + queuesOf137, "pages.txt:5:1: queue 0 of work a second time, after pages.txt:2"},
		"gap":       {strings.Replace(queuesOf137, "work,              0, ", "work,              2, ", 1), "pages.txt:3:1: "},
		"no column": {strings.ReplaceAll(queuesOf137, "PendingRequests", "PendingRequestz"), "pages.txt:1:1: the column PendingRequests is missing"},
		"no queue":  {strings.Replace(requestsOf137, "1,          0,   ", "-1,         0,   ", 1), "pages.txt:3:1: a request waits in no queue"},
		"no sample": {"apiserver_flowcontrol_current_r{priority_level=\"work\"} much\n", "pages.txt:1:1: no sample of apiserver_flowcontrol_current_r"},
	} {
		_, faults := read(c.text)
		if len(faults) == 0 {
			t.Errorf("%s: no fault", name)
			continue
		}
		f := faults[0]
		if got := fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Problem); !strings.HasPrefix(got, c.want) && name != "gap" || f.Legal == "" && name != "twice" {
			t.Errorf("%s: got %s (%s), want %s", name, got, f.Legal, c.want)
		}
	}
}

// A column that nobody knows is counted and not dropped in silence.
func TestUnknownColumnIsCounted(t *testing.T) {
	_, faults, account := Read([]File{{"a", []byte(strings.ReplaceAll(queuesOf137, "SeatsInUse,", "SeatsInMind,"))}})
	if len(faults) > 0 || account.LeftOut[`column "SeatsInMind", which is not known`] != 1 {
		t.Errorf("%+v %+v", faults, account.LeftOut)
	}
}

// Whatever is read, nothing panics, and faults have places.
func FuzzRead(f *testing.F) {
	for _, text := range []string{levelsOf127, queuesOf137, requestsOf137, scrapeOf137, levelsOf127 + queuesOf137 + requestsOf137 + scrapeOf137, "==> a-1 <==\n" + queuesOf137, "HTTP/1.1 200 OK\nDate: x\n\n" + levelsOf127} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, faults, account := Read([]File{{"a", text}})
		for _, fault := range faults {
			if fault.Line < 1 || fault.Column < 1 || fault.Problem == "" {
				t.Errorf("%+v", fault)
			}
		}
		n := int64(0)
		for _, s := range m.Servers {
			for _, l := range s.Levels {
				n += int64(len(l.Requests))
			}
		}
		if n != account.Requests {
			t.Errorf("%d requests, the account has %d", n, account.Requests)
		}
	})
}
