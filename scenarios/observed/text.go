package observed

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lineMax is the longest line of a text that is read, in bytes.
const lineMax = 1 << 20

// readText reads the text format of Prometheus or OpenMetrics, line by line. What is malformed is
// told, and left out; the rest is given to take.
func readText(text io.Reader, fault func(line int64, problem string, text []byte), take func(sample)) (lines int64, err error) {
	scanner := bufio.NewScanner(text)
	scanner.Buffer(make([]byte, 0, 64<<10), lineMax)
	whole := true
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if atEOF && len(data) > 0 && bytes.IndexByte(data, '\n') < 0 {
			whole = false
		}
		return bufio.ScanLines(data, atEOF)
	})
	for scanner.Scan() {
		lines++
		line := bytes.TrimSpace(scanner.Bytes())
		switch {
		case len(line) == 0 || line[0] == '#':
		case !whole && !complete(line):
			fault(lines, "the file ends within a line", line)
		default:
			s, keep, err := parseLine(string(line))
			if err != nil {
				fault(lines, err.Error(), line)
			} else if keep {
				take(s)
			}
		}
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		fault(lines+1, fmt.Sprintf("the line is longer than %d bytes; what comes after it was not read", lineMax), nil)
	} else if err != nil {
		return lines, err
	}
	return lines, nil
}

// complete tells whether a last line without a newline is certain to be whole: never, since a
// number may go on, unless it is no sample.
func complete(line []byte) bool { return line[0] == '#' }

// parseLine reads a sample: name{label="value",...} value [timestamp] [# exemplar]. Of a metric that
// is not wanted only the name is looked at.
func parseLine(line string) (s sample, keep bool, err error) {
	end := strings.IndexAny(line, "{ \t")
	if end <= 0 || !isName(line[:end]) {
		return s, false, errors.New("it begins with no name of a metric")
	}
	s.name = line[:end]
	if !wanted(s.name) {
		return s, false, nil
	}
	rest := line[end:]
	if rest[0] == '{' {
		if s.labels, rest, err = parseLabels(rest[1:]); err != nil {
			return s, false, err
		}
	}
	if value, _, found := strings.Cut(rest, " # "); found {
		rest = value // an exemplar comes after it
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 || len(fields) > 2 {
		return s, false, errors.New("after the labels come a value and, if at all, a timestamp")
	}
	if s.value, err = parseValue(fields[0]); err != nil {
		return s, false, err
	}
	s.at = noTime
	if len(fields) == 2 {
		s.at, err = parseTimestamp(fields[1])
	}
	return s, err == nil, err
}

// parseLabels reads labels up to the closing brace, and returns what comes after it.
func parseLabels(text string) (labels []label, rest string, err error) {
	for {
		text = strings.TrimLeft(text, " \t,")
		if strings.HasPrefix(text, "}") {
			return labels, text[1:], nil
		}
		name, after, found := strings.Cut(text, "=")
		name = strings.TrimRight(name, " \t")
		if !found || !isName(name) {
			return nil, "", errors.New("a label is not NAME=\"VALUE\"")
		}
		after = strings.TrimLeft(after, " \t")
		if !strings.HasPrefix(after, `"`) {
			return nil, "", fmt.Errorf("the value of the label %s is not in quotes", name)
		}
		value, after, ok := unquote(after[1:])
		if !ok {
			return nil, "", fmt.Errorf("the value of the label %s does not end, or is not UTF-8", name)
		}
		labels, text = append(labels, label{name, value}), after
	}
}

// unquote reads the value of a label up to its closing quote: \\, \" and \n are escaped.
func unquote(text string) (value, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), text[i+1:], utf8.ValidString(b.String())
		case c == '\\' && i+1 < len(text):
			i++
			switch text[i] {
			case 'n':
				b.WriteByte('\n')
			case '\\', '"':
				b.WriteByte(text[i])
			default:
				b.WriteString(text[i-1 : i+1])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// isName tells whether a text is a name of a metric or a label.
func isName(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

// parseValue reads a number as Prometheus writes it.
func parseValue(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(text, "_xX") {
		return 0, fmt.Errorf("%q is no value", text)
	}
	return v, nil
}

// What a timestamp without a fraction is: milliseconds in the format of Prometheus, seconds in
// OpenMetrics. As seconds this one would be in the year 5138, as milliseconds it is in 1973.
const leastMillis = 1e11

// parseTimestamp reads a timestamp as nanoseconds since 1970.
func parseTimestamp(text string) (int64, error) {
	v, err := parseValue(text)
	if err != nil || math.IsNaN(v) || math.Abs(v) >= 8e15 {
		return 0, fmt.Errorf("%q is no timestamp", text)
	}
	if math.Abs(v) >= leastMillis && !strings.ContainsAny(text, ".eE") {
		v /= 1000
	}
	return toNanos(v)
}

// toNanos turns seconds since 1970 into nanoseconds, by way of milliseconds, which is all that
// Prometheus has.
func toNanos(seconds float64) (int64, error) {
	millis := math.Round(seconds * 1000)
	if math.IsNaN(millis) || math.Abs(millis) > math.MaxInt64/2e6 {
		return 0, fmt.Errorf("%v is out of the range of times", seconds)
	}
	return int64(millis) * 1e6, nil
}
