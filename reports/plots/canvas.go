package plots

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// svgCanvas draws SVG: paths with classes in place of colours, text as text, coordinates in
// hundredths of a point. A point is a pixel of CSS.
type svgCanvas struct {
	body   bytes.Buffer
	height vg.Length
	used   []paint

	paint paint
	width vg.Length
	dash  []vg.Length
}

var _ vg.Canvas = &svgCanvas{}

// SetLineWidth sets the width of strokes.
func (s *svgCanvas) SetLineWidth(w vg.Length) { s.width = w }

// SetLineDash sets the dashes of strokes, which begin where the line does.
func (s *svgCanvas) SetLineDash(pattern []vg.Length, _ vg.Length) { s.dash = pattern }

// SetColor sets the paint.
func (s *svgCanvas) SetColor(c color.Color) {
	p, ok := c.(paint)
	if !ok {
		panic(fmt.Sprintf("plots: the colour %v has no name", c))
	}
	s.paint = p
}

// Rotate, Translate, Scale, Push and Pop are of no use here: no chart is drawn askew.
func (s *svgCanvas) Rotate(float64) { panic("plots: nothing is rotated") }

// Translate panics.
func (s *svgCanvas) Translate(vg.Point) { panic("plots: nothing is moved") }

// Scale panics.
func (s *svgCanvas) Scale(_, _ float64) { panic("plots: nothing is scaled") }

// Push panics.
func (s *svgCanvas) Push() { panic("plots: there is no state to keep") }

// Pop panics.
func (s *svgCanvas) Pop() { panic("plots: there is no state to restore") }

// class returns the class of the paint.
func (s *svgCanvas) class() string {
	for _, p := range s.used {
		if p.name == s.paint.name {
			return p.name
		}
	}
	s.used = append(s.used, s.paint)
	return s.paint.name
}

// Stroke draws a line.
func (s *svgCanvas) Stroke(p vg.Path) {
	if s.width <= 0 || len(p) < 2 {
		return
	}
	fmt.Fprintf(&s.body, `<path class="k %s"`, s.class())
	if s.width != 1 {
		fmt.Fprintf(&s.body, ` stroke-width="%s"`, hundredths(centi(s.width)))
	}
	if len(s.dash) > 0 {
		s.body.WriteString(` stroke-dasharray="`)
		for i, d := range s.dash {
			if i > 0 {
				s.body.WriteByte(' ')
			}
			s.body.WriteString(hundredths(centi(d)))
		}
		s.body.WriteByte('"')
	}
	s.end("stroke", p)
}

// Fill fills an area.
func (s *svgCanvas) Fill(p vg.Path) {
	if len(p) < 2 {
		return
	}
	fmt.Fprintf(&s.body, `<path class="f %s"`, s.class())
	s.end("fill", p)
}

// end writes the opacity and the path of an element.
func (s *svgCanvas) end(what string, p vg.Path) {
	if s.paint.alpha < 100 {
		fmt.Fprintf(&s.body, ` %s-opacity="%s"`, what, hundredths(int64(s.paint.alpha)))
	}
	s.body.WriteString(` d="`)
	s.path(p)
	s.body.WriteString("\"/>\n")
}

// path writes the steps of a path relative to each other, which is shorter. It keeps to the
// rounded points, so that nothing adds up.
func (s *svgCanvas) path(p vg.Path) {
	var at, start [2]int64
	for i := 0; i < len(p); i++ {
		to := s.point(p[i].Pos)
		switch p[i].Type {
		case vg.MoveComp:
			fmt.Fprintf(&s.body, "M%s%s", hundredths(to[0]), next(to[1]))
			at, start = to, to
		case vg.LineComp:
			for i+1 < len(p) && p[i+1].Type == vg.LineComp && onward(at, to, s.point(p[i+1].Pos)) {
				i++
				to = s.point(p[i].Pos)
			}
			s.line(at, to)
			at = to
		case vg.CloseComp:
			s.body.WriteByte('z')
			at = start
		default:
			panic(fmt.Sprintf("plots: no chart has a path component of type %d", p[i].Type))
		}
	}
}

// line writes one step.
func (s *svgCanvas) line(from, to [2]int64) {
	dx, dy := to[0]-from[0], to[1]-from[1]
	switch {
	case dx == 0 && dy == 0:
	case dy == 0:
		s.body.WriteString("h" + hundredths(dx))
	case dx == 0:
		s.body.WriteString("v" + hundredths(dy))
	default:
		s.body.WriteString("l" + hundredths(dx) + next(dy))
	}
}

// onward tells whether b lies on the way from a to c, along one of the axes.
func onward(a, b, c [2]int64) bool {
	for i := range a {
		if j := 1 - i; a[i] == b[i] && b[i] == c[i] && (b[j]-a[j])*(c[j]-b[j]) >= 0 {
			return true
		}
	}
	return false
}

// point converts a point into hundredths from the upper left corner.
func (s *svgCanvas) point(at vg.Point) [2]int64 {
	return [2]int64{centi(at.X), centi(s.height - at.Y)}
}

// FillString writes text that begins at a point.
func (s *svgCanvas) FillString(f font.Face, at vg.Point, txt string) {
	s.text(txt, text.Style{Color: s.paint, Font: f.Font}, at)
}

// text writes one line with its base line at a point.
func (s *svgCanvas) text(txt string, style text.Style, at vg.Point) {
	s.SetColor(style.Color)
	class := "f " + s.class()
	if style.Font.Weight == weightBold {
		class += " b"
	}
	p := s.point(at)
	fmt.Fprintf(&s.body, `<text class="%s" x="%s" y="%s"`, class, hundredths(p[0]), hundredths(p[1]))
	if style.Font.Size != sizeTick {
		fmt.Fprintf(&s.body, ` font-size="%s"`, hundredths(centi(style.Font.Size)))
	}
	switch style.XAlign {
	case text.XCenter:
		s.body.WriteString(` text-anchor="middle"`)
	case text.XRight:
		s.body.WriteString(` text-anchor="end"`)
	}
	s.body.WriteByte('>')
	escape(&s.body, txt)
	s.body.WriteString("</text>\n")
}

// DrawImage embeds an image, whose pixels stay sharp.
func (s *svgCanvas) DrawImage(rect vg.Rectangle, img image.Image) {
	corner := s.point(vg.Point{X: rect.Min.X, Y: rect.Max.Y})
	size := rect.Size()
	fmt.Fprintf(&s.body, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,`,
		hundredths(corner[0]), hundredths(corner[1]), hundredths(centi(size.X)), hundredths(centi(size.Y)))
	encoder := base64.NewEncoder(base64.StdEncoding, &s.body)
	compress := png.Encoder{CompressionLevel: png.BestCompression}
	if err := compress.Encode(encoder, img); err != nil {
		panic(fmt.Sprintf("plots: an image of %v cannot be written: %v", img.Bounds(), err))
	}
	encoder.Close()
	s.body.WriteString("\"/>\n")
}

// centi rounds a length to hundredths of a point. What lies half way goes up, also if the
// last bits of the length differ from one processor to another.
func centi(x vg.Length) int64 { return int64(math.Floor(float64(x)*100 + 0.5001)) }

// hundredths writes a number of hundredths as a decimal without needless digits.
func hundredths(n int64) string {
	text := strconv.FormatInt(n/100, 10)
	if n < 0 {
		n, text = -n, "-"+strconv.FormatInt(-n/100, 10)
	}
	switch rest := n % 100; {
	case rest == 0:
		return text
	case rest%10 == 0:
		text += "." + strconv.FormatInt(rest/10, 10)
	default:
		text += fmt.Sprintf(".%02d", rest)
	}
	return trimZero(text)
}

// trimZero leaves out the zero before a point.
func trimZero(text string) string {
	switch {
	case text[0] == '0' && len(text) > 1:
		return text[1:]
	case text[0] == '-' && text[1] == '0' && len(text) > 2:
		return "-" + text[2:]
	}
	return text
}

// next writes a number after another one, from which a sign sets it off.
func next(n int64) string {
	if n < 0 {
		return hundredths(n)
	}
	return " " + hundredths(n)
}

// escape writes text into XML.
func escape(b *bytes.Buffer, txt string) {
	if err := xml.EscapeText(b, []byte(txt)); err != nil {
		panic(fmt.Sprintf("plots: %q cannot be written: %v", txt, err))
	}
}
