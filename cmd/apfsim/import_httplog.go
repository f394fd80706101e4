package main

import (
	"errors"
	"time"
	_ "time/tzdata" // the zones, for systems that have none

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/workload/recording/httplog"
)

// httplogFlags are the flags of imports of the server's own log.
type httplogFlags struct {
	importFlags
	year    int
	zone    string
	userPer string
}

// What --user-per may be.
const (
	userPerAddress = "address"
	userPerAgent   = "agent"
)

// importHTTPLogCommand makes `apfsim import httplog`.
func importHTTPLogCommand(p *Process) *cobra.Command {
	var f httplogFlags
	c := &cobra.Command{
		Use:   "httplog FILE...",
		Short: "Turn the logs of API servers into a trace",
		Long: `Turn the HTTP lines of the log of kube-apiserver, which it writes with -v=3 or more, into a
trace: lines of klog or its JSON, plain or gzip, in any order, also with what kubectl logs,
container runtimes, syslog and log shippers put before or around them; - is the standard input.
NAME=FILE tells of which API server a file is.

The lines tell no users. One is assumed for each user agent and address, or with --user-per agent
for each agent, such that the FlowSchemas of -f and of the release classify its requests as the
lines tell.

The trace goes to the standard output or to -o trace=FILE. What was left out or assumed is told
on the standard error.`,
		Example: `  apfsim import httplog kube-apiserver.log -o trace=incident.jsonl.gz -o replay=incident.yaml
  apfsim import httplog cp-1=cp-1.log cp-2=cp-2.log -f flowcontrol.yaml --kubernetes-version 1.33 --year 2026 -o trace=incident.jsonl.gz`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return f.httplog(p, args) },
	}
	f.register(c)
	flags := c.Flags()
	flags.IntVar(&f.year, "year", 0, "`year` of the first line, since lines have none; a time that a container runtime has put before lines tells it too")
	flags.StringVar(&f.zone, "timezone", "", "time `zone` of the lines, as Europe/Berlin; UTC unless a time before the lines tells another")
	flags.StringVar(&f.userPer, "user-per", userPerAddress, "what is taken for one user: each user agent at each address (`address`), or each agent (agent), for programs that share a service account or a user at many addresses; nodes are told apart in any case")
	flags.Lookup("filename").Usage = "`file` or folder of manifests that the server had, to which the assumed users fit; may repeat"
	flags.Lookup("kubernetes-version").Usage = "`release` of the server, to whose suggested objects the assumed users fit"
	flags.Lookup("no-defaults").Usage = "the server had none of the suggested objects of its release"
	f.names.needed = true
	return c
}

// httplog imports logs of servers.
func (f *httplogFlags) httplog(p *Process, args []string) (err error) {
	loaded, err := f.names.configuration.load(p)
	if err != nil {
		return err
	}
	users := httplog.NewUsers(schemasInForce(loaded.Compile()))
	switch f.userPer {
	case userPerAddress:
	case userPerAgent:
		users.PerAgent = true
	default:
		return usagef("", "--user-per %s: legal are %s and %s", f.userPer, userPerAddress, userPerAgent)
	}
	reader := httplog.NewReader(users, p.FS.Scratch)
	defer func() { err = errors.Join(err, reader.Close()) }()
	if f.year != 0 && (f.year < 1970 || f.year > 2200) {
		return usagef("", "--year %d: legal is 1970 to 2200", f.year)
	}
	reader.Year = f.year
	if f.zone != "" {
		if reader.Zone, err = time.LoadLocation(f.zone); err != nil || f.zone == "Local" {
			return usagef("write a name such as Europe/Berlin, or UTC", "--timezone %q is not known", f.zone)
		}
	}
	return f.requests(p, args, &record{
		read: reader.Read, requests: reader, account: &reader.Account, selection: &reader.Selection,
		unit: "lines", hint: `HTTP lines have the message "HTTP", and kube-apiserver writes them with -v=3 or more; out of the answer of a log store they are taken by jq -r '.. | strings | select(contains("\"HTTP\""))'`,
	})
}
