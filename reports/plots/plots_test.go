package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
)

// TestDegenerate draws all charts of results that have next to nothing and of some that have
// too much.
func TestDegenerate(t *testing.T) {
	for _, c := range []struct {
		name string
		r    *reports.Result
		want int // charts, at least
	}{
		{"nothing", &reports.Result{}, 0},
		{"no slices", made(0, 1, 1), 8},
		{"one slice", made(1, 1, 1), 10},
		{"all zeros", zeros(), 1},
		{"many slices", made(10_000, 3, 3), 18},
		{"200 populations", made(60, 20, 200), 25},
	} {
		charts := Charts(c.r)
		if len(charts) < c.want {
			t.Errorf("%s: want %d charts, got %d", c.name, c.want, len(charts))
		}
		ids := map[string]bool{}
		for i := range charts {
			if ids[charts[i].ID] {
				t.Errorf("%s: two charts are %s", c.name, charts[i].ID)
			}
			ids[charts[i].ID] = true
			for _, width := range []int{MinWidth, DefaultWidth} {
				checkSVG(t, &charts[i], width)
			}
		}
	}
}

// No chart takes room to say what is the same everywhere or stands in another one.
func TestChartsThatTellNothing(t *testing.T) {
	for _, id := range []string{"limits", "blame-level-0", "wait-populations"} {
		has := func(r *reports.Result) bool {
			return slices.ContainsFunc(Charts(r), func(c Chart) bool { return c.ID == id })
		}
		if r := made(60, 2, 2); !has(r) {
			t.Errorf("there is no %s where it tells something", id)
		}
		r := made(60, 1, 1)
		for i := range r.PriorityLevels[0].Adjustments {
			r.PriorityLevels[0].Adjustments[i].Current = 20
		}
		if has(r) {
			t.Errorf("there is %s where it tells nothing", id)
		}
	}
}

// zeros is a result in which nothing happened.
func zeros() *reports.Result {
	r := made(60, 2, 2)
	for i := range r.PriorityLevels {
		l := &r.PriorityLevels[i]
		r.PriorityLevels[i] = reports.PriorityLevel{Name: l.Name, Occupancy: &reports.Occupancy{}, Wait: &reports.Wait{Count: 5}, Blame: &reports.Blame{}, Sharding: &reports.Sharding{}}
	}
	for i := range r.Populations {
		r.Populations[i] = reports.Population{Name: r.Populations[i].Name, Operations: &reports.Operations{}}
	}
	r.Timeline = &reports.Timeline{Slice: r.Timeline.Slice, Slices: 60, PriorityLevels: []reports.LevelTimeline{{}, {}}, Populations: []reports.GroupTimeline{{}}}
	return r
}

// checkSVG draws a chart as SVG, and looks for what must not be in it.
func checkSVG(t *testing.T, c *Chart, width int) {
	t.Helper()
	svg, err := c.SVG(width, 0)
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
	}
	for _, size := range fontSizes.FindAllStringSubmatch(string(svg), -1) {
		if n, err := strconv.ParseFloat(size[1], 64); err != nil || n < sizeTick {
			t.Errorf("%s has text of size %s", c.ID, size[1])
		}
	}
	for _, bad := range []string{"NaN", "Inf ", "Inf\"", "url(", "<script", "xlink", "href=\"http", "@import"} {
		if strings.Contains(string(svg), bad) {
			t.Errorf("%s has %q in it", c.ID, bad)
		}
	}
	if again, _ := c.SVG(width, 0); !bytes.Equal(svg, again) {
		t.Errorf("%s: drawn again, it differs", c.ID)
	}
	if len(svg) > 40_000 {
		t.Errorf("%s at %d: %d bytes, want at most 40000", c.ID, width, len(svg))
	}
	for i, row := range c.Table.Rows {
		if len(row) != len(c.Table.Columns) {
			t.Errorf("%s: row %d of the table has %d cells for %d columns", c.ID, i, len(row), len(c.Table.Columns))
		}
	}
}

// fontSizes finds the sizes of text.
var fontSizes = regexp.MustCompile(`font-size[=:]"?([0-9.]+)`)

func TestPNG(t *testing.T) {
	charts := Charts(made(60, 2, 3))
	for i := range charts {
		text, err := charts[i].PNG(700, 0)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := img.Bounds().Dx(); got != 1400 {
			t.Errorf("%s: want 1400 pixels, got %d", charts[i].ID, got)
		}
	}
}

func TestSizesThatNothingFitsInto(t *testing.T) {
	c := Charts(made(60, 1, 1))[0]
	for _, size := range [][2]int{{MinWidth - 1, 0}, {700, -1}, {1 << 20, 0}} {
		if _, err := c.SVG(size[0], size[1]); !errors.Is(err, errSize) {
			t.Errorf("%v: want %v, got %v", size, errSize, err)
		}
		if _, err := c.PNG(size[0], size[1]); !errors.Is(err, errSize) {
			t.Errorf("%v: want %v, got %v", size, errSize, err)
		}
	}
}
