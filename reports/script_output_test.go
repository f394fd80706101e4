package reports

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

func (s *script) merged() *Result { return Merge(s.info, s.runs) }

// text renders the text report. Tabs and trailing blanks would not survive in a script, so
// there must be none.
func (s *script) text() string {
	o := TextOptions{}
	var only string
	for _, arg := range s.d.CmdArgs {
		switch arg.Key {
		case "width":
			arg.Scan(s.t, 0, &o.Width)
		case "color":
			o.Color = true
		case "section":
			only = strings.Join(arg.Vals, " ")
		}
	}
	var b bytes.Buffer
	if err := WriteText(&b, s.merged(), o); err != nil {
		s.d.Fatalf(s.t, "%v", err)
	}
	out := b.String()
	for i, line := range strings.Split(out, "\n") {
		if strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
			s.t.Errorf("line %d has a tab or a trailing blank: %q", i+1, line)
		}
	}
	if o.Color {
		return strings.ReplaceAll(strconv.QuoteToGraphic(out), `\n`, "\n")
	}
	if only == "" {
		return out
	}
	var kept []string
	for _, section := range strings.Split(out, "\n\n") {
		if strings.HasPrefix(section, only) {
			kept = append(kept, strings.TrimSuffix(section, "\n")+"\n")
		}
	}
	return strings.Join(kept, "")
}

// json renders the JSON report, or the value at a path of keys and indexes.
func (s *script) json() string {
	var b bytes.Buffer
	if err := WriteJSON(&b, s.merged()); err != nil {
		s.d.Fatalf(s.t, "%v", err)
	}
	var path string
	s.d.MaybeScanArgs(s.t, "path", &path)
	if path == "" {
		return b.String()
	}
	value := json.RawMessage(b.Bytes())
	for _, key := range strings.Split(path, "/") {
		value = s.member(value, key)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, value, "", " "); err != nil {
		s.d.Fatalf(s.t, "%v", err)
	}
	return out.String() + "\n"
}

func (s *script) member(value json.RawMessage, key string) json.RawMessage {
	if i, err := strconv.Atoi(key); err == nil {
		var list []json.RawMessage
		if err := json.Unmarshal(value, &list); err != nil || i >= len(list) {
			s.d.Fatalf(s.t, "no element %d: %v", i, err)
		}
		return list[i]
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(value, &object); err != nil || object[key] == nil {
		s.d.Fatalf(s.t, "no member %q: %v", key, err)
	}
	return object[key]
}

// judge reads lines such as "wait level=work quantile=0.99 below=100ms". A flow of "-" is the one
// of an empty name.
func (s *script) judge() string {
	var expectations []Expectation
	for _, line := range s.lines() {
		o := s.parse(line)
		e := Expectation{
			Metric:        Metric(o.words[0]),
			PriorityLevel: o.pairs["level"],
			FlowSchema:    o.pairs["schema"],
			Client:        o.pairs["client"],
			Window:        Window{From: o.duration("from"), Until: o.duration("until")},
			AllowNoData:   o.has("allow-no-data"),
			Confident:     o.has("confident"),
		}
		if flow, ok := o.pairs["flow"]; ok {
			e.Flow = new(strings.TrimPrefix(flow, "-"))
		}
		e.Holder = o.pairs["holder"]
		if q, ok := o.pairs["quantile"]; ok {
			e.Quantile, _ = strconv.ParseFloat(q, 64)
		}
		if _, ok := o.pairs["at"]; ok {
			at := o.duration("at")
			e.At = &at
		}
		if _, ok := o.pairs["server"]; ok {
			server := o.number("server", 0)
			e.Server = &server
		}
		e.Equals, e.Below, e.Above = o.bound("equals"), o.bound("below"), o.bound("above")
		expectations = append(expectations, e)
	}
	var b strings.Builder
	for _, v := range Judge(s.merged(), expectations) {
		b.WriteString(v.String() + "\n")
		if v.Passed() != strings.HasPrefix(v.String(), "passed") {
			s.t.Errorf("Passed() = %v for %v", v.Passed(), &v)
		}
	}
	return b.String()
}

func (o options) bound(key string) *float64 {
	text, ok := o.pairs[key]
	if !ok {
		return nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		value = float64(o.s.time(text))
	}
	return &value
}
