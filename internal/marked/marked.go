// Package marked shows what is wrong with a short text of a user, such as the value of a flag,
// with a mark below the place.
package marked

import (
	"fmt"
	"strings"
)

// Fault is what is wrong with a text.
type Fault struct {
	Text string
	// At is the byte of the text at which it is.
	At int
	// Message says what is wrong, Legal what there may be, Hint what to do; the last two may be "".
	Message, Legal, Hint string
}

// Error shows the text with a mark below what is wrong.
func (f *Fault) Error() string {
	out := fmt.Sprintf("%s\n  %s\n  %s^", f.Message, f.Text, strings.Repeat(" ", len([]rune(f.Text[:min(f.At, len(f.Text))]))))
	if f.Legal != "" {
		out += "\n  legal: " + f.Legal
	}
	if f.Hint != "" {
		out += "\n  hint: " + f.Hint
	}
	return out
}

// Unhinted returns the fault without its hint, which goes elsewhere.
func (f *Fault) Unhinted() *Fault {
	out := *f
	out.Hint = ""
	return &out
}
