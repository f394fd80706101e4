// Package estimate foresees how much work a request will be, in seats and time,
// before it is run, as kube-apiserver does (pkg/util/flowcontrol/request): LISTs
// and the beginnings of watches by the bytes that they will hold in memory, or in older
// releases by the number of objects; writes by the number of watchers that will be
// notified. All else takes one seat. Rules are what a release does of this.
//
// The estimators are pure functions. WatchCounts is the one thing with a state. What
// a request says in text is digested once, by RawListOptions, into values that are
// cheap to keep and to look at. Nothing here is safe for concurrent use.
package estimate

// RawListOptions are the options of a list or watch request as its URL gives them.
type RawListOptions struct {
	Limit                                 int64
	ResourceVersion, ResourceVersionMatch string
	Continue                              string
	FieldSelector, LabelSelector          string
	SendInitialEvents                     bool
}

// Version is what the estimators tell apart of resourceVersion.
type Version uint8

// The classes of resourceVersion.
const (
	// VersionUnset asks for the most recent state.
	VersionUnset Version = iota
	// VersionZero, "0", is content with any state.
	VersionZero
	// VersionGiven is any other value.
	VersionGiven
)

// Match is what the estimators tell apart of resourceVersionMatch.
type Match uint8

// The classes of resourceVersionMatch.
const (
	MatchUnset Match = iota
	MatchNotOlderThan
	MatchExact
	// MatchUnknown is any other value. The request will fail validation, after it has
	// been through priority and fairness.
	MatchUnknown
)

// ListOptions are what the estimators and WatchCounts have to know of the options of
// a list or watch request. The zero value stands for a request without options. It is
// small and comparable.
type ListOptions struct {
	// Limit is the number of objects asked for; none if it is not positive.
	Limit   int64
	Version Version
	Match   Match
	// Continue tells that a continuation token was given.
	Continue bool
	// Selector tells that a field or label selector was given, valid or not.
	Selector bool
	// SendInitialEvents tells that it was set to true.
	SendInitialEvents bool
	// NodeSelector tells that the field selector requires spec.nodeName to have a
	// value that is not empty.
	NodeSelector bool
}

// Parse digests the options. Every text is legal: what the server cannot parse has
// the effect that it has there. It decodes all options at once, so one bad selector
// makes it forget the other.
func (o RawListOptions) Parse() ListOptions {
	return ListOptions{
		Limit:             o.Limit,
		Version:           versionOf(o.ResourceVersion),
		Match:             matchOf(o.ResourceVersionMatch),
		Continue:          o.Continue != "",
		Selector:          o.FieldSelector != "" || o.LabelSelector != "",
		SendInitialEvents: o.SendInitialEvents,
		NodeSelector:      o.selectsNode(),
	}
}

// Name returns the object name that the field selector asks for, "" if none. It
// becomes the name of a list or watch request whose path has none
// (NewRequestInfo in pkg/endpoints/request).
func (o RawListOptions) Name() string {
	name, ok := nameFromSelector(o.FieldSelector)
	if !ok || !validLabels(o.LabelSelector) {
		return ""
	}
	return name
}

// selectsNode tells whether the field selector requires a node name. Upstream marks
// the absence of one by the text "<unset>", so that this text counts as none
// (pkg/util/flowcontrol/watch_tracker.go). It asks for an exact match, so a selector of
// all nodes but one is none either.
func (o RawListOptions) selectsNode() bool {
	node, ok := requiredValue(o.FieldSelector, "spec.nodeName")
	return ok && node != "" && node != "<unset>" && validLabels(o.LabelSelector)
}

func versionOf(resourceVersion string) Version {
	switch resourceVersion {
	case "":
		return VersionUnset
	case "0":
		return VersionZero
	}
	return VersionGiven
}

func matchOf(resourceVersionMatch string) Match {
	switch resourceVersionMatch {
	case "":
		return MatchUnset
	case "NotOlderThan":
		return MatchNotOlderThan
	case "Exact":
		return MatchExact
	}
	return MatchUnknown
}
