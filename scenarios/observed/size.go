package observed

import (
	"math"

	"github.com/apfsim/apfsim/scheduler"
)

// serverSeats finds the seats of a server by the nominal limits of its levels, which are
//
//	ceil(seats x shares / sum of all shares)
//
// so that each limit leaves a range of seats. It returns the largest number that is in all ranges:
// round sizes of servers are the upper ends of their ranges where anything divides. fits is false
// if there is none: then other levels or shares were in force than those of the configuration.
func serverSeats(levels []scheduler.PriorityLevel, nominal map[string]int64) (seats int, fits bool) {
	sum := int32(0)
	for i := range levels {
		sum += levels[i].Shares
	}
	low, high, told := 1.0, 1e9, false
	for i := range levels {
		limit, known := nominal[levels[i].Name]
		if !known || levels[i].Shares == 0 {
			continue
		}
		told = true
		share := float64(levels[i].Shares) / float64(sum)
		low = max(low, math.Floor(float64(limit-1)/share+1e-9)+1)
		high = min(high, math.Floor(float64(limit)/share+1e-9))
	}
	return int(high), told && low <= high && len(nominal) <= len(levels)
}
