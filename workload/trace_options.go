package workload

import "github.com/apfsim/apfsim/workload/traceline"

// optionsKey is what matters of the options of a list or watch, but for its selectors,
// which the record carries: what decides its width
// (kube-apiserver: pkg/util/flowcontrol/request/list_work_estimator.go and
// pkg/storage/cacher/delegator/interface.go) and whether it counts as a watcher of writes
// (pkg/util/flowcontrol/watch_tracker.go). Nothing else of them is read there: the value
// of a resourceVersion only by whether it is absent, "0" or another, and that of a
// continue token only by whether it is there.
type optionsKey struct {
	limit             int64
	version           versionKind
	match             matchKind
	continued         bool
	sendInitialEvents bool
}

type versionKind uint8

const (
	versionUnset versionKind = iota
	versionZero
	versionOther
)

type matchKind uint8

const (
	matchUnset matchKind = iota
	matchExact
	matchNotOlderThan
	matchUnknown
)

// What stands for the values that do not matter.
const (
	anyVersion  = "1"
	anyMatch    = "Unknown"
	anyContinue = "c"
)

var (
	versionTexts = [...]string{"", "0", anyVersion}
	matchTexts   = [...]string{"", "Exact", "NotOlderThan", anyMatch}
)

// makeOptionsKey reduces the options of a line. Those of anything but a list or watch are
// none: nobody reads them.
func makeOptionsKey(l *traceline.Line) optionsKey {
	if !listsOrWatches(l) {
		return optionsKey{}
	}
	k := optionsKey{
		limit:             max(l.Limit, 0),
		version:           versionOther,
		match:             matchUnknown,
		continued:         len(l.Text[traceline.Continue]) > 0,
		sendInitialEvents: l.SendInitialEvents,
	}
	switch string(l.Text[traceline.ResourceVersion]) {
	case "":
		k.version = versionUnset
	case "0":
		k.version = versionZero
	}
	switch string(l.Text[traceline.ResourceVersionMatch]) {
	case "":
		k.match = matchUnset
	case "Exact":
		k.match = matchExact
	case "NotOlderThan":
		k.match = matchNotOlderThan
	}
	return k
}

// raw returns options that the server takes exactly as those that k was made from.
func (k optionsKey) raw() RawOptions {
	o := RawOptions{
		Limit:                k.limit,
		ResourceVersion:      versionTexts[k.version],
		ResourceVersionMatch: matchTexts[k.match],
		SendInitialEvents:    k.sendInitialEvents,
	}
	if k.continued {
		o.Continue = anyContinue
	}
	return o
}

// listsOrWatches tells whether a line has the verb list or watch, and so options.
func listsOrWatches(l *traceline.Line) bool {
	verb := string(l.Text[traceline.Verb])
	return verb == "list" || verb == "watch"
}
