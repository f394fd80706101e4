package observed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// queryMax is the largest answer of Prometheus that is read, in bytes.
const queryMax = 1 << 30

// answer is what the HTTP API of Prometheus answers to query and query_range.
type answer struct {
	Status string `json:"status"`
	Error  string `json:"error"`
	Data   struct {
		ResultType string   `json:"resultType"`
		Result     []series `json:"result"`
	} `json:"data"`
}

// series is one of its series: a matrix has values, a vector a value.
type series struct {
	Metric map[string]string `json:"metric"`
	Values []point           `json:"values"`
	Value  *point            `json:"value"`
}

// point is [seconds, "value"].
type point struct {
	at    int64
	value float64
}

// UnmarshalJSON reads a time and a value.
func (p *point) UnmarshalJSON(text []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(text, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("%.40s is not [time, \"value\"]", text)
	}
	var seconds float64
	var value string
	if err := errors.Join(json.Unmarshal(pair[0], &seconds), json.Unmarshal(pair[1], &value)); err != nil {
		return fmt.Errorf("%.40s is not [time, \"value\"]", text)
	}
	var err error
	if p.at, err = toNanos(seconds); err != nil {
		return err
	}
	p.value, err = parseValue(value)
	return err
}

// readQuery reads an answer of Prometheus. What is malformed is told.
func readQuery(text io.Reader, fault func(line int64, problem string, text []byte), take func(sample)) (lines int64, err error) {
	all, err := io.ReadAll(io.LimitReader(text, queryMax+1))
	if err != nil {
		return 0, err
	}
	lines = int64(bytes.Count(all, []byte("\n"))) + 1
	if len(all) > queryMax {
		fault(1, fmt.Sprintf("the answer is longer than %d bytes: ask for fewer metrics or a shorter time", queryMax), nil)
		return lines, nil
	}
	var a answer
	if err := json.Unmarshal(all, &a); err != nil {
		line, problem := jsonFault(all, err)
		fault(line, problem, nil)
		return lines, nil
	}
	switch {
	case a.Status != "success":
		fault(1, fmt.Sprintf("no answer of Prometheus to a query that succeeded (status %q, error %q)", a.Status, a.Error), nil)
	case a.Data.ResultType != "matrix" && a.Data.ResultType != "vector":
		fault(1, fmt.Sprintf("the result is a %q: ask query_range, for a matrix", a.Data.ResultType), nil)
	default:
		unnamed := 0
		for i := range a.Data.Result {
			if a.Data.Result[i].Metric["__name__"] == "" {
				unnamed++
				continue
			}
			a.Data.Result[i].give(take)
		}
		if unnamed > 0 {
			fault(1, fmt.Sprintf("%d series have no name: ask for the metrics themselves, not for a rate() or sum() of them", unnamed), nil)
		}
	}
	return lines, nil
}

// jsonFault tells where a text is no JSON, or not of the form.
func jsonFault(text []byte, err error) (line int64, problem string) {
	offset := int64(0)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset, problem = syntax.Offset, "not JSON: "+syntax.Error()
	case errors.As(err, &wrong):
		offset, problem = wrong.Offset, fmt.Sprintf("%s is not of the kind that an answer of Prometheus has there", wrong.Field)
	default:
		problem = err.Error()
	}
	return int64(bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n"))) + 1, problem
}

// give gives the samples of a series.
func (s *series) give(take func(sample)) {
	name := s.Metric["__name__"]
	if !wanted(name) {
		return
	}
	var labels []label
	for _, key := range sortedKeys(s.Metric) {
		if key != "__name__" {
			labels = append(labels, label{key, s.Metric[key]})
		}
	}
	points := s.Values
	if s.Value != nil {
		points = append(points, *s.Value)
	}
	for _, p := range points {
		take(sample{name, labels, p.at, p.value})
	}
}
