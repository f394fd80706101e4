package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/apfsim/apfsim/scheduler/shuffle"
	"github.com/spf13/cobra"
)

// shuffleFlags are the flags of `apfsim shuffle`.
type shuffleFlags struct {
	queues, handSizes, elephants []int
	flows                        string
	output                       outputFlag
}

// shuffleCommand makes `apfsim shuffle`.
func shuffleCommand(p *Process) *cobra.Command {
	var f shuffleFlags
	c := &cobra.Command{
		Use:   "shuffle",
		Short: "Print the odds that elephants crush a mouse, or the hands of real flows",
		Long: `Shuffle sharding deals each flow a hand of a level's queues. A mouse (a flow of few
requests) is crushed when every queue of its hand is also in the hand of some elephant
(a flow of very many requests). shuffle prints the exact odds of that, for hands that
are dealt independently: computed with rational arithmetic, rounded once, to the
nearest float64.

Without flags it prints the table of kubernetes.io's page on flow control, and the
shapes of the built-in priority levels.

With --flows it reads real flows and prints the hands that kube-apiserver deals them,
which flows are wholly covered by one, two or more others, and the share of the flows
that each queue can expect. The file has one flow a line: the name of its flow schema,
a tab or spaces, and its distinguisher (the user, the namespace, or nothing). It may
also be CSV as -o csv writes it, or JSON: objects with flowSchema and distinguisher. All
flows of a file are taken to be of one priority level, of --queues and --hand-size (128
and 6 if they are not given): flows of different levels never share a queue.`,
		Example: `  apfsim shuffle
  apfsim shuffle --queues 64,128 --hand-size 6 --elephants 1,10,100
  apfsim shuffle -o csv
  apfsim shuffle --flows flows.txt --queues 128 --hand-size 6`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(p, c.Flags().Changed)
		},
	}
	flags := c.Flags()
	flags.IntSliceVar(&f.queues, "queues", nil, "`number` of queues, or several, separated by commas")
	flags.IntSliceVar(&f.handSizes, "hand-size", nil, "`number` of queues dealt to a flow, or several")
	flags.IntSliceVar(&f.elephants, "elephants", shuffle.PublishedElephants(), "`number` of elephants, or several")
	flags.StringVar(&f.flows, "flows", "", "`file` with real flows, - for the standard input")
	f.output.register(c, "text, json or csv")
	return c
}

// run checks the flags and prints what they ask for.
func (f *shuffleFlags) run(p *Process, given func(string) bool) error {
	form, err := f.output.single(formText, formJSON, formCSV)
	if err != nil {
		return err
	}
	if given("queues") != given("hand-size") {
		return usagef("give both --queues and --hand-size, or neither", "the number of queues alone tells no shape, nor does the hand size")
	}
	shapes, err := product(f.queues, f.handSizes)
	if err != nil {
		return err
	}
	if f.flows != "" {
		if given("elephants") {
			return usagef("leave --elephants out: the flows of the file are what is looked at", "--elephants and --flows exclude each other")
		}
		return printHands(p, f.flows, shapes, form)
	}
	for _, e := range f.elephants {
		if e < 0 || e > elephantsMax {
			return usagef("", "--elephants %d: legal are 0 to %d", e, elephantsMax)
		}
	}
	table := oddsTable{elephants: f.elephants}
	if shapes == nil {
		table.add("The table of kubernetes.io's page on flow control", plain(shuffle.Published()))
		table.add("The built-in priority levels", plain(shuffle.BuiltIn()))
	} else {
		table.add("", shapes)
	}
	return table.print(p.Stdout, form)
}

// elephantsMax bounds the size of the rational numbers: beyond it the odds of every
// legal shape are 1 to the last digit of a float64, or the arithmetic takes minutes.
const elephantsMax = 10_000

// shape is the layout of a level's queues.
type shape struct {
	Queues   int `json:"queues"`
	HandSize int `json:"handSize"`
}

// plain takes shapes over.
func plain(list []shuffle.Shape) []shape {
	shapes := make([]shape, len(list))
	for i, s := range list {
		shapes[i] = shape{s.Queues, s.HandSize}
	}
	return shapes
}

// product combines numbers of queues and hand sizes, and refuses what the API server
// would refuse.
func product(queues, handSizes []int) ([]shape, error) {
	var shapes []shape
	for _, q := range queues {
		for _, h := range handSizes {
			if _, err := shuffle.NewDealer(q, h); err != nil {
				return nil, usagef("", "--queues %d --hand-size %d: %v", q, h, err)
			}
			shapes = append(shapes, shape{q, h})
		}
	}
	return shapes, nil
}

// oddsTable is the result: for each shape, the odds for each number of elephants.
type oddsTable struct {
	elephants []int
	parts     []oddsPart
}

// oddsPart is a group of shapes with a common title.
type oddsPart struct {
	title string
	rows  []oddsRow
}

// oddsRow is one shape and its odds, in the order of the numbers of elephants.
type oddsRow struct {
	shape
	odds []float64
}

// add computes the odds of a group of shapes.
func (t *oddsTable) add(title string, shapes []shape) {
	part := oddsPart{title: title}
	for _, s := range shapes {
		row := oddsRow{shape: s}
		for _, e := range t.elephants {
			row.odds = append(row.odds, nearestFloat(shuffle.Covered(s.Queues, s.HandSize, e)))
		}
		part.rows = append(part.rows, row)
	}
	t.parts = append(t.parts, part)
}

// nearestFloat rounds an exact value once.
func nearestFloat(r *big.Rat) float64 {
	x, _ := r.Float64()
	return x
}

// odds renders a probability with the fewest digits that tell it from its neighbours,
// 16 or 17 of them for most.
func odds(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// print writes the table in one form.
func (t *oddsTable) print(w io.Writer, form string) error {
	switch form {
	case formJSON:
		return t.json(w)
	case formCSV:
		return t.csv(w)
	}
	fmt.Fprintln(w, "Odds that a mouse's hand of queues is wholly covered by the hands of the elephants.")
	for _, part := range t.parts {
		fmt.Fprintln(w)
		if part.title != "" {
			fmt.Fprintf(w, "%s\n\n", part.title)
		}
		if err := t.text(w, part); err != nil {
			return err
		}
	}
	return nil
}

// text writes one part in columns.
func (t *oddsTable) text(w io.Writer, part oddsPart) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	head := []string{"HAND SIZE", "QUEUES"}
	for _, e := range t.elephants {
		head = append(head, plural(e, "ELEPHANT", "ELEPHANTS"))
	}
	fmt.Fprintln(tw, strings.Join(head, "\t"))
	for _, r := range part.rows {
		cells := []string{strconv.Itoa(r.HandSize), strconv.Itoa(r.Queues)}
		for _, x := range r.odds {
			cells = append(cells, odds(x))
		}
		fmt.Fprintln(tw, strings.Join(cells, "\t"))
	}
	return tw.Flush()
}

// plural says how many there are of something.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// csv writes one line for each shape and number of elephants.
func (t *oddsTable) csv(w io.Writer) error {
	rows := [][]string{{"queues", "handSize", "elephants", "odds"}}
	for _, part := range t.parts {
		for _, r := range part.rows {
			for i, e := range t.elephants {
				rows = append(rows, []string{strconv.Itoa(r.Queues), strconv.Itoa(r.HandSize),
					strconv.Itoa(e), odds(r.odds[i])})
			}
		}
	}
	return writeCSV(w, rows)
}

// oddsJSON is one shape of `apfsim shuffle -o json`.
type oddsJSON struct {
	shape
	Odds []oddJSON `json:"odds"`
}

// oddJSON is the probability for one number of elephants.
type oddJSON struct {
	Elephants   int         `json:"elephants"`
	Probability json.Number `json:"probability"`
}

// json writes all shapes in one object.
func (t *oddsTable) json(w io.Writer) error {
	out := struct {
		APIVersion string     `json:"apiVersion"`
		Kind       string     `json:"kind"`
		Shapes     []oddsJSON `json:"shapes"`
	}{APIVersion: outputVersion, Kind: "ShuffleOdds"}
	for _, part := range t.parts {
		for _, r := range part.rows {
			row := oddsJSON{shape: r.shape}
			for i, e := range t.elephants {
				row.Odds = append(row.Odds, oddJSON{e, json.Number(odds(r.odds[i]))})
			}
			out.Shapes = append(out.Shapes, row)
		}
	}
	return writeJSON(w, out)
}
