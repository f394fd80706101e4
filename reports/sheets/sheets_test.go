package sheets

import (
	"encoding/csv"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// table reads what a writer writes, and holds that all rows are as long as the header.
func table(t *testing.T, text string) []map[string]string {
	t.Helper()
	if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Errorf("not all lines end with CRLF: %q", text)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		cells := map[string]string{}
		for i, name := range rows[0] {
			cells[name] = row[i]
		}
		out = append(out, cells)
	}
	return out
}

func TestFigures(t *testing.T) {
	value := func(x float64) *reports.Value { return new(reports.Value(x)) }
	results := []*reports.Result{{
		Metadata: reports.Metadata{Name: "a"}, Replications: make([]reports.Replication, 1),
		Figures: []reports.Figure{
			{Metric: reports.MetricWait, PriorityLevel: `x,"y`, Quantile: 0.99, Value: 0.0000015, Samples: 3, EffectiveSamples: 2, FewSamples: true, Replications: []*reports.Value{value(1234567.5)}},
			{Metric: reports.MetricDrained, Client: "c", Value: reports.Value(math.Inf(1)), Replications: []*reports.Value{nil}},
		},
	}, {
		Metadata: reports.Metadata{Name: "b"}, Replications: make([]reports.Replication, 2),
		Figures: []reports.Figure{
			{Metric: reports.MetricLatency, Value: 2, Replications: []*reports.Value{value(1), value(3)}},
			{Metric: reports.MetricServerShare, Server: new(1), Value: 0.5, Replications: []*reports.Value{value(0.25), nil}},
			{Metric: reports.MetricSeatsPeak, FlowSchema: "f", Value: 7, Samples: 9, Replications: []*reports.Value{value(6), value(7)}},
		},
	}}
	var b strings.Builder
	if err := WriteFigures(&b, results); err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(`scenario,metric,priorityLevel,flowSchema,client,holder,server,quantile,unit,value,samples,effectiveSamples,fewSamples,replication0,replication1
a,wait,"x,""y",,,,,0.99,seconds,0.0000015,3,2,true,1234567.5,
a,drained,,,c,,,,seconds,Inf,0,,false,,
b,latency,,,,,,mean,seconds,2,0,,false,1,3
b,serverShare,,,,,1,,share,0.5,0,,false,0.25,
b,seatsPeak,,f,,,,,seats,7,9,,false,6,7
`, "\n", "\r\n")
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	table(t, b.String())
}

func TestSeries(t *testing.T) {
	group := func(name string) reports.GroupTimeline {
		return reports.GroupTimeline{Name: name, Arrivals: []int64{5, 6}, Seats: []reports.Number{0.5, 1e-7}}
	}
	r := &reports.Result{
		Metadata:     reports.Metadata{Name: "s"},
		Replications: []reports.Replication{{End: reports.Duration(1500 * time.Millisecond)}},
		Timeline: &reports.Timeline{
			Slice: reports.Duration(time.Second), Slices: 2,
			PriorityLevels: []reports.LevelTimeline{{GroupTimeline: group("l"), Nominal: []int64{7, 8}}},
			FlowSchemas:    []reports.GroupTimeline{group("f")},
			Populations:    []reports.GroupTimeline{group("p")},
		},
	}
	var b strings.Builder
	if err := WriteSeries(&b, []*reports.Result{{Metadata: reports.Metadata{Name: "none"}}, r}); err != nil {
		t.Fatal(err)
	}
	rows := table(t, b.String())
	if len(rows) != 6 {
		t.Fatalf("%d rows in\n%s", len(rows), b.String())
	}
	for _, c := range []struct {
		row        int
		name, want string
	}{
		{0, "kind", "priorityLevel"}, {0, "name", "l"}, {0, "startSeconds", "0"}, {0, "lengthSeconds", "1"}, {0, "arrivals", "5"},
		{0, "executed", "0"}, {0, "seatsNominal", "7"}, {0, "seatsPeak", "0"}, {1, "startSeconds", "1"}, {1, "lengthSeconds", "0.5"},
		{1, "seatsMean", "0.0000001"}, {1, "seatsNominal", "8"}, {2, "kind", "flowSchema"}, {2, "seatsNominal", ""}, {4, "kind", "client"},
		{5, "arrivals", "6"}, {5, "waitMaxSeconds", "0"},
	} {
		if got := rows[c.row][c.name]; got != c.want {
			t.Errorf("row %d, %s: got %q, want %q", c.row, c.name, got, c.want)
		}
	}
}
