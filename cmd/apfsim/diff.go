package main

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/seats"
	"github.com/spf13/cobra"
)

// exitDifferent tells that `apfsim diff` found a difference, as kubectl diff does.
const exitDifferent = exitExpectation

// diffFlags are the flags of `apfsim diff`.
type diffFlags struct {
	// Each of these is one value for both sides, or BEFORE..AFTER.
	version, reads, writes, seats string

	recursive, noDefaults bool
	requests              string
	output                outputFlag

	validate string

	// changed tells whether a flag was given.
	changed func(flag string) bool
	// stdin is the standard input, if any file is called -.
	stdin []byte
}

// diffCommand makes `apfsim diff`.
func diffCommand(p *Process) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff [BEFORE] [AFTER]",
		Short: "Print what changes for whom between two configurations, releases or server sizes",
		Long: `Compare two configurations of flow control and print what changes: the objects, the
seats of each level, the FlowSchema and level that requests go to, and how many seats
they are expected to need.

BEFORE and AFTER are files or folders of FlowSchemas and PriorityLevelConfigurations,
or - for the standard input; their objects are put over the built-in ones of the
release. One file alone is compared with the built-in objects, or with itself if a flag
tells two releases or sizes, as BEFORE..AFTER.

The requests are a built-in set of those that any cluster has, or the distinct ones of
a trace (--requests). The costs are those of typical LISTs, watches and writes in each
level. The exit code is 0 if nothing differs, 1 if something does, and above that if
something is wrong, as with kubectl diff.`,
		Example: `  apfsim diff flowcontrol.yaml
  apfsim diff --kubernetes-version 1.37..1.37.2
  apfsim diff --max-requests-inflight 400..800 flowcontrol.yaml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(p, args) },
	}
	flags := c.Flags()
	flags.StringVar(&f.version, "kubernetes-version", scenarios.DefaultVersion, "`release` of the server, or BEFORE..AFTER")
	flags.StringVar(&f.reads, readsFlag, "400", "the server's flag, a `number`, or BEFORE..AFTER")
	flags.StringVar(&f.writes, writesFlag, "200", "the server's flag, a `number`, or BEFORE..AFTER")
	flags.StringVar(&f.seats, "seats", "", "`number` of seats of the server in place of the two flags, or BEFORE..AFTER")
	flags.BoolVarP(&f.recursive, "recursive", "R", false, "read the folders within folders too")
	flags.BoolVar(&f.noDefaults, "no-defaults", false, "leave out the suggested objects that come with the release")
	flags.StringVar(&f.validate, validateFlag, string(scenarios.ValidateStrict), validateUsage)
	f.changed = flags.Changed
	flags.StringVar(&f.requests, "requests", "", "trace `file` whose requests are classified, - for the standard input")
	f.output.register(c, "text, json or markdown")
	return c
}

// run compares and prints.
func (f *diffFlags) run(p *Process, args []string) error {
	form, err := f.output.single(formText, formJSON, formMarkdown)
	if err != nil {
		return err
	}
	if err := f.readStdin(p, args); err != nil {
		return err
	}
	before, after, err := f.sides(p, args)
	if err != nil {
		return err
	}
	var requests []seats.Request
	if f.requests != "" {
		if requests, err = readRequests(p.FS, f.requests, f.stdin); err != nil {
			return err
		}
	}
	d, err := seats.Compare(*before, *after, requests)
	if err != nil {
		return inputf("", "%s", err)
	}
	v := diffView{diff: d, width: textWidth(p), markdown: form == formMarkdown, traced: f.requests != ""}
	if form == formJSON {
		err = writeJSON(p.Stdout, d)
	} else {
		err = v.print(p.Stdout)
	}
	if err == nil && d.Different {
		err = verdict(exitDifferent)
	}
	return err
}

// readStdin keeps the standard input, which can be one of the inputs, and is read for both
// sides of a file that is compared with itself.
func (f *diffFlags) readStdin(p *Process, args []string) error {
	uses := 0
	for _, name := range append([]string{f.requests}, args...) {
		if name == "-" {
			uses++
		}
	}
	switch {
	case uses == 0:
		return nil
	case uses > 1:
		return usagef("", "the standard input can be read once")
	}
	text, err := io.ReadAll(p.Stdin)
	if err != nil {
		return inputf("", "<stdin>: cannot read the file: %s", fileReason(err))
	}
	f.stdin = text
	return nil
}

// side is what one side is made of.
type side struct {
	files     configurationFlags
	size      sizeFlags
	sizeGiven bool // by its sum
	name      string
}

// sides loads both configurations. A file that is compared with itself says its warnings
// once, unless the releases make a difference.
func (f *diffFlags) sides(p *Process, args []string) (before, after *seats.Side, err error) {
	var sides [2]side
	if err := f.names(args, &sides); err != nil {
		return nil, nil, err
	}
	var loaded [2]*seats.Side
	if err := f.values(&sides); err != nil {
		return nil, nil, err
	}
	var said [2]bytes.Buffer
	for i := range sides {
		from := *p
		from.Stdin, from.Stderr = bytes.NewReader(f.stdin), &said[i]
		if loaded[i], err = sides[i].load(&from, f); err != nil {
			return nil, nil, err
		}
		if i == 0 || !bytes.Equal(said[0].Bytes(), said[i].Bytes()) {
			p.Stderr.Write(said[i].Bytes())
		}
	}
	return loaded[0], loaded[1], nil
}

// builtInName is how a side without files is called.
const builtInName = "built-in objects"

// names tells which files each side is made of.
func (f *diffFlags) names(args []string, sides *[2]side) error {
	files := [2]string{}
	switch ranges := f.ranges(); {
	case len(args) > 2:
		return usagef("put the files of one side into a folder", "diff compares two configurations, got %d", len(args))
	case len(args) == 2:
		files = [2]string{args[0], args[1]}
	case len(args) == 1 && ranges:
		files = [2]string{args[0], args[0]}
	case len(args) == 1:
		files[1] = args[0]
	case !ranges:
		return usagef("name a file, or two, or give a flag two values, as in --kubernetes-version 1.36..1.37", "nothing to compare")
	}
	for i, file := range files {
		sides[i].name = builtInName
		if file != "" {
			sides[i].name, sides[i].files.filenames = inputName(file), []string{file}
		}
	}
	return nil
}

// rangeMark stands between the values of the two sides.
const rangeMark = ".."

// ranges tells whether any flag has two values.
func (f *diffFlags) ranges() bool {
	for _, v := range []string{f.version, f.reads, f.writes, f.seats} {
		if strings.Contains(v, rangeMark) {
			return true
		}
	}
	return false
}

// values tells what release and size each side is of.
func (f *diffFlags) values(sides *[2]side) error {
	version := both(f.version)
	for i := range sides {
		s := &sides[i]
		s.files.version = version[i]
		s.sizeGiven = f.seats != ""
		for _, n := range []struct {
			flag, text string
			value      *int
		}{{readsFlag, f.reads, &s.files.reads}, {writesFlag, f.writes, &s.files.writes}, {"seats", f.seats, &s.size.seats}} {
			if n.text == "" {
				continue
			}
			value, err := strconv.Atoi(both(n.text)[i])
			if err != nil {
				return usagef("", "--%s %s: a whole number is needed, or two of them, as in 400..800", n.flag, n.text)
			}
			*n.value = value
		}
	}
	return nil
}

// both splits BEFORE..AFTER; a single value is that of both sides.
func both(text string) [2]string {
	before, after, two := strings.Cut(text, rangeMark)
	if !two {
		after = before
	}
	return [2]string{before, after}
}

// load reads the configuration of one side.
func (s *side) load(p *Process, f *diffFlags) (*seats.Side, error) {
	s.files.recursive, s.files.noDefaults, s.files.validate = f.recursive, f.noDefaults, f.validate
	s.files.changed = f.changed
	// What one server has stored is there for the next release too.
	s.files.stored = strings.Contains(f.version, rangeMark)
	loaded, err := s.files.load(p)
	if err != nil {
		return nil, err
	}
	server, err := s.size.server(&s.files, func(name string) bool { return name == "seats" && s.sizeGiven })
	if err != nil {
		return nil, err
	}
	return &seats.Side{Name: s.name, Input: seats.Input{
		Configuration: loaded, Scheduler: s.files.scheduler(loaded), Server: server, BytesPerRequest: seats.DefaultBytesPerRequest,
	}}, nil
}
