package main

import (
	"errors"
	"image/png"
	"strings"
	"testing"
)

// stormy is a scenario in which requests wait and are rejected.
const stormy = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: stormy}
duration: 30s
clients:
- name: scanner
  count: 5
  user: scanner-{index}
  groups: [system:authenticated]
  requests: [{verb: get, resource: secrets, namespace: audit, name: key}]
  arrivals: {poisson: {rate: 200}}
  duration: {constant: 1s}
`

// charts lists the files of a folder, and checks that they are pictures.
func charts(t *testing.T, p *testProcess, folder string) []string {
	t.Helper()
	var names []string
	for _, name := range p.fs.names() {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok {
			names = append(names, rest)
			if _, err := png.Decode(strings.NewReader(p.fs.files[name])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	return names
}

// TestPlots holds that --plots writes the charts of a run, and that the saved result gives the
// same bytes.
func TestPlots(t *testing.T) {
	t.Parallel()
	files := map[string]string{"stormy.yaml": stormy}
	p := newProcess(files, "run", "stormy.yaml", "--plots", "run", "-o", "json=result.json")
	p.want(t, 0, "", "")
	drawn := charts(t, p, "run")
	if all := strings.Join(drawn, " "); !strings.Contains(all, "rejections.png") || !strings.Contains(all, "wait-levels.png") {
		t.Errorf("charts of rejections and waits are missing: %s", all)
	}
	files["result.json"] = p.fs.files["result.json"]
	q := newProcess(files, "report", "result.json", "--plots", "saved")
	q.want(t, 0, "stormy", "")
	if got := charts(t, q, "saved"); len(got) != len(drawn) {
		t.Errorf("the run draws %q, its saved result %q", drawn, got)
	}
	for _, name := range drawn {
		if p.fs.files["run/"+name] != q.fs.files["saved/"+name] {
			t.Errorf("%s of the saved result has other bytes", name)
		}
	}
}

// TestPlotsOfSeveral holds that charts of several scenarios are told apart by their names.
func TestPlotsOfSeveral(t *testing.T) {
	t.Parallel()
	p := newProcess(map[string]string{"stormy.yaml": stormy}, "run", "stormy.yaml", "stormy.yaml", "--plots", "charts")
	p.want(t, 0, "stormy", "")
	all := strings.Join(charts(t, p, "charts"), " ")
	for _, name := range []string{"stormy-rejections.png", "stormy-2-rejections.png"} {
		if !strings.Contains(all, name) {
			t.Errorf("%s is missing: %s", name, all)
		}
	}
}

func TestPlotsFaults(t *testing.T) {
	t.Parallel()
	files := map[string]string{"stormy.yaml": stormy}
	newProcess(files, "run", "stormy.yaml", "--plots", "").want(t, exitUsage, "", "--plots: the folder has no name")
	newProcess(files, "run", "stormy.yaml", "--plots", "stormy.yaml").want(t, exitInput, "", "stormy.yaml: is not a folder")
	newProcess(files, "run", "stormy.yaml", "--plots", "locked").want(t, exitInput, "", "locked: cannot make the folder: permission denied")
	p := newProcess(files, "run", "stormy.yaml", "--plots", "charts")
	p.fs.commitFault = errors.New("the disk is full")
	p.want(t, exitInput, "stormy", "the disk is full")
	if got := charts(t, p, "charts"); len(got) > 0 || p.fs.pending != 0 {
		t.Errorf("left behind: %q, %d in the making", got, p.fs.pending)
	}
}
