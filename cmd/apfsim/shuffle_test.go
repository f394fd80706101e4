package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// publishedOdds reads the table of kubernetes.io's page and adds the shapes of the
// built-in levels, which it lacks, as other exact arithmetic gave them.
func publishedOdds(t *testing.T) []oddsRow {
	t.Helper()
	text, err := os.ReadFile("../../scheduler/shuffle/testdata/published.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []oddsRow
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		r := oddsRow{odds: make([]float64, 3)}
		if _, err := fmt.Sscan(line, &r.HandSize, &r.Queues, &r.odds[0], &r.odds[1], &r.odds[2]); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		rows = append(rows, r)
	}
	if len(rows) != 11 {
		t.Fatalf("%d published shapes, want 11", len(rows))
	}
	return append(rows,
		oddsRow{shape{128, 6}, []float64{1.8437899825857725e-10, 1.6142900214878192e-05, 0.022118212756951985}},
		oddsRow{shape{64, 6}, []float64{1.3337891691197717e-08, 0.0007471647737612926, 0.24201512019551655}},
		oddsRow{shape{16, 4}, []float64{0.0005494505494505495, 0.19360505265462347, 0.9603290125080083}})
}

// relativeErrorMax is what a printed figure may differ from the published one.
const relativeErrorMax = 1e-14

// TestPublishedOdds reads what the command prints, as its users would.
func TestPublishedOdds(t *testing.T) {
	p := newProcess(nil, "shuffle", "-o", "csv")
	if code := run(&p.Process); code != exitOK {
		t.Fatalf("exit code %d: %s", code, p.err.String())
	}
	rows, err := csv.NewReader(strings.NewReader(p.out.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	published := publishedOdds(t)
	if got, want := len(rows)-1, 3*len(published); got != want {
		t.Fatalf("%d odds, want %d", got, want)
	}
	for i, row := range rows[1:] {
		want := published[i/3]
		shape := []string{strconv.Itoa(want.Queues), strconv.Itoa(want.HandSize), []string{"1", "4", "16"}[i%3]}
		if strings.Join(row[:3], " ") != strings.Join(shape, " ") {
			t.Fatalf("row %d is of %v, want %v", i, row[:3], shape)
		}
		got, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(got/want.odds[i%3] - 1); off >= relativeErrorMax {
			t.Errorf("%v: printed %s, published %v, a relative error of %g", shape, row[3], want.odds[i%3], off)
		}
	}
}

// TestShuffleForms holds that the three forms print the same odds.
func TestShuffleForms(t *testing.T) {
	out := map[string]string{}
	for _, form := range []string{"text", "json", "csv"} {
		p := newProcess(nil, "shuffle", "-o", form)
		if code := run(&p.Process); code != exitOK {
			t.Fatalf("-o %s: exit code %d: %s", form, code, p.err.String())
		}
		out[form] = p.out.String()
	}
	var parsed struct {
		Shapes []struct {
			Odds []struct{ Probability json.Number }
		}
	}
	if err := json.Unmarshal([]byte(out["json"]), &parsed); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range parsed.Shapes {
		for _, o := range s.Odds {
			n++
			for form, text := range out {
				if !strings.Contains(text, o.Probability.String()) {
					t.Errorf("-o %s lacks %s", form, o.Probability)
				}
			}
		}
	}
	if want := 3 * len(publishedOdds(t)); n != want {
		t.Errorf("%d odds in the JSON, want %d", n, want)
	}
}

func TestShuffleFlags(t *testing.T) {
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"--queues 64 --hand-size 6 --elephants 1", exitOK, "6          64      1.3337891691197717e-08\n", ""},
		{"--queues 5 --hand-size 5 --elephants 0,1,2", exitOK, "5          5       0            1           1\n", ""},
		{"--queues 64,128 --hand-size 6,8 -o csv", exitOK, "128,8,16,0.027461731371550634\n", ""},
		{"--queues 64", exitUsage, "", "give both --queues and --hand-size, or neither"},
		{"--queues 4 --hand-size 5", exitUsage, "", "hand size 5 exceeds the 4 queues"},
		{"--queues 128 --hand-size 9", exitUsage, "", "take 63 bits of the hash, more than the limit of 60"},
		{"--elephants -1", exitUsage, "", "--elephants -1: legal are 0 to 10000"},
		{"--elephants 10001", exitUsage, "", "legal are 0 to 10000"},
		{"-o yaml", exitUsage, "", "no such form of output"},
		{"--flows f --elephants 1", exitUsage, "", "--elephants and --flows exclude each other"},
		{"--flows f --queues 8,16 --hand-size 2", exitUsage, "", "--flows takes one shape, got 2"},
		{"--flows f", exitInput, "", "f: cannot read the file: file does not exist"},
	} {
		newProcess(nil, append([]string{"shuffle"}, strings.Fields(c.args)...)...).want(t, c.code, c.stdout, c.stderr)
	}
}
