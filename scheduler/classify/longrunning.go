package classify

import "strings"

// LongRunning reports whether the request passes API Priority and Fairness by
// altogether: it is not classified, holds no seat and is never rejected.
//
// These are kube-apiserver's long-running requests (BasicLongRunningRequestCheck
// with the verbs and subresources of its options) apart from watches, whose
// initialisation is subject to APF whatever they are for.
func LongRunning(t Target) bool {
	switch {
	case t.Verb == "watch":
		return false
	case t.Verb == "proxy":
		return true
	case t.Path != "":
		return strings.HasPrefix(t.Path, "/debug/pprof/")
	}
	switch t.Subresource {
	case "attach", "exec", "proxy", "log", "portforward":
		return true
	}
	return false
}
