package observed

import (
	"regexp"

	"github.com/apfsim/apfsim/scheduler/release"
)

var gitVersion = regexp.MustCompile(`^v?(1\.\d+(\.\d+)?)`)

// Release tells the release of the server: its own word, or the newest one that has such metrics. told
// is false for the latter.
func (o *Observation) Release() (v release.Version, told bool) {
	s := o.last[0]
	if m := gitVersion.FindStringSubmatch(s.release); m != nil {
		if v, err := release.Parse(m[1]); err == nil {
			return v, true
		}
	}
	return release.Version{Minor: s.traits.newest(), Patch: release.Newest}, false
}

// newest is the newest minor release that shows such metrics.
func (t *traits) newest() int {
	switch {
	case t.wide:
		return release.Last.Minor
	case t.wait15 && t.requestLimit:
		return 30
	case t.wait15 && t.inUse:
		return 31
	case t.wait15:
		return 33
	case !t.waits:
		return release.Last.Minor
	case t.nominal:
		return 27
	case t.timing:
		return 25
	case t.typed:
		return 24
	case t.inUse:
		return 23
	}
	return 21
}
