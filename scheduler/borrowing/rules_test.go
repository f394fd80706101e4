package borrowing

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newest are the rules of the newest release, which most tests are about. Package release
// cannot be asked here: it imports this one.
var newest = Rules{Lending: true, Exempt: ExemptFirst, BoundsWidth: true}

func TestWithoutLending(t *testing.T) {
	var fixed Rules
	shares := []Shares{{100, 90, -1, false}, {100, 50, 10, false}, {40, 0, -1, true}}
	limits := fixed.Nominal(600, shares)
	if diff := cmp.Diff([]Limits{{300, 300, 300}, {300, 300, 300}, {}}, limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if got := limits[0].Initial(); got != 300 {
		t.Errorf("a new level starts from %d, want its nominal limit", got)
	}
	got, f := fixed.Adjust([]LevelDemand{{Limits: limits[0], Stats: flat(900), Current: 7}, {Limits: limits[1]}, {Exempt: true, Stats: flat(50)}})
	if diff := cmp.Diff([]int{300, 300, 0}, got); diff != "" || f != 0 {
		t.Errorf("fraction %v, limits (-want +got):\n%s", f, diff)
	}
	if got := fixed.MaxSeats(100, 6); got != 0 {
		t.Errorf("a level bounds its requests to %d seats", got)
	}
}

// TestExemptOutside: 1.26 and 1.27 give an exempt level neither shares nor seats.
func TestExemptOutside(t *testing.T) {
	rules := Rules{Lending: true}
	shares := []Shares{{100, 50, -1, false}, {100, 50, -1, false}, {40, 0, -1, true}}
	limits := rules.Nominal(600, shares)
	if diff := cmp.Diff([]Limits{{300, 150, 900}, {300, 150, 900}, {}}, limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	levels := []LevelDemand{{Limits: limits[0], Stats: flat(500)}, {Limits: limits[1]}, {Exempt: true, Stats: flat(400)}}
	got, f := rules.Adjust(levels)
	if diff := cmp.Diff([]int{450, 150, 0}, got); diff != "" || f == 0 {
		t.Errorf("fraction %v, limits (-want +got):\n%s", f, diff)
	}
}

// TestExemptAmong: from 1.28 to 1.30 the demand of an exempt level takes its fair part from
// the others, and the limit that it is given binds nobody.
func TestExemptAmong(t *testing.T) {
	rules := Rules{Lending: true, Exempt: ExemptAmong}
	shares := []Shares{{100, 50, -1, false}, {100, 50, -1, false}, {0, 0, -1, true}}
	limits := rules.Nominal(600, shares)
	if diff := cmp.Diff([]Limits{{300, 150, 900}, {300, 150, 900}, {0, 0, 600}}, limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	levels := []LevelDemand{{Limits: limits[0], Stats: flat(300)}, {Limits: limits[1]}, {Exempt: true, Limits: limits[2], Stats: flat(150)}}
	// The first level's lower bound is 300, the second's 150; the third gets what is left.
	got, f := rules.Adjust(levels)
	if diff := cmp.Diff([]int{300, 150, 150}, got); diff != "" || f != 1 {
		t.Errorf("fraction %v, limits (-want +got):\n%s", f, diff)
	}
	levels[2].Stats = flat(900)
	got, f = rules.Adjust(levels)
	if diff := cmp.Diff([]int{300, 150, 150}, got); diff != "" {
		t.Errorf("with more exempt demand: fraction %v, limits (-want +got):\n%s", f, diff)
	}
	first, _ := newest.Adjust(levels)
	if diff := cmp.Diff([]int{150, 150, 900}, first); diff != "" {
		t.Errorf("where the exempt level comes first (-want +got):\n%s", diff)
	}
}

// TestNaNFreezesAllLimits: a single level whose variance rounding made negative.
func TestNaNFreezesAllLimits(t *testing.T) {
	rules := Rules{Lending: true, NaNStays: true}
	var spoilt Stats
	spoilt.Update(Demand{Seconds: 10, Avg: 7, StdDev: math.NaN(), Max: 7}, rules)
	for range 100 {
		spoilt.Update(Demand{Seconds: 10, Avg: 20, StdDev: 1, Max: 30}, rules)
	}
	if !math.IsNaN(spoilt.Smoothed) || spoilt.Avg != 20 || spoilt.HighWatermark != 30 {
		t.Fatalf("%+v, want smoothed demand that is no number, and the rest up to date", spoilt)
	}
	limits := Limits{Nominal: 100, Min: 50, Max: 700}
	levels := []LevelDemand{
		{Limits: limits, Stats: spoilt, Current: 42},
		{Limits: limits, Stats: flat(500), Current: 158},
	}
	got, f := rules.Adjust(levels)
	if diff := cmp.Diff([]int{42, 158}, got); diff != "" || f != 0 {
		t.Errorf("fraction %v, limits (-want +got):\n%s", f, diff)
	}
	var fresh Stats
	fresh.Update(Demand{Seconds: 0, Avg: math.NaN(), StdDev: math.NaN(), Max: 5}, rules)
	if want := (Stats{HighWatermark: 5}); fresh != want {
		t.Errorf("after a period of no length: %+v, want %+v", fresh, want)
	}
}
