package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// flowName is the identity of a flow, as the API server sees it.
type flowName struct {
	FlowSchema    string `json:"flowSchema"`
	Distinguisher string `json:"distinguisher"`
}

// String is the flow as the texts name it.
func (f flowName) String() string {
	if f.Distinguisher == "" {
		return f.FlowSchema
	}
	return f.FlowSchema + " " + f.Distinguisher
}

// handsResult is what `apfsim shuffle --flows` tells of one shape.
type handsResult struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	shape
	Flows []flowHand `json:"flows"`
	// ExpectedCovered is how many of that many flows would be covered by all others, on
	// average over random names.
	ExpectedCovered float64      `json:"expectedCovered"`
	Shares          []queueShare `json:"queueShares"`
}

// flowHand is a flow, its hand, and who covers it.
type flowHand struct {
	flowName
	Hash string  `json:"hash"`
	Hand []int32 `json:"hand"`
	// CoveredByOne lists the flows that hold all queues of the hand.
	CoveredByOne []flowName `json:"coveredByOne,omitempty"`
	// CoveringPairs counts the pairs that do so together and not alone.
	CoveringPairs int `json:"coveringPairs"`
	// SmallestCover is a smallest group that does so, if any group does.
	SmallestCover []flowName `json:"smallestCover,omitempty"`
}

// queueShare is what one queue can expect.
type queueShare struct {
	Queue int     `json:"queue"`
	Flows int     `json:"flows"`
	Share float64 `json:"share"`
}

// printHands reads flows and prints their hands for one shape.
func printHands(p *Process, file string, shapes []shape, form string) error {
	if shapes == nil {
		shapes = plain(shuffle.BuiltIn()[:1])
	}
	if len(shapes) != 1 {
		return usagef("give one number to each of --queues and --hand-size", "--flows takes one shape, got %d", len(shapes))
	}
	flows, err := readFlows(p, file)
	if err != nil {
		return err
	}
	result := dealFlows(flows, shapes[0])
	switch form {
	case formJSON:
		return writeJSON(p.Stdout, result)
	case formCSV:
		return writeCSV(p.Stdout, result.csv())
	}
	return result.text(p.Stdout)
}

// dealFlows deals every flow its hand and looks at who covers whom.
func dealFlows(flows []flowName, s shape) *handsResult {
	dealer, err := shuffle.NewDealer(s.Queues, s.HandSize)
	if err != nil {
		panic(fmt.Sprintf("a shape that was checked before: %v", err))
	}
	r := &handsResult{APIVersion: outputVersion, Kind: "ShuffleHands", shape: s}
	dealt := make([][]int32, len(flows))
	for i, f := range flows {
		hash := shuffle.FlowHash(f.FlowSchema, f.Distinguisher)
		dealt[i] = dealer.Deal(hash, nil)
		r.Flows = append(r.Flows, flowHand{flowName: f, Hash: fmt.Sprintf("%016x", hash), Hand: dealt[i]})
	}
	h := newHands(s.Queues, dealt)
	for i := range r.Flows {
		c := h.coverage(i)
		r.Flows[i].CoveredByOne = named(flows, c.ones)
		r.Flows[i].CoveringPairs = c.pairs
		r.Flows[i].SmallestCover = named(flows, c.smallest)
	}
	covered := nearestFloat(shuffle.Covered(s.Queues, s.HandSize, len(flows)-1))
	r.ExpectedCovered = float64(len(flows)) * covered
	for q, share := range h.shares() {
		r.Shares = append(r.Shares, queueShare{q, len(h.holders[q]), share})
	}
	return r
}

// named turns indexes into names.
func named(flows []flowName, indexes []int) []flowName {
	var names []flowName
	for _, i := range indexes {
		names = append(names, flows[i])
	}
	return names
}

// csv writes one line for each flow.
func (r *handsResult) csv() [][]string {
	rows := [][]string{{"flowSchema", "distinguisher", "hash", "hand", "coveredByOne", "coveringPairs", "smallestCover"}}
	for _, f := range r.Flows {
		rows = append(rows, []string{f.FlowSchema, f.Distinguisher, f.Hash, handText(f.Hand),
			strconv.Itoa(len(f.CoveredByOne)), strconv.Itoa(f.CoveringPairs), strconv.Itoa(len(f.SmallestCover))})
	}
	return rows
}

// handText lists the queues of a hand in the order in which they were dealt.
func handText(hand []int32) string {
	words := make([]string, len(hand))
	for i, q := range hand {
		words[i] = strconv.Itoa(int(q))
	}
	return strings.Join(words, " ")
}

// text prints three tables: the hands, who is covered, and the queues.
func (r *handsResult) text(w io.Writer) error {
	fmt.Fprintf(w, "%s, dealt hands of %d of %d queues.\n\n", plural(len(r.Flows), "flow", "flows"), r.HandSize, r.Queues)
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "FLOW SCHEMA\tDISTINGUISHER\tHASH\tHAND")
	for _, f := range r.Flows {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", f.FlowSchema, orDash(f.Distinguisher), f.Hash, handText(f.Hand))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := r.coveredText(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return r.sharesText(w)
}

// orDash shows an empty value as kubectl does not, so that columns stay readable.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// coveredText prints the flows that others cover.
func (r *handsResult) coveredText(w io.Writer) error {
	covered := slices.DeleteFunc(slices.Clone(r.Flows), func(f flowHand) bool { return f.SmallestCover == nil })
	fmt.Fprintf(w, "%d of %s wholly covered by others; with random names %.3g would be, on average.\n",
		len(covered), plural(len(r.Flows), "flow is", "flows are"), r.ExpectedCovered)
	if len(covered) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "COVERED FLOW\tBY ONE FLOW\tBY A PAIR\tSMALLEST GROUP")
	for _, f := range covered {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\n", f.flowName, len(f.CoveredByOne), f.CoveringPairs, namesText(f.SmallestCover))
	}
	return tw.Flush()
}

// namesText lists flows in a cell.
func namesText(flows []flowName) string {
	words := make([]string, len(flows))
	for i, f := range flows {
		words[i] = f.String()
	}
	return strings.Join(words, " + ")
}

// sharesText prints the queues that some flow holds.
func (r *handsResult) sharesText(w io.Writer) error {
	idle := 0
	for _, s := range r.Shares {
		if s.Flows == 0 {
			idle++
		}
	}
	fmt.Fprintf(w, "Expected share of each queue, if all flows send alike and spread over their hands;\n%s in no hand.\n\n",
		plural(idle, "queue is", "queues are"))
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "QUEUE\tFLOWS\tSHARE\t")
	for _, s := range r.Shares {
		if s.Flows > 0 {
			fmt.Fprintf(tw, "%d\t%d\t%.2f%%\t\n", s.Queue, s.Flows, 100*s.Share)
		}
	}
	return tw.Flush()
}
