//go:build unix

package reports

import (
	"syscall"
	"testing"
	"time"
)

// processorTime returns the time that processors have spent on this process, which is less at
// the mercy of what else goes on than the time on a clock.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
