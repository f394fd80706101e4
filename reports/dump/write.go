package dump

import (
	"fmt"
	"io"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// Times returns the times for which a result holds pages, in their order.
func Times(r *reports.Result) []time.Duration {
	var times []time.Duration
	for i := range r.Dumps {
		if at := time.Duration(r.Dumps[i].Time); len(times) == 0 || times[len(times)-1] != at {
			times = append(times, at)
		}
	}
	return times
}

// Write writes a page as all servers that were up would have shown it at a time. If the result is
// of several servers the pages are one after the other, each below a line with the name of its
// server, as head writes several files.
func Write(w io.Writer, r *reports.Result, at time.Duration, page func(*reports.Dump) string) error {
	n := 0
	for i := range r.Dumps {
		d := &r.Dumps[i]
		if time.Duration(d.Time) != at {
			continue
		}
		head := ""
		if len(r.Servers) > 1 {
			head = fmt.Sprintf("==> apiserver-%d <==\n", d.Server)
			if n > 0 {
				head = "\n" + head
			}
		}
		n++
		if _, err := io.WriteString(w, head+page(d)); err != nil {
			return err
		}
	}
	return nil
}
