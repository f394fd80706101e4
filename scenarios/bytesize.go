package scenarios

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// byteSize is a number of bytes: a whole number, or one with a unit of Kubernetes, "16Gi".
type byteSize int64

const byteSizeLegal = "a number of bytes, or one with a unit: 512Mi, 16Gi, 2G (units k, M, G, T, Ki, Mi, Gi, Ti)"

var (
	sizeShape = regexp.MustCompile(`^([0-9]{1,15})(\.[0-9]{1,9})?(k|M|G|T|Ki|Mi|Gi|Ti)?$`)
	sizeUnits = map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40}
)

// sizeUnitHint helps with units that look like others.
var sizeUnitHint = map[string]string{"KB": "k", "kB": "k", "K": "k", "KiB": "Ki", "MB": "M", "MiB": "Mi", "GB": "G", "GiB": "Gi", "TB": "T", "TiB": "Ti", "m": "M", "g": "G", "B": ""}

func (v *byteSize) readNode(d *decoder, n *node, path string) {
	if n.kind != scalarNode || n.null() {
		d.wrongShape(n, path, "a number of bytes", byteSizeLegal, "")
		return
	}
	text := n.text
	m := sizeShape.FindStringSubmatch(text)
	if m == nil {
		d.fail(path, d.place(n), fault{code: CodeWrongType, message: fmt.Sprintf("%s is no number of bytes: %q", name(path), shorten(text)),
			legal: byteSizeLegal, hint: sizeHint(text)})
		return
	}
	number, err := strconv.ParseFloat(m[1]+m[2], 64)
	bytes := number * sizeUnits[m[3]]
	switch {
	case err != nil, bytes >= math.MaxInt64:
		d.fail(path, d.place(n), fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is too large a number of bytes: %s", name(path), shorten(text)), legal: byteSizeLegal})
	case bytes != math.Trunc(bytes):
		d.fail(path, d.place(n), fault{code: CodeWrongType, message: fmt.Sprintf("%s is no whole number of bytes: %s", name(path), shorten(text)), legal: byteSizeLegal})
	default:
		*v = byteSize(bytes)
	}
}

func sizeHint(text string) string {
	for i := len(text); i > 0; i-- {
		if unit, known := sizeUnitHint[text[i-1:]]; known && sizeShape.MatchString(text[:i-1]) {
			return fmt.Sprintf("did you mean %s%s?", text[:i-1], unit)
		}
	}
	return ""
}

// encode writes the size with the largest binary unit of which it is a whole number.
func (v *byteSize) encode() *node {
	size, unit := int64(*v), ""
	for _, u := range []string{"Ki", "Mi", "Gi", "Ti"} {
		if size == 0 || size%1024 != 0 {
			break
		}
		size, unit = size/1024, u
	}
	n := &node{text: strconv.FormatInt(size, 10) + unit, tag: "!!str"}
	if unit == "" {
		n.tag = "!!int"
	}
	return n
}
