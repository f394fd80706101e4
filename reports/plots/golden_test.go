package plots

import (
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestGolden shows small charts as text.
func TestGolden(t *testing.T) {
	charts := Charts(made(3, 2, 1))
	datadriven.RunTest(t, "testdata/small.txt", func(t *testing.T, d *datadriven.TestData) string {
		c := find(charts, d.CmdArgs[0].Key)
		if c == nil {
			d.Fatalf(t, "there is no chart %s", d.CmdArgs[0].Key)
		}
		svg, err := c.Inline(400, 0)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		return string(svg)
	})
}
