package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/scenarios"
)

// comparedSide is one of two sides: a saved result, or a scenario to be run.
type comparedSide struct {
	name     string
	scenario *scenarios.Scenario
	result   *reports.Result
	// words are the flags that make the scenario what it is.
	words []string
}

// sidePair are both sides, and what there is to know about them.
type sidePair struct {
	a, b  comparedSide
	notes []string
}

// sides lists both.
func (p *sidePair) sides() [2]*comparedSide { return [2]*comparedSide{&p.a, &p.b} }

// input is a side as it is compared.
func (s *comparedSide) input() compare.Input { return compare.Input{Name: s.name, Result: s.result} }

// names are what conditions can be about.
func (s *comparedSide) names() compare.Names {
	if s.result != nil {
		return compare.NamesOf(s.result)
	}
	cfg := &s.scenario.Config
	n := compare.Names{Servers: max(cfg.Servers, 1)}
	for i := range cfg.Scheduler.PriorityLevels {
		n.PriorityLevels = append(n.PriorityLevels, cfg.Scheduler.PriorityLevels[i].Name)
	}
	for i := range cfg.Scheduler.FlowSchemas {
		n.FlowSchemas = append(n.FlowSchemas, cfg.Scheduler.FlowSchemas[i].Name)
	}
	for i := range cfg.Populations {
		n.Clients = append(n.Clients, cfg.Populations[i].Name)
	}
	for i := range cfg.Changes {
		var later compare.Names
		for _, l := range cfg.Changes[i].PriorityLevels {
			later.PriorityLevels = append(later.PriorityLevels, l.Name)
		}
		for _, s := range cfg.Changes[i].FlowSchemas {
			later.FlowSchemas = append(later.FlowSchemas, s.Name)
		}
		n = n.Join(later)
	}
	return n
}

// variant is what the flags make of one side of a scenario.
type variant struct {
	settings  []scenarios.Setting
	manifests []string
	// label are the flags as the user gave them, for this side alone.
	label []string
	// own tells that there are values for this side alone.
	own bool
}

// words are the flags of `apfsim run` that make the same of a scenario.
func (v *variant) words() []string {
	flags := variationFlags{manifests: v.manifests}
	for _, s := range v.settings {
		flags.sets = append(flags.sets, s.Text)
	}
	return flags.words()
}

// ranges tells whether any flag has one value for each side.
func (f *compareFlags) ranges() bool {
	for _, v := range []string{f.version, f.seats, f.reads, f.writes} {
		if strings.Contains(v, rangeMark) {
			return true
		}
	}
	return rangeAt(f.manifests) >= 0
}

// rangeAt finds where the .. of a range of file names is, -1 if it is none: .. before a slash
// is a folder.
func rangeAt(names string) int {
	for i := 0; i+2 < len(names); i++ {
		if names[i:i+2] == rangeMark && names[i+2] != '/' {
			return i
		}
	}
	return -1
}

// variants makes both variants of the flags.
func (f *compareFlags) variants(p *Process) (out [2]variant, err error) {
	manifests := [2]string{f.manifests, f.manifests}
	if at := rangeAt(f.manifests); at >= 0 {
		manifests = [2]string{f.manifests[:at], f.manifests[at+2:]}
	}
	for i := range out {
		v := &out[i]
		if manifests[i] != "" {
			v.manifests = []string{manifests[i]}
			v.label = append(v.label, manifestsFlag, manifests[i])
		}
		if err := f.release(v, i); err != nil {
			return out, err
		}
		if err := f.size(v, i); err != nil {
			return out, err
		}
	}
	out[0].own, out[1].own = f.ranges(), f.ranges() || len(f.variation.sets) > 0
	options, err := f.variation.options(p)
	out[1].settings = append(out[1].settings, options.Settings...)
	out[1].label = append(out[1].label, f.variation.words()...)
	return out, err
}

// release puts the release of a side into its variant.
func (f *compareFlags) release(v *variant, i int) error {
	text := both(f.version)[i]
	if text == "" {
		return nil
	}
	if _, err := parseRelease("--kubernetes-version", text); err != nil {
		return err
	}
	v.settings = append(v.settings, scenarios.Setting{Flag: "--kubernetes-version", Text: "kubernetesVersion=" + text})
	v.label = append(v.label, "--kubernetes-version", text)
	return nil
}

// size puts the seats of a side into its variant. Their sum is divided as the server's
// defaults divide it; only the sum counts.
func (f *compareFlags) size(v *variant, i int) error {
	if f.seats != "" && (f.reads != "" || f.writes != "") {
		return usagef("", "--seats stands in place of --%s and --%s", readsFlag, writesFlag)
	}
	set := func(flag, field string, n int) {
		v.settings = append(v.settings, scenarios.Setting{Flag: "--" + flag, Text: "server." + field + "=" + strconv.Itoa(n)})
	}
	for _, part := range []struct {
		flag, text string
		set        func(n int)
	}{
		{seatsFlag, f.seats, func(n int) {
			set(seatsFlag, "maxRequestsInflight", n-n/3)
			set(seatsFlag, "maxMutatingRequestsInflight", n/3)
		}},
		{readsFlag, f.reads, func(n int) { set(readsFlag, "maxRequestsInflight", n) }},
		{writesFlag, f.writes, func(n int) { set(writesFlag, "maxMutatingRequestsInflight", n) }},
	} {
		text := both(part.text)[i]
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return usagef("", "--%s %s: a whole number is needed, or two of them, as in 400..800", part.flag, part.text)
		}
		part.set(n)
		v.label = append(v.label, "--"+part.flag, text)
	}
	return nil
}

// sides reads both sides.
func (f *compareFlags) sides(p *Process, args []string) (*sidePair, error) {
	if err := f.arguments(args); err != nil {
		return nil, err
	}
	variants, err := f.variants(p)
	if err != nil {
		return nil, err
	}
	if len(args) == 1 {
		args = []string{args[0], args[0]}
	}
	pair := &sidePair{}
	var stdin []byte
	var said [2]bytes.Buffer
	for i, s := range pair.sides() {
		if args[i] == "-" && stdin == nil {
			if stdin, err = readInput(p, "-"); err != nil {
				return nil, inputf("", "<stdin>: cannot read the file: %s", fileReason(err))
			}
		}
		from := *p
		from.Stdin, from.Stderr = bytes.NewReader(stdin), &said[i]
		if err := s.load(&from, args[i], &variants[i]); err != nil {
			return nil, err
		}
		if i == 0 || !bytes.Equal(said[0].Bytes(), said[1].Bytes()) {
			p.Stderr.Write(said[i].Bytes())
		}
	}
	return pair, f.settle(pair)
}

// arguments checks what is to be compared.
func (f *compareFlags) arguments(args []string) error {
	for _, arg := range args {
		if arg == "" {
			return usagef("is a variable of the shell empty?", "a side has no name")
		}
	}
	switch {
	case len(args) == 0:
		return usagef("name two results or scenarios, or one scenario and what to change, as in --set PATH=VALUE", "nothing to compare")
	case len(args) > 2:
		return usagef("", "compare takes two sides, got %d", len(args))
	case len(args) == 2 && args[0] == "-" && args[1] == "-":
		return usagef("", "the standard input can be read once")
	case len(args) == 2 && f.ranges():
		return usagef("name one scenario to compare it with itself", "values as A..B make two sides of one scenario, and two are named")
	case len(args) == 1 && !f.ranges() && len(f.variation.sets) == 0:
		return usagef("name a second one, or what to change: --set PATH=VALUE, --manifests OLD..NEW, --kubernetes-version 1.33..1.34, --seats 600..800",
			"%s is compared with nothing", args[0])
	}
	return nil
}

// load reads one side.
func (s *comparedSide) load(p *Process, arg string, v *variant) error {
	s.name = inputName(arg)
	if _, library := scenarios.LibraryFile(arg); !library {
		text, err := readInput(p, arg)
		if err == nil && isSaved(text) {
			if v.own {
				return usagef("name the scenario that it was made from", "%s is a saved result, which flags cannot change", s.name)
			}
			return s.loadSaved(text)
		}
		if arg == "-" {
			p.Stdin = bytes.NewReader(text)
		}
	}
	loaded, err := loadAllWith(p, []string{arg}, scenarios.Options{Settings: v.settings, Manifests: v.manifests, ManifestFiles: p.FS})
	if err != nil {
		return err
	}
	s.scenario, s.words = loaded[0], v.words()
	for _, word := range v.label {
		s.name += " " + shellWord(word)
	}
	return nil
}

// savedMark stands near the beginning of every saved result or comparison, and in no scenario.
var savedMark = regexp.MustCompile(`"kind"\s*:\s*"(Result(List)?|Comparison)"`)

// isSaved tells whether a text is a saved result, or a list of them, and no scenario.
func isSaved(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && text[0] == '{' && savedMark.Match(text[:min(len(text), 1000)])
}

// loadSaved reads the one result of a saved file.
func (s *comparedSide) loadSaved(text []byte) error {
	r := &savedReader{file: s.name, text: text}
	list := r.read()
	switch {
	case len(r.faults) > 0:
		return badInput{r.faults}
	case len(list) != 1:
		return inputf("write each to a file of its own, as with apfsim run SCENARIO -o json=FILE", "%s: it holds %d results, and one can be compared", s.name, len(list))
	}
	s.result = list[0]
	return nil
}

// fewestReplications tell enough from chance to be worth a comparison.
const fewestReplications = 5

// settle gives both sides one seed and one number of replications: those of a saved result if
// there is one, else those of the flags, or of A.
func (f *compareFlags) settle(pair *sidePair) error {
	a, b := &pair.a, &pair.b
	if a.result != nil && b.result != nil {
		for _, flag := range []string{"seed", "replications", "manifests", "kubernetes-version", seatsFlag, readsFlag, writesFlag} {
			if f.given(flag) {
				return usagef("", "--%s is for scenarios, and both sides are saved results", flag)
			}
		}
		return nil
	}
	seed, replications := uint64(0), 0
	switch {
	case a.result != nil:
		seed, replications = a.result.Seed, len(a.result.Replications)
		pair.notes = append(pair.notes, "B has the seed and the number of replications of the saved result")
	case b.result != nil:
		seed, replications = b.result.Seed, len(b.result.Replications)
		pair.notes = append(pair.notes, "A has the seed and the number of replications of the saved result")
	default:
		seed, replications = a.scenario.Config.Seed, max(a.scenario.Replications, b.scenario.Replications)
		if replications < fewestReplications && !f.given("replications") {
			pair.notes = append(pair.notes, fmt.Sprintf("%d replications in place of %d, since a few cannot tell a change from chance", fewestReplications, replications))
			replications = fewestReplications
		}
		if seed != b.scenario.Config.Seed && !f.given("seed") {
			pair.notes = append(pair.notes, fmt.Sprintf("B has the seed of A, %d, in place of its own, %d", seed, b.scenario.Config.Seed))
		}
	}
	if f.given("seed") {
		seed = f.seed
	}
	if f.given("replications") {
		replications = f.replications
	}
	for _, s := range pair.sides() {
		s.settle(seed, replications)
	}
	return nil
}

// settle sets the seed and the number of replications of a scenario, and says so.
func (s *comparedSide) settle(seed uint64, replications int) {
	if s.scenario == nil {
		return
	}
	if s.scenario.Config.Seed != seed {
		s.scenario.Config.Seed = seed
		s.words = append(s.words, "--seed", strconv.FormatUint(seed, 10))
	}
	if s.scenario.Replications != replications {
		s.scenario.Replications = replications
		s.words = append(s.words, "--replications", strconv.Itoa(replications))
	}
}

// run runs the scenarios, A before B.
func (p *sidePair) run(r *runner) error {
	r.process.stopper.onStop(r.stop)
	for _, s := range p.sides() {
		if s.scenario == nil {
			continue
		}
		r.overrides = s.words
		var err error
		if s.result, err = r.one(s.scenario); err != nil {
			return err
		}
	}
	return nil
}

// proposable refuses forms of a proposal between things that are no two configurations of one cluster.
func (p *sidePair) proposable(targets []target) error {
	for _, t := range targets {
		if slices.Contains(proposalForms, t.form) && (p.a.scenario == nil || p.b.scenario == nil || p.a.scenario.File != p.b.scenario.File) {
			return usagef("name one scenario and what to change, as in --set PATH=VALUE", "-o %s needs two configurations of one scenario", t.form)
		}
	}
	return nil
}

// propose writes the forms that tell how to come from A to B.
func (p *sidePair) propose(targets []target, writers []io.Writer) error {
	for i, t := range targets {
		if !slices.Contains(proposalForms, t.form) {
			continue
		}
		proposal, err := proposalBetween(p.a.scenario, p.b.scenario)
		if err != nil {
			return err
		}
		if err := writeProposal(writers[i], proposal, t.form); err != nil {
			return cannotWrite(t.file, err)
		}
	}
	return nil
}
