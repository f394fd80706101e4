//go:build !unix

package reports

import (
	"testing"
	"time"
)

// processorTime returns the time on a clock, for want of a better one.
func processorTime(b *testing.B) time.Duration { return b.Elapsed() }
