package workload

import (
	"fmt"
	"time"
)

// FieldError is a fault in one field of a workload's description: the user's fault, to be
// shown with the position of the field.
type FieldError struct {
	// Field is the path to it, in the names of scenario files: "stages[2].rate".
	Field string
	// Problem says what is wrong, Legal what would be right.
	Problem, Legal string
}

// Error returns "field: problem; legal: ...".
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem + "; legal: " + e.Legal }

// fault says that a value is not legal.
func fault(field string, value any, legal string) *FieldError {
	return &FieldError{Field: field, Problem: fmt.Sprintf("%v is out of range", value), Legal: legal}
}

// checkDuration returns an error unless least <= d <= MaxDuration.
func checkDuration(field string, d, least time.Duration) error {
	if d >= least && d <= MaxDuration {
		return nil
	}
	return fault(field, d, fmt.Sprintf("a duration from %v to %v", least, MaxDuration))
}

// checkNumber returns an error unless least <= x <= most; NaN is not.
func checkNumber(field string, x, least, most float64) error {
	if x >= least && x <= most {
		return nil
	}
	return fault(field, x, fmt.Sprintf("a number from %g to %g", least, most))
}
