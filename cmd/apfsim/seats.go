package main

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/apfsim/apfsim/scenarios/seats"
	"github.com/spf13/cobra"
)

// seatsFlags are the flags of `apfsim seats`.
type seatsFlags struct {
	configuration configurationFlags
	size          sizeFlags
	explain       []string
	sort          string
	output        outputFlag
}

// seatsCommand makes `apfsim seats`.
func seatsCommand(p *Process) *cobra.Command {
	var f seatsFlags
	c := &cobra.Command{
		Use:   "seats [FILE...]",
		Short: "Print the seats of each priority level, and what its queues hold",
		Long: `Print what a configuration gives to each priority level: its part of the seats of a
server, how wide a request may be there, and what its queues hold. Files and folders
are those of FlowSchemas and PriorityLevelConfigurations, as for -f; their objects are
put over the built-in ones of the release. Without any, the built-in ones are shown.

  nominal     the level's part of the server's seats
  min, max    what is left when all that is lendable is lent, and what the level has
              when it has borrowed all that it may
  idle        the limit in force while nobody has demand
  alone       the limit that the level reaches when it alone has demand
  widest      the most seats that a request can need in the level: a LIST, the beginning
              of a WATCH, a write with its notifications
  one flow    how many requests of one flow can wait in the queues
  all flows   how many of all flows
  memory      what as many requests hold, at --bytes-per-request each. The default is
              the 256 KiB of its body that a client may send ahead, and what every
              request needs; a request without a body needs about a tenth of that
  time        how long a request may wait that has no timeout of its own

--explain LEVEL prints how the figures of a level come about. For a cluster:

  kubectl get flowschemas,prioritylevelconfigurations -o yaml | apfsim seats -f -`,
		Example: `  apfsim seats
  apfsim seats flowcontrol.yaml --max-requests-inflight 800
  apfsim seats --seats 600 --explain global-default
  apfsim seats -o wide --sort shares`,
		RunE: func(c *cobra.Command, args []string) error { return f.run(p, c.Flags().Changed, args) },
	}
	f.configuration.register(c)
	f.size.register(c)
	flags := c.Flags()
	flags.StringArrayVar(&f.explain, "explain", nil, "print the arithmetic of a `level`; may repeat")
	flags.StringVar(&f.sort, "sort", "name", "`order` of the levels: name, shares, nominal, idle or alone (largest first)")
	f.output.register(c, "text, wide, name, json or csv")
	return c
}

// sizeFlags are the flags of a server's size that are no flags of kube-apiserver.
type sizeFlags struct {
	seats           int
	bytesPerRequest int64
}

// register adds the flags to a command.
func (f *sizeFlags) register(c *cobra.Command) {
	c.Flags().IntVar(&f.seats, "seats", 0, "`number` of seats of the server, in place of the two flags that make it up")
	c.Flags().Int64Var(&f.bytesPerRequest, "bytes-per-request", seats.DefaultBytesPerRequest, "memory of a waiting request, a `number` of bytes")
}

// run makes the table and prints it.
func (f *seatsFlags) run(p *Process, given func(string) bool, args []string) error {
	form, err := f.output.single(formText, formWide, formName, formJSON, formCSV)
	if err != nil {
		return err
	}
	order, ok := levelOrders[f.sort]
	if !ok {
		return usagef(didYouMean(f.sort, levelOrderNames), "--sort %s: no such order", f.sort)
	}
	if len(f.explain) > 0 && (form == formCSV || form == formName) {
		return usagef("use -o text or -o json", "-o %s has no room for the arithmetic of --explain", form)
	}
	f.configuration.filenames = append(f.configuration.filenames, args...)
	table, err := f.table(p, given)
	if err != nil {
		return err
	}
	slices.SortStableFunc(table.Levels, order)
	explained, err := explainLevels(table, f.explain)
	if err != nil {
		return err
	}
	v := seatsView{table: table, explained: explained, wide: form == formWide, width: textWidth(p)}
	switch {
	case form == formJSON:
		return writeJSON(p.Stdout, seatsJSON{table, explained})
	case form == formCSV:
		return v.csv(p.Stdout)
	case form == formName:
		return v.names(p.Stdout)
	case len(explained) > 0:
		return v.arithmetic(p.Stdout)
	}
	return v.text(p.Stdout)
}

// table loads the configuration and makes its table.
func (f *seatsFlags) table(p *Process, given func(string) bool) (*seats.Table, error) {
	loaded, err := f.configuration.load(p)
	if err != nil {
		return nil, err
	}
	server, err := f.size.server(&f.configuration, given)
	if err != nil {
		return nil, err
	}
	return makeTable(seats.Input{
		Configuration: loaded, Scheduler: f.configuration.scheduler(loaded), Server: server, BytesPerRequest: f.size.bytesPerRequest,
	})
}

// makeTable makes a table of what passed the loader's checks.
func makeTable(in seats.Input) (*seats.Table, error) {
	table, err := seats.For(in)
	if err != nil {
		return nil, inputf("", "%s", err)
	}
	return table, nil
}

// seatsMax is the largest size of a server that is taken: what the flags of
// kube-apiserver can hold.
const seatsMax = 1<<31 - 1

// server puts the flags of a server's size together.
func (f *sizeFlags) server(c *configurationFlags, given func(string) bool) (seats.Server, error) {
	if f.bytesPerRequest < 0 {
		return seats.Server{}, usagef("", "--bytes-per-request %d: legal are 0 and more", f.bytesPerRequest)
	}
	if given("seats") {
		if given(readsFlag) || given(writesFlag) {
			return seats.Server{}, usagef("give the one or the other", "--seats takes the place of --%s and --%s", readsFlag, writesFlag)
		}
		c.reads, c.writes = f.seats, 0
	}
	for _, n := range []struct {
		flag  string
		value int
	}{{readsFlag, c.reads}, {writesFlag, c.writes}} {
		if given("seats") {
			n.flag = "seats"
		}
		if n.value < 0 || n.value > seatsMax {
			return seats.Server{}, usagef("", "--%s %d: legal are 0 to %d", n.flag, n.value, seatsMax)
		}
	}
	if c.reads+c.writes == 0 {
		return seats.Server{}, usagef("kube-apiserver does not start like this either", "the server has no seats")
	}
	if given("seats") {
		return seats.Server{Seats: f.seats}, nil
	}
	return seats.Server{Seats: c.reads + c.writes, MaxRequestsInflight: c.reads, MaxMutatingRequestsInflight: c.writes}, nil
}

// explainLevels finds the levels whose arithmetic is asked for.
func explainLevels(t *seats.Table, names []string) ([]seats.Explanation, error) {
	var list []seats.Explanation
	var known []string
	for i := range t.Levels {
		known = append(known, t.Levels[i].Name)
	}
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, usagef(didYouMean(name, known), "--explain %s: no such priority level", name)
		}
		list = append(list, t.Explain(&t.Levels[i]))
	}
	return list, nil
}

// seatsJSON is what `apfsim seats -o json` prints.
type seatsJSON struct {
	*seats.Table
	Explanations []seats.Explanation `json:"explanations,omitempty"`
}

// levelOrders are the orders of levels. All but that of the names begin with the largest,
// and go by name where figures are equal.
var levelOrders = map[string]func(a, b seats.Level) int{
	"name":    func(a, b seats.Level) int { return cmp.Compare(a.Name, b.Name) },
	"shares":  func(a, b seats.Level) int { return cmp.Compare(b.Shares, a.Shares) },
	"nominal": func(a, b seats.Level) int { return cmp.Compare(b.Nominal, a.Nominal) },
	"idle":    func(a, b seats.Level) int { return compareLimits(b.Idle, a.Idle) },
	"alone":   func(a, b seats.Level) int { return compareLimits(b.Alone, a.Alone) },
}

// levelOrderNames lists them for the user.
var levelOrderNames = []string{"name", "shares", "nominal", "idle", "alone"}

// compareLimits orders limits; none is above all of them.
func compareLimits(a, b *int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*a, *b)
}

// limit writes a limit that there may not be.
func limit(n *int) string {
	if n == nil {
		return noFigure
	}
	return strconv.Itoa(*n)
}

// noFigure stands for a figure that there is not.
const noFigure = "-"
