package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/apfsim/apfsim/reports/study"
)

// leader follows a sweep while it is run: how much of it is there, and which point of its first scenario is the
// best so far.
type leader struct {
	model *study.Study
	// places are those of the records that are waited for, by their keys.
	places map[string]study.Place

	mu   sync.Mutex
	done int
	// point and record are the best so far; record is nil before there is one.
	point  int
	record *study.Record
	text   string
}

// follow makes the leader of a sweep that begins with some records.
func (s *sweep) follow(mine []task, known map[string]*study.Record) *leader {
	l := &leader{model: s.model(), places: map[string]study.Place{}}
	places := map[string]study.Place{}
	for _, at := range l.model.Places() {
		run := l.model.Bare(at)
		places[run.Key()] = at
	}
	for i := range mine {
		run := mine[i].run()
		bare := run.Bare()
		l.places[run.Key()] = places[bare.Key()]
		if r := known[run.Key()]; r != nil {
			l.made(run.Key(), r)
		}
	}
	return l
}

// made takes a record.
func (l *leader) made(key string, r *study.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, wanted := l.places[key]
	if !wanted {
		return
	}
	l.done++
	if at.Scenario != 0 || at.Point == study.AsItIs || r.Invalid != "" {
		return
	}
	if l.record != nil && !l.better(at.Point, r) {
		return
	}
	l.point, l.record = at.Point, r
	l.text = l.describe()
}

// rows are the best point and others as rows of a table.
func (l *leader) rows(points []int, records []*study.Record) *study.Table {
	model := *l.model
	model.Scenarios, model.Points = model.Scenarios[:1], nil
	for _, p := range points {
		model.Points = append(model.Points, l.model.Points[p])
	}
	return study.NewTable(&model, func(_, point int) *study.Record {
		if point == study.AsItIs {
			return nil
		}
		return records[point]
	})
}

// better tells whether a point is better than the best so far.
func (l *leader) better(point int, r *study.Record) bool {
	t := l.rows([]int{l.point, point}, []*study.Record{l.record, r})
	old, young := &t.Rows[1], &t.Rows[2]
	return t.Ranked([]*study.Row{old, young})[0] == young
}

// describe tells the settings of the best point and its first figure.
func (l *leader) describe() string {
	row := l.rows([]int{l.point}, []*study.Record{l.record}).Rows[1]
	var parts []string
	for i, value := range row.Values {
		path := l.model.Factors[i].Path
		parts = append(parts, path[strings.LastIndexAny(path, "./")+1:]+"="+value)
	}
	text := strings.Join(parts, " ")
	i := slices.IndexFunc(row.Cells, func(c study.Cell) bool { return c.Mean != nil })
	if i < 0 {
		return text
	}
	return fmt.Sprintf("%s: %s %s", text, l.model.Columns[i].Text, row.Cells[i].Metric.Text(*row.Cells[i].Mean))
}

// note is what the progress display says beside.
func (l *leader) note() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := fmt.Sprintf("%d of %d points", l.done, len(l.places))
	if l.text == "" {
		return text
	}
	return text + ", best so far " + l.text
}
