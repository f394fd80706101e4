package main

import (
	"fmt"
	"io"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// writeOperations lets the first so many servers of a scenario stop where the record says so, just after their last
// sign of life, and start again with the next one.
func writeOperations(w io.Writer, start int64, length time.Duration, servers int, stops []recording.Stop) {
	title := "operations: # from silences of the record: delete those in which a part of a log is missing\n"
	for _, s := range stops {
		at := time.Duration(s.Last-start) + time.Microsecond
		if at <= 0 || at >= length || int(s.Server) >= servers {
			continue
		}
		io.WriteString(w, title)
		title = ""
		if server := max(s.Server, 0); s.Next == recording.Never {
			fmt.Fprintf(w, "- {at: %v, stop: %d}\n", at, server)
		} else {
			fmt.Fprintf(w, "- {at: %v, restart: %d, down: %v}\n", at, server, time.Duration(s.Next-start)-at)
		}
	}
}
