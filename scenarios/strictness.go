package scenarios

import (
	"fmt"
	"strings"
)

// Validate tells what becomes of fields that an object of flow control cannot have, and
// of those that it has twice, as kubectl's flag of that name does.
type Validate string

// The values of Validate. The empty one is ValidateStrict.
const (
	// ValidateStrict makes them errors, as the API server does for kubectl.
	ValidateStrict Validate = "strict"
	// ValidateWarn makes them warnings: the field is left out, and of two the last counts.
	ValidateWarn Validate = "warn"
	// ValidateIgnore does the same without a word.
	ValidateIgnore Validate = "ignore"
)

func (Validate) legal() []string {
	return []string{string(ValidateStrict), string(ValidateWarn), string(ValidateIgnore)}
}

// ParseValidate reads the value of a flag. Like kubectl it takes true for strict and
// false for ignore.
func ParseValidate(text string) (Validate, error) {
	switch v := Validate(text); v {
	case "true":
		return ValidateStrict, nil
	case "false":
		return ValidateIgnore, nil
	case ValidateStrict, ValidateWarn, ValidateIgnore:
		return v, nil
	}
	return "", fmt.Errorf("%q is none of %s", shorten(text), strings.Join(Validate("").legal(), ", "))
}

// lenient tells whether fields that cannot be are left out.
func (v Validate) lenient() bool { return v == ValidateWarn || v == ValidateIgnore }

// dropped reports something that is left out under a lenient mode.
func (v Validate) dropped(c *collector, at Place, f fault) {
	if v == ValidateIgnore {
		return
	}
	f.message = "ignored: " + f.message
	c.warning(at, f)
}
