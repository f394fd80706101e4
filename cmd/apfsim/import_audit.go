package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/workload/recording"
	"github.com/apfsim/apfsim/workload/recording/audit"
)

// importAuditCommand makes `apfsim import audit`.
func importAuditCommand(p *Process) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "audit FILE...",
		Short: "Turn audit logs into a trace",
		Long: `Turn audit logs of API servers into a trace. They are audit.k8s.io/v1 events, one a line, over
several lines, or in an EventList, plain or gzip, in any order, also as log shippers wrap them;
- is the standard input. NAME=FILE tells of which API server a file is.

The trace goes to the standard output or to -o trace=FILE. What was left out or assumed is told
on the standard error.`,
		Example: `  apfsim import audit audit.log -o trace=incident.jsonl.gz -o replay=incident.yaml
  apfsim import audit cp-1=a.log cp-2=b.log --from 1s --sample 0.5 -o trace=incident.jsonl.gz`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return f.audit(p, args) },
	}
	f.register(c)
	return c
}

// audit imports audit logs.
func (f *importFlags) audit(p *Process, args []string) (err error) {
	reader := audit.NewReader(p.FS.Scratch)
	defer func() { err = errors.Join(err, reader.Close()) }()
	return f.requests(p, args, &record{
		read: reader.Read, requests: reader, account: &reader.Account, selection: &reader.Selection,
		unit: "events", hint: "audit logs have objects of kind Event and apiVersion audit.k8s.io/v1",
	})
}

// record is a kind of record that tells of requests.
type record struct {
	read      func(name string, server int32, text io.Reader) error
	requests  recording.Requests
	account   *recording.Account
	selection *recording.Selection
	// unit is what the record consists of, and hint tells what is expected of a file.
	unit, hint string
}

// requests imports a record that tells of requests: first all files are read, then the requests
// are written in the order of their arrivals.
func (f *importFlags) requests(p *Process, args []string, r *record) error {
	files, err := f.files(args)
	if err != nil {
		return err
	}
	targets, err := f.output.targets(formTrace, formReplay, formScenario)
	if err != nil {
		return err
	}
	requests, err := f.names.over(p, r.requests)
	if err != nil {
		return err
	}
	made, err := newImported(p, targets)
	if err != nil {
		return err
	}
	defer made.files.discard()
	if err := f.fit.prepare(p, made.fitted); err != nil {
		return err
	}
	if err := f.read(p, files, r.read); err != nil {
		return err
	}
	servers := serverNames(files)
	if f.strict && r.account.Malformed > 0 {
		writeFaults(p.Stderr, r.account)
		return inputf("leave --strict out to go on without them", "%d malformed lines", r.account.Malformed)
	}
	var start int64
	if *r.selection, start, err = f.selection(r.account); err != nil {
		return err
	}
	made.account = r.account
	made.fitted.begin(start, r.account, args)
	if err := made.write(start, requests, len(servers)); err != nil {
		return err
	}
	writeAccount(p.Stderr, r.account, r.unit, servers)
	if r.account.Requests == 0 {
		return inputf(r.hint, "there is no request in it")
	}
	if err := made.fitted.write(); err != nil {
		return err
	}
	if err := made.files.commit(); err != nil {
		return err
	}
	made.next(p.Stderr)
	return nil
}
