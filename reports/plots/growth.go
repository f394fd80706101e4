package plots

import (
	"slices"

	"github.com/apfsim/apfsim/reports/study"
)

// GrowthCharts returns a curve of each goal against the factor by which the traffic grows, with a line for each
// configuration. A goal whose figure stays the same has none.
func GrowthCharts(g *study.Growth) []Chart {
	charts := SweepCharts(g.Table(), g.Scenario)
	return slices.DeleteFunc(charts, func(c Chart) bool { return c.Section != sectionCurves })
}
