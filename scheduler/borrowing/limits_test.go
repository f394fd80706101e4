package borrowing

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// stockLevel is a built-in level of releases 1.26 and later.
type stockLevel struct {
	name     string
	shares   Shares
	handSize int // 0 without queues
}

// stock returns the built-in levels in the order of their names.
func stock() []stockLevel {
	return []stockLevel{
		{"catch-all", Shares{5, 0, -1, false}, 0},
		{"exempt", Shares{0, 0, -1, true}, 0},
		{"global-default", Shares{20, 50, -1, false}, 6},
		{"leader-election", Shares{10, 0, -1, false}, 4},
		{"node-high", Shares{40, 25, -1, false}, 6},
		{"system", Shares{30, 33, -1, false}, 6},
		{"workload-high", Shares{40, 50, -1, false}, 6},
		{"workload-low", Shares{100, 90, -1, false}, 6},
	}
}

// stockLimits returns the limits of the built-in levels on a server of that size.
func stockLimits(seats int) map[string]Limits {
	var shares []Shares
	for _, l := range stock() {
		shares = append(shares, l.shares)
	}
	limits := make(map[string]Limits)
	for i, l := range newest.Nominal(seats, shares) {
		limits[stock()[i].name] = l
	}
	return limits
}

func TestStockServerOf600Seats(t *testing.T) {
	want := map[string]Limits{
		"catch-all":       {13, 13, 613},
		"exempt":          {0, 0, 600},
		"global-default":  {49, 24, 649},
		"leader-election": {25, 25, 625},
		"node-high":       {98, 73, 698},
		"system":          {74, 50, 674},
		"workload-high":   {98, 49, 698},
		"workload-low":    {245, 24, 845},
	}
	if diff := cmp.Diff(want, stockLimits(600)); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

// Before 1.26 the nominal limits were all there was; their values for the shares of
// older releases are known too.
func TestNominalOfOlderReleases(t *testing.T) {
	for _, c := range []struct{ shares, want []int }{
		{[]int{30, 10, 40, 20, 100, 1}, []int{90, 30, 120, 60, 299, 3}},  // 1.18 and 1.19
		{[]int{30, 10, 40, 100, 20, 5}, []int{88, 30, 118, 293, 59, 15}}, // 1.20 and 1.21
	} {
		var shares []Shares
		for _, s := range c.shares {
			shares = append(shares, Shares{int32(s), 0, -1, false})
		}
		var got []int
		for _, l := range newest.Nominal(600, shares) {
			got = append(got, l.Nominal)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("shares %v (-want +got):\n%s", c.shares, diff)
		}
	}
}

func TestPercentsRoundHalfAwayFromZero(t *testing.T) {
	// One level has all seats as its nominal limit.
	for _, c := range []struct {
		seats             int
		lendable, borrows int32
		want              Limits
	}{
		{5, 50, 50, Limits{5, 2, 8}}, // 2.5 is 3
		{7, 50, 0, Limits{7, 3, 7}},  // 3.5 is 4
		{49, 50, 10, Limits{49, 24, 54}},
		{74, 33, 100, Limits{74, 50, 148}}, // 24.42
		{10, 100, 250, Limits{10, 0, 35}},
		{10, 4, 4, Limits{10, 10, 10}}, // 0.4
		{10, 5, 5, Limits{10, 9, 11}},  // 0.5
		{10, 0, -1, Limits{10, 10, 20}},
	} {
		got := newest.Nominal(c.seats, []Shares{{1, c.lendable, c.borrows, false}})[0]
		if got != c.want {
			t.Errorf("%d seats, lendable %d %%, borrowing %d %%: %+v, want %+v", c.seats, c.lendable, c.borrows, got, c.want)
		}
	}
}

func TestNominalWithoutAnyShares(t *testing.T) {
	got := newest.Nominal(600, []Shares{{0, 50, -1, false}, {0, 0, 40, false}})
	if diff := cmp.Diff([]Limits{{0, 0, 600}, {0, 0, 0}}, got); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

// The nominal limit is the least whole number not below the exact quotient. Floating
// point cannot miss it in the range of real servers.
func TestNominalAgainstExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seats := rapid.IntRange(1, 100_000).Draw(t, "seats")
		counts := rapid.SliceOfN(rapid.Int32Range(0, 10_000), 1, 12).Draw(t, "shares")
		var shares []Shares
		sum := int64(0)
		for _, c := range counts {
			shares = append(shares, Shares{c, 0, -1, false})
			sum += int64(c)
		}
		if sum == 0 {
			t.Skip("no shares")
		}
		for i, l := range newest.Nominal(seats, shares) {
			quotient := big.NewInt(int64(seats) * int64(counts[i]))
			quotient.Add(quotient, big.NewInt(sum-1))
			if want := quotient.Div(quotient, big.NewInt(sum)).Int64(); int64(l.Nominal) != want {
				t.Fatalf("%d of %d seats for %d of %d shares, want %d", l.Nominal, seats, counts[i], sum, want)
			}
		}
	})
}

func TestInitialLimitIsBetweenMinAndNominal(t *testing.T) {
	for _, c := range []struct {
		limits Limits
		want   int
	}{
		{Limits{Nominal: 245, Min: 24}, 135}, // 221 lendable: 110 off
		{Limits{Nominal: 74, Min: 50}, 62},
		{Limits{Nominal: 25, Min: 25}, 25},
		{Limits{Nominal: 1, Min: 0}, 1},
	} {
		if got := c.limits.Initial(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.limits, got, c.want)
		}
	}
}

func TestMaxSeatsOfTheStockLevels(t *testing.T) {
	want := map[int]map[string]int{
		600: {"system": 12, "node-high": 15, "leader-election": 4, "workload-high": 15, "workload-low": 37, "global-default": 8},
		800: {"system": 15, "node-high": 20, "leader-election": 5, "workload-high": 20, "workload-low": 50, "global-default": 10},
	}
	for seats, levels := range want {
		limits := stockLimits(seats)
		for _, l := range stock() {
			if l.handSize == 0 {
				continue
			}
			if got := newest.MaxSeats(limits[l.name].Nominal, l.handSize); got != levels[l.name] {
				t.Errorf("%d seats, %s: %d, want %d", seats, l.name, got, levels[l.name])
			}
		}
	}
}

func TestMaxSeats(t *testing.T) {
	for _, c := range []struct{ nominal, handSize, want int }{
		{0, 1, 1},
		{1, 1, 1},
		{5, 6, 1},
		{100, 1, 15},
		{101, 1, 16}, // 15.15 is rounded up
		{100, 6, 15}, // 16 a card
		{100, 8, 12}, // 12.5 is cut off
		{103, 8, 12}, // 12.875 too
		{20, 1, 3},   // 0.15 * 20 is 3 in floating point as well
		{60, 1, 9},   // and so is 9
		{1_000_000, 10, 100_000},
	} {
		if got := newest.MaxSeats(c.nominal, c.handSize); got != c.want {
			t.Errorf("MaxSeats(%d, %d) = %d, want %d", c.nominal, c.handSize, got, c.want)
		}
	}
}

func TestMaxSeatsNeedsAHand(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("MaxSeats(10, 0) did not panic")
		}
	}()
	newest.MaxSeats(10, 0)
}
