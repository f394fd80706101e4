package html

import (
	"fmt"
	"html/template"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/plots"
)

const (
	// wideChart and narrowChart are the widths of the two drawings of a chart in pixels of CSS:
	// one for most screens, and one for phones, on which the other could not be read.
	wideChart   = plots.DefaultWidth
	narrowChart = 326
)

// drawing is a chart with its drawings, which do not depend on the limits of a page.
type drawing struct {
	plots.Chart
	wide, narrow template.HTML
}

// drawAll draws the charts of a result.
func drawAll(r *reports.Result) ([]drawing, error) { return drawCharts(plots.Charts(r)) }

// drawCharts draws charts.
func drawCharts(charts []plots.Chart) ([]drawing, error) {
	var out []drawing
	for _, c := range charts {
		d := drawing{Chart: c}
		for _, size := range []struct {
			width int
			to    *template.HTML
		}{{wideChart, &d.wide}, {narrowChart, &d.narrow}} {
			svg, err := c.Inline(size.width, 0)
			if err != nil {
				return nil, fmt.Errorf("the chart %s: %w", c.ID, err)
			}
			*size.to = template.HTML(svg)
		}
		out = append(out, d)
	}
	return out, nil
}

// draw makes the figures of the charts, by section.
func (b *builder) draw(all []drawing) {
	b.charts = map[string][]*figure{}
	if b.limits.charts == none {
		return
	}
	for i := range all {
		d := &all[i]
		f := &figure{
			ID: b.article.Prefix + "chart-" + d.ID, Title: d.Title, Caption: d.Caption, Level: b.article.Level + 2,
			Wide: d.wide,
		}
		if b.limits.charts == both {
			f.Narrow = d.narrow
		}
		f.Table = b.cells("Figures: "+d.Title, d.Table.Columns, d.Table.Rows)
		f.Table.Folded, f.levels = true, d.Levels
		if b.charts[d.Section] == nil {
			b.sections = append(b.sections, d.Section)
		}
		b.charts[d.Section] = append(b.charts[d.Section], f)
	}
}
