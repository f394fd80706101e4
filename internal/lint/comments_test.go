package lint

import (
	"bytes"
	"go/token"
	"slices"
	"testing"
)

// commentShareMin is the least share of comment lines, measured in code lines, for the
// packages that hold the rules of the domain: a third. The upper end of what is wanted,
// a half, is reported and not enforced: a derivation may take the lines it needs.
const commentShareMin = 1.0 / 3

// tally counts the lines of Go sources that are not tests.
type tally struct{ code, comments int }

// share is the number of comment lines for one line of code.
func (c tally) share() float64 { return float64(c.comments) / float64(max(c.code, 1)) }

// count tallies one file. A line with code and a comment is code; empty lines are
// neither.
func count(f *file) tally {
	comment := map[int]bool{} // lines that begin in or with a comment
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			first := f.line(c.Pos())
			if startsWithCode(f, c.Pos()) {
				first++
			}
			for line := first; line <= f.line(c.End()); line++ {
				comment[line] = true
			}
		}
	}
	var sum tally
	for i, text := range bytes.Split(f.source, []byte("\n")) {
		switch {
		case len(bytes.TrimSpace(text)) == 0:
		case comment[i+1]:
			sum.comments++
		default:
			sum.code++
		}
	}
	return sum
}

// startsWithCode tells whether something stands before a position on its line.
func startsWithCode(f *file, p token.Pos) bool {
	offset := f.fset.Position(p).Offset
	begin := bytes.LastIndexByte(f.source[:offset], '\n') + 1
	return len(bytes.TrimSpace(f.source[begin:offset])) > 0
}

// TestCommentShare reports the share of comments of each package under scheduler/ and
// sim/, and holds the lower bound for each of the two as a whole.
func TestCommentShare(t *testing.T) {
	packages := map[string]tally{}
	layers := map[string]tally{}
	for _, f := range tree(t) {
		for _, layer := range []string{"scheduler", "sim"} {
			if f.test() || !under(f.path, layer) {
				continue
			}
			c := count(f)
			packages[f.dir()] = packages[f.dir()].plus(c)
			layers[layer] = layers[layer].plus(c)
		}
	}
	for _, dir := range sorted(packages) {
		c := packages[dir]
		t.Logf("%-24s %5d lines of code, %5d of comments, share %.2f", dir, c.code, c.comments, c.share())
	}
	for _, layer := range sorted(layers) {
		c := layers[layer]
		if c.share() < commentShareMin {
			t.Errorf("%s/ has %d lines of comments for %d of code, a share of %.2f, at least %.2f is wanted"+
				" <- say why the code is as it is, and which rule of kube-apiserver it follows",
				layer, c.comments, c.code, c.share(), commentShareMin)
		}
	}
}

// plus adds two tallies.
func (c tally) plus(d tally) tally { return tally{c.code + d.code, c.comments + d.comments} }

// sorted lists the keys of a map in order.
func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		source string
		want   tally
	}{
		{"package a\n\n// one\n// two\nvar x int // beside\n", tally{code: 2, comments: 2}},
		{"package a\n/* one\n\ntwo */\n", tally{code: 1, comments: 2}},
		{"package a\nvar s = \"// text\"\n", tally{code: 2}},
	} {
		f, err := parse("a.go", []byte(c.source))
		if err != nil {
			t.Fatal(err)
		}
		if got := count(f); got != c.want {
			t.Errorf("%q: got %+v, want %+v", c.source, got, c.want)
		}
	}
}
