// Package feature31 tells the server what its etcd can do, which 1.31 and later ask.
package feature31

import (
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/feature"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
)

// Around runs f while the process-wide checker answers as the case wants.
func Around(c *driver.Case, f func()) {
	old := feature.DefaultFeatureSupportChecker
	feature.DefaultFeatureSupportChecker = watchProgress{old, c.ConsistentReads}
	defer func() { feature.DefaultFeatureSupportChecker = old }()
	f()
}

// watchProgress answers for etcd whether it supports RequestWatchProgress.
type watchProgress struct {
	feature.FeatureSupportChecker
	supported bool
}

func (w watchProgress) Supports(f storage.Feature) bool {
	if f == storage.RequestWatchProgress {
		return w.supported
	}
	return w.FeatureSupportChecker.Supports(f)
}
