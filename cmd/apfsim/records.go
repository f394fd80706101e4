package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/apfsim/apfsim/reports/recorder"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload/recording/audit"
	"github.com/apfsim/apfsim/workload/recording/httplog"
)

// The forms of what servers log. They are written while the first replication runs.
const (
	formAudit   = "audit"
	formHTTPLog = "httplog"
)

var recordForms = []string{formAudit, formHTTPLog}

// serverPlace is where the name of a file has the number of the server.
const serverPlace = "{server}"

// recordFlags are the flags about what servers log.
type recordFlags struct{ waits bool }

func (f *recordFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.waits, "all-waits", false, "let -o audit tell of every request how long it waited; a server tells it of slow ones alone")
}

// records are the logs of the servers of one scenario.
type records struct {
	flags   recordFlags
	epoch   time.Time
	seed    uint64
	servers int
	targets []target
	files   []string
	logs    [][]recorder.Log // by server
	buffers []*bufio.Writer
	names   []string
	faults  []func() error
}

// split takes the logs out of the targets, and nil if there are none.
func (f *recordFlags) split(targets []target, s *scenarios.Scenario) (*records, []target, error) {
	r := &records{flags: *f, seed: s.Config.Seed, servers: max(s.Config.Servers, 1)}
	var others []target
	for _, t := range targets {
		if !slices.Contains(recordForms, t.form) {
			others = append(others, t)
			continue
		}
		if r.servers > 1 && !strings.Contains(t.file, serverPlace) {
			return nil, nil, usagef("give each its own file, as in -o "+t.form+"="+t.form+"-{server}.log",
				"-o %s is the log of one server, and there are %d", t.form, r.servers)
		}
		r.epoch = t.moment.epoch
		r.targets = append(r.targets, t)
	}
	if len(r.targets) == 0 {
		return nil, targets, nil
	}
	s.Config.Names = true
	return r, others, nil
}

// create begins the files.
func (r *records) create(p *Process, files *outputs) error {
	if r == nil {
		return nil
	}
	r.logs = make([][]recorder.Log, r.servers)
	for _, t := range r.targets {
		for server := range r.servers {
			name, out := strings.ReplaceAll(t.file, serverPlace, strconv.Itoa(server)), p.Stdout
			if t.file != "" {
				var err error
				if out, err = files.create(name); err != nil {
					return err
				}
				r.files = append(r.files, name)
			}
			r.add(server, t.form, name, out)
		}
	}
	return nil
}

// add makes the log of a server.
func (r *records) add(server int, form, name string, out io.Writer) {
	buffer := bufio.NewWriterSize(out, 1<<16)
	var log recorder.Log
	if form == formAudit {
		w := audit.NewWriter(buffer, r.seed)
		w.Waits = r.flags.waits
		log, r.faults = w, append(r.faults, w.Err)
	} else {
		w := httplog.NewWriter(buffer, r.seed)
		log, r.faults = w, append(r.faults, w.Err)
	}
	r.logs[server] = append(r.logs[server], log)
	r.buffers, r.names = append(r.buffers, buffer), append(r.names, name)
}

// observer is what tells the logs.
func (r *records) observer() sim.Observer {
	return recorder.New(r.epoch, func(server int32) []recorder.Log { return r.logs[server] })
}

// finish writes what is left, or leaves the files out that are not whole.
func (r *records) finish(p *Process, files *outputs, interrupted bool) error {
	if r == nil {
		return nil
	}
	for i, buffer := range r.buffers {
		err := r.faults[i]()
		if err == nil {
			err = buffer.Flush()
		}
		if err != nil {
			return cannotWrite(r.names[i], err)
		}
	}
	if !interrupted {
		return nil
	}
	for _, name := range r.files {
		fmt.Fprintf(p.Stderr, "%s: not written, since the log would not be whole\n", name)
		if err := files.drop(name); err != nil {
			return err
		}
	}
	return nil
}
