package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// paint is a colour with a name. SVG refers to the name, so that the page decides between
// light and dark; PNG is light.
type paint struct {
	name        string
	light, dark uint32 // 0xRRGGBB
	// alpha is the opacity in percent.
	alpha uint8
}

var _ color.Color = paint{}

// RGBA returns the light colour, as color.Color demands it.
func (p paint) RGBA() (r, g, b, a uint32) {
	return color.NRGBA{uint8(p.light >> 16), uint8(p.light >> 8), uint8(p.light), uint8(uint16(p.alpha) * 255 / 100)}.RGBA()
}

// faded returns the paint with another opacity in percent.
func (p paint) faded(alpha uint8) paint {
	p.alpha = alpha
	return p
}

// solid makes an opaque paint.
func solid(name string, light, dark uint32) paint { return paint{name, light, dark, 100} }

// The paints of everything that is not data.
var (
	ground = solid("bg", 0xffffff, 0x14181d) // what the picture is drawn on
	ink    = solid("ink", 0x1f2328, 0xe6e9ed)
	dim    = solid("dim", 0x59636e, 0x9aa4af) // second in rank: tick labels, limits
	rule   = solid("rule", 0x848d97, 0x6e7681)
	grid   = solid("grid", 0xe3e6ea, 0x2b3138)
	shade  = paint{"dim", dim.light, dim.dark, 12}
)

// series are the colours of Okabe and Ito (Color Universal Design, 2008), each darkened on
// white and lightened on black until it stands out by 3 to 1, which WCAG 2.2 asks of graphics.
var series = []paint{
	solid("s0", 0x0072b2, 0x4aa8e0), // blue
	solid("s1", 0xd55e00, 0xf08030), // vermilion
	solid("s2", 0x008f67, 0x1fbf92), // bluish green
	solid("s3", 0xb8588e, 0xe08fbc), // reddish purple
	solid("s4", 0xa87400, 0xe6a817), // orange
	solid("s5", 0x3a93c8, 0x8fd0f5), // sky blue
	solid("s6", 0x857b00, 0xf0e442), // yellow
	solid("s7", 0x444a52, 0xc9d1d9), // black
}

// rest is the colour of others.
var rest = solid("rest", 0x7f8790, 0x7f8790)

// paints lists all of them.
func paints() []paint {
	return append([]paint{ground, ink, dim, rule, grid, rest}, series...)
}

// Style returns the style sheet of the charts, for a page that holds several of them. It follows
// the page's data-theme ("light" or "dark") where the root element has one, and the reader's
// preference elsewhere.
func Style() string { return styleOf(paints()) }

// styleOf writes the style sheet of some paints. A reader of SVG that knows no variables gets
// the light colours.
func styleOf(all []paint) string {
	var b strings.Builder
	b.WriteString(`.apfsim-chart{font-family:"Liberation Sans",Arial,Helvetica,sans-serif;font-size:11px;` + variables(all, false) + "}")
	b.WriteString("@media(prefers-color-scheme:dark){:root:not([data-theme=light]) .apfsim-chart,svg.apfsim-chart:root{" + variables(all, true) + "}}")
	b.WriteString(":root[data-theme=dark] .apfsim-chart{" + variables(all, true) + "}")
	b.WriteString(".apfsim-chart .f{fill:currentColor}.apfsim-chart .k{fill:none;stroke:currentColor}.apfsim-chart .b{font-weight:bold}")
	for _, p := range all {
		fmt.Fprintf(&b, ".apfsim-chart .%s{color:#%06x;color:var(--apf-%s)}", p.name, p.light, p.name)
	}
	return b.String()
}

// variables writes the paints as CSS variables.
func variables(all []paint, dark bool) string {
	var b strings.Builder
	for i, p := range all {
		if slices.ContainsFunc(all[:i], func(q paint) bool { return q.name == p.name }) {
			continue
		}
		value := p.light
		if dark {
			value = p.dark
		}
		fmt.Fprintf(&b, "--apf-%s:#%06x;", p.name, value)
	}
	return strings.TrimSuffix(b.String(), ";")
}
