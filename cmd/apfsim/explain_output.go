package main

import (
	"fmt"

	"github.com/apfsim/apfsim/scenarios/explain"
)

// explanationList is what explain prints as JSON for several requests.
type explanationList struct {
	APIVersion string                 `json:"apiVersion"`
	Kind       string                 `json:"kind"`
	Items      []*explain.Explanation `json:"items"`
}

// explainer loads the configuration that requests are explained under.
func (f *explainFlags) explainer(p *Process) (*explain.Explainer, error) {
	if _, err := new(sizeFlags).server(&f.configuration, func(string) bool { return false }); err != nil {
		return nil, err
	}
	loaded, err := f.configuration.load(p)
	if err != nil {
		return nil, err
	}
	cfg := f.configuration.scheduler(loaded)
	if loaded.Server != nil {
		cfg.Objects, cfg.Watches = loaded.Server.Objects, loaded.Server.Watches
	}
	if err := f.stored.fill(&cfg); err != nil {
		return nil, err
	}
	e, err := explain.New(loaded, cfg)
	if err != nil {
		return nil, usagef("", "%s", err)
	}
	return e, nil
}

// requests explains requests and prints what there is to say. As JSON, several are a list
// even if it is one.
func (f *explainFlags) requests(p *Process, requests []explain.Request, form string, several bool) error {
	e, err := f.explainer(p)
	if err != nil {
		return err
	}
	list := explanationList{APIVersion: outputVersion, Kind: "ExplanationList", Items: []*explain.Explanation{}}
	var before *explain.Explanation
	for i, r := range requests {
		x := e.Explain(r)
		if form == formJSON {
			list.Items = append(list.Items, x)
			continue
		}
		if len(requests) > 1 {
			head := fmt.Sprintf("== request %d of %d ==\n\n", i+1, len(requests))
			if i > 0 {
				head = "\n" + head
			}
			fmt.Fprint(p.Stdout, head)
		}
		if err := x.WriteText(p.Stdout, explain.TextOptions{All: f.all, Before: before}); err != nil {
			return err
		}
		before = x
	}
	switch {
	case form != formJSON:
		return nil
	case several:
		return writeJSON(p.Stdout, list)
	}
	return writeJSON(p.Stdout, list.Items[0])
}
