package scenarios

import (
	"fmt"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// duration is a duration in a scenario file: Go's text, "1m30s".
type duration time.Duration

const durationLegal = "a duration such as 250ms, 10s or 1m30s (units ns, us, ms, s, m, h)"

func (v *duration) readNode(d *decoder, n *node, path string) {
	if n.kind == scalarNode && !n.quoted && (n.tag == "!!int" || n.tag == "!!float") {
		if n.text == "0" {
			*v = 0
			return
		}
		d.fail(path, d.place(n), fault{code: CodeWrongType, message: fmt.Sprintf("%s has no unit: %s", name(path), n.text),
			legal: durationLegal, hint: fmt.Sprintf("did you mean %ss?", n.text)})
		return
	}
	text, ok := d.text(n, path, "a duration")
	if !ok {
		return
	}
	parsed, f := parseDuration(path, text)
	if f != nil {
		d.fail(path, d.place(n), *f)
		return
	}
	*v = duration(parsed)
}

// parseDuration reads a duration that is not negative, and not so long that sums of such
// durations could overflow.
func parseDuration(path, text string) (time.Duration, *fault) {
	parsed, err := time.ParseDuration(text)
	switch {
	case err != nil && text == "":
		return 0, &fault{code: CodeWrongType, message: name(path) + " is empty", legal: durationLegal}
	case err != nil:
		f := &fault{code: CodeWrongType, message: fmt.Sprintf("%s is no duration: %q", name(path), shorten(text)), legal: durationLegal}
		f.hint = durationHint(text)
		return 0, f
	case parsed < 0:
		return 0, &fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is negative: %s", name(path), text), legal: durationLegal}
	case parsed > workload.MaxDuration:
		return 0, &fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is too long: %s", name(path), text),
			legal: "at most " + durationText(workload.MaxDuration)}
	}
	return parsed, nil
}

// durationHint helps with units that other tools have.
func durationHint(text string) string {
	fixes := strings.NewReplacer(" ", "", "seconds", "s", "second", "s", "secs", "s", "sec", "s",
		"minutes", "m", "minute", "m", "mins", "m", "min", "m", "hours", "h", "hour", "h", "msec", "ms", "millis", "ms", "S", "s", "M", "m", "H", "h")
	if fixed := fixes.Replace(text); fixed != text {
		if d, err := time.ParseDuration(fixed); err == nil && d >= 0 {
			return fmt.Sprintf("did you mean %s?", fixed)
		}
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if d, err := time.ParseDuration(days + "h"); err == nil && d >= 0 && d < 24*365*time.Hour {
			return fmt.Sprintf("did you mean %s?", durationText(24*d))
		}
	}
	return ""
}

// durationText writes a duration as briefly as it can be read again: "10m", not "10m0s".
func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
