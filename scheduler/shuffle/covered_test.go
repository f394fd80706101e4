package shuffle

import (
	"math"
	"math/big"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// row is one line of a table of printed odds, for 1, 4 and 16 elephants.
type row struct {
	shape Shape
	odds  [3]float64
}

func readPublished(t *testing.T) []row {
	t.Helper()
	data, err := os.ReadFile("testdata/published.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var n [5]float64
		for i, field := range strings.Fields(line) {
			if n[i], err = strconv.ParseFloat(field, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row{Shape{int(n[1]), int(n[0])}, [3]float64(n[2:])})
	}
	return rows
}

// checkRow compares with printed odds. Those were computed in floating point, so that
// their last digit or two are off; the relative error is the distance to the exact
// fraction.
func checkRow(t *testing.T, r row) {
	t.Helper()
	for i, e := range PublishedElephants() {
		exact := Covered(r.shape.Queues, r.shape.HandSize, e)
		printed := new(big.Rat).SetFloat64(r.odds[i])
		off := printed.Sub(printed, exact)
		relative, _ := off.Quo(off, exact).Float64()
		got, _ := exact.Float64()
		if math.Abs(relative) >= 1e-14 {
			t.Errorf("%+v, %d elephants: %v, printed %v, relative error %.2g", r.shape, e, got, r.odds[i], relative)
		}
	}
}

func TestCoveredReproducesThePublishedTable(t *testing.T) {
	rows := readPublished(t)
	var shapes []Shape
	for _, r := range rows {
		shapes = append(shapes, r.shape)
		checkRow(t, r)
	}
	if !slices.Equal(shapes, Published()) {
		t.Errorf("Published() = %v, but the page has %v", Published(), shapes)
	}
}

func TestCoveredForTheBuiltInLevels(t *testing.T) {
	for i, odds := range [][3]float64{
		{1.8437899825857725e-10, 1.6142900214878192e-05, 0.022118212756951985},
		{1.3337891691197717e-08, 0.0007471647737612926, 0.24201512019551655},
		{0.0005494505494505495, 0.19360505265462347, 0.9603290125080083},
	} {
		checkRow(t, row{BuiltIn()[i], odds})
	}
}

// One elephant covers the mouse only by holding the very same hand.
func TestCoveredByOneElephantIsOneHandInAll(t *testing.T) {
	for _, s := range append(Published(), BuiltIn()...) {
		hands := new(big.Int).Binomial(int64(s.Queues), int64(s.HandSize))
		want := new(big.Rat).SetFrac(big.NewInt(1), hands)
		if got := Covered(s.Queues, s.HandSize, 1); got.Cmp(want) != 0 {
			t.Errorf("Covered(%d, %d, 1) = %v, want 1 in %v", s.Queues, s.HandSize, got, hands)
		}
	}
}

func TestCoveredAtTheEdges(t *testing.T) {
	zero, one := new(big.Rat), big.NewRat(1, 1)
	for _, c := range []struct {
		queues, handSize, elephants int
		want                        *big.Rat
	}{
		{1, 1, 0, zero},
		{8, 8, 0, zero},
		{64, 6, 0, zero},
		{1, 1, 1, one},
		{8, 8, 1, one},
		{8, 8, 100, one},
		{2, 1, 1, big.NewRat(1, 2)},
		{2, 1, 3, big.NewRat(7, 8)},
		{4, 3, 1, big.NewRat(1, 4)},
		{4, 3, 2, big.NewRat(13, 16)}, // unless both lack the same one of the mouse's three: 3 in 16
	} {
		if got := Covered(c.queues, c.handSize, c.elephants); got.Cmp(c.want) != 0 {
			t.Errorf("Covered(%d, %d, %d) = %v, want %v", c.queues, c.handSize, c.elephants, got, c.want)
		}
	}
}

func TestCoveredPanicsOnNonsense(t *testing.T) {
	for _, c := range [][3]int{{4, 0, 1}, {4, 5, 1}, {0, 0, 1}, {-1, 1, 1}, {4, 2, -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Covered(%d, %d, %d) did not panic", c[0], c[1], c[2])
				}
			}()
			Covered(c[0], c[1], c[2])
		}()
	}
}

// On small decks every combination of hands can be looked at.
func TestCoveredAgainstEnumeration(t *testing.T) {
	for queues := 1; queues <= 6; queues++ {
		for handSize := 1; handSize <= queues; handSize++ {
			hands := allHands(queues, handSize)
			for elephants := 0; elephants <= 3; elephants++ {
				covered, all := enumerate(hands, 0, elephants)
				want := big.NewRat(covered, all)
				if got := Covered(queues, handSize, elephants); got.Cmp(want) != 0 {
					t.Errorf("Covered(%d, %d, %d) = %v, counting gives %v", queues, handSize, elephants, got, want)
				}
			}
		}
	}
}

// allHands returns every hand as a set of bits.
func allHands(queues, handSize int) (hands []uint) {
	for set := range uint(1) << queues {
		if bits.OnesCount(set) == handSize {
			hands = append(hands, set)
		}
	}
	return hands
}

// enumerate counts the ways to deal the remaining elephants, and those among them
// that cover the first hand, when the others have been dealt the union.
func enumerate(hands []uint, union uint, elephants int) (covered, all int64) {
	if elephants == 0 {
		if hands[0]&^union == 0 {
			return 1, 1
		}
		return 0, 1
	}
	for _, hand := range hands {
		c, a := enumerate(hands, union|hand, elephants-1)
		covered, all = covered+c, all+a
	}
	return covered, all
}

// The number of the mouse's cards that are covered is a Markov chain: each elephant
// covers a hypergeometric number of those that are left.
func TestCoveredAgainstAMarkovChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queues := rapid.IntRange(1, 40).Draw(t, "queues")
		handSize := rapid.IntRange(1, min(queues, 15)).Draw(t, "handSize")
		elephants := rapid.IntRange(0, 12).Draw(t, "elephants")
		open := make([]*big.Rat, handSize+1) // the probability that k cards are uncovered
		for k := range open {
			open[k] = new(big.Rat)
		}
		open[handSize].SetInt64(1)
		for range elephants {
			open = nextElephant(open, int64(queues), int64(handSize))
		}
		if got := Covered(queues, handSize, elephants); got.Cmp(open[0]) != 0 {
			t.Fatalf("Covered(%d, %d, %d) = %v, the chain gives %v", queues, handSize, elephants, got, open[0])
		}
	})
}

func nextElephant(open []*big.Rat, queues, handSize int64) []*big.Rat {
	next := make([]*big.Rat, len(open))
	for k := range next {
		next[k] = new(big.Rat)
	}
	hands := new(big.Int).Binomial(queues, handSize)
	for k, p := range open {
		for hit := 0; hit <= k; hit++ {
			rest := handSize - int64(hit)
			if rest > queues-int64(k) {
				continue // not that many other queues to take
			}
			ways := new(big.Int).Binomial(int64(k), int64(hit))
			ways.Mul(ways, new(big.Int).Binomial(queues-int64(k), rest))
			step := new(big.Rat).SetFrac(ways, hands)
			next[k-hit].Add(next[k-hit], step.Mul(step, p))
		}
	}
	return next
}

func TestCoveredForALargeDeckAndManyElephants(t *testing.T) {
	got, _ := Covered(1024, 15, 100).Float64()
	// Each card is missed by all elephants with probability (1 - 15/1024)^100 = 0.229.
	// Were the cards independent the mouse would be covered with probability 0.0203; a
	// hand has room for one card less when it holds another, so it is a little less.
	if got < 0.015 || got > 0.0203 {
		t.Errorf("Covered(1024, 15, 100) = %v", got)
	}
}

// A table for a person must not take noticeable time, however odd the shape.
func BenchmarkCovered(b *testing.B) {
	for b.Loop() {
		Covered(1024, 15, 100)
	}
}
