package plots

import (
	"sort"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The sizes of text, in points: nothing is smaller than the first one.
const (
	sizeTick  = 11
	sizeHead  = 12
	sizeTitle = 15
)

// weightBold is golang.org/x/image/font.WeightBold.
const weightBold = 3

// fonts are the embedded ones. Text is laid out by the metrics of Liberation Sans, which are
// those of Arial and Helvetica.
var fonts = font.NewCache(liberation.Collection())

// textStyle returns the style of a line of text.
func textStyle(size float64, bold bool, color paint, align text.XAlignment) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)}
	if bold {
		f.Weight = weightBold
	}
	return text.Style{Color: color, Font: f, XAlign: align, YAlign: text.YBottom, Handler: text.Plain{Fonts: fonts}}
}

// The styles of text that most marks need.
var (
	tickStyle    = textStyle(sizeTick, false, dim, text.XCenter)
	labelStyle   = textStyle(sizeTick, false, ink, text.XLeft)
	headingStyle = textStyle(sizeHead, true, ink, text.XLeft)
)

// aligned returns a style with another alignment.
func aligned(style text.Style, align text.XAlignment) text.Style {
	style.XAlign = align
	return style
}

// write writes one line with its base line at a point. SVG gets text as text, with its
// alignment, so that it also sits where it should in another font.
func write(c *draw.Canvas, style text.Style, x, y vg.Length, txt string) {
	if svg, ok := c.Canvas.(*svgCanvas); ok {
		svg.text(txt, style, vg.Point{X: x, Y: y})
		return
	}
	face := fonts.Lookup(style.Font, style.Font.Size)
	c.SetColor(style.Color)
	c.FillString(face, vg.Point{X: x + vg.Length(style.XAlign)*face.Width(txt), Y: y}, txt)
}

// wrap breaks a text into lines of at most a width.
func wrap(style text.Style, txt string, width vg.Length) []string {
	var lines []string
	for _, word := range strings.Fields(txt) {
		if last := len(lines) - 1; last >= 0 && style.Width(lines[last]+" "+word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// shorten cuts a text to a width, with an ellipsis in the middle: names differ at their ends.
func shorten(style text.Style, txt string, width vg.Length) string {
	runes := []rune(txt)
	if !tooMany(len(runes), width) && style.Width(txt) <= width {
		return txt
	}
	cut := func(keep int) string {
		head := (keep + 1) / 2
		return string(runes[:head]) + "…" + string(runes[len(runes)-(keep-head):])
	}
	// More letters need more room, so the first number that has none can be searched for.
	most := min(len(runes)-2, int(width))
	if keep := sort.Search(max(most-1, 0), func(i int) bool { return style.Width(cut(i+2)) > width }) + 1; keep > 1 {
		return cut(keep)
	}
	return "…"
}

// tooMany tells of a number of letters that no width has room for: they are wider than a point.
// The real width of a long text is not worth being measured then.
func tooMany(letters int, width vg.Length) bool { return vg.Length(letters) > width }
