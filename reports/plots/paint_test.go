package plots

import (
	"math"
	"strings"
	"testing"
)

// luminance is the relative luminance of WCAG 2.2.
func luminance(rgb uint32) float64 {
	part := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// contrast is the contrast ratio of WCAG 2.2.
func contrast(a, b uint32) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// TestContrast holds that data stands out from the ground by 3 to 1 and text by 4.5 to 1, in
// light and in dark.
func TestContrast(t *testing.T) {
	least := map[string]float64{ink.name: 7, dim.name: 4.5, rule.name: 3, rest.name: 3}
	for _, p := range series {
		least[p.name] = 3
	}
	for _, p := range paints() {
		want, ok := least[p.name]
		if !ok {
			continue
		}
		if got := contrast(p.light, ground.light); got < want {
			t.Errorf("%s has a contrast of %.2f on light, want %v", p.name, got, want)
		}
		if got := contrast(p.dark, ground.dark); got < want {
			t.Errorf("%s has a contrast of %.2f on dark, want %v", p.name, got, want)
		}
	}
}

// TestLooksDiffer holds that no two looks are the same without their colours.
func TestLooksDiffer(t *testing.T) {
	if len(hatches) != len(series) || len(dashes) != len(series) {
		t.Fatalf("%d colours, %d hatches, %d dashes", len(series), len(hatches), len(dashes))
	}
	for i := range series {
		for j := range i {
			if hatches[i] == hatches[j] {
				t.Errorf("areas %d and %d have one hatch", j, i)
			}
			if a, b := dashes[i], dashes[j]; len(a) == len(b) && len(a) > 0 && a[0] == b[0] && a[1] == b[1] {
				t.Errorf("lines %d and %d have the same dashes", j, i)
			}
		}
	}
}

// TestStyle holds that a page can be light or dark, by itself or by the reader's wish.
func TestStyle(t *testing.T) {
	for _, want := range []string{"prefers-color-scheme:dark", "[data-theme=dark]", "[data-theme=light]", "--apf-ink:#1f2328", "--apf-ink:#e6e9ed"} {
		if !strings.Contains(Style(), want) {
			t.Errorf("the style sheet lacks %s", want)
		}
	}
}
