package recording

import "unsafe"

// The bounds of a table of texts. What does not go in is written out each time.
const (
	internTextMax = 1 << 10
	internAllMax  = 32 << 20
)

// texts gives small numbers to texts that come again and again: users, namespaces, resources.
// It grows with their number, and stops at a bound.
type texts struct {
	numbers map[string]uint32
	list    []string
	bytes   int
}

// number returns the number of a text, a new one for a new text, false if there is no room.
func (t *texts) number(text string) (uint32, bool) {
	if n, known := t.numbers[text]; known {
		return n, true
	}
	if len(text) > internTextMax || t.bytes+len(text) > internAllMax {
		return 0, false
	}
	if t.numbers == nil {
		t.numbers = map[string]uint32{}
	}
	// A copy, since the text is the caller's. An entry of the map costs about as much again as
	// a short text.
	text = string([]byte(text))
	n := uint32(len(t.list))
	t.numbers[text] = n
	t.list = append(t.list, text)
	t.bytes += len(text) + 64
	return n, true
}

// View returns bytes as a string without a copy. It changes with the bytes, so whoever keeps it
// copies it.
func View(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	return unsafe.String(&b[0], len(b))
}
