// Package apf31 is API Priority and Fairness as in 1.31 to 1.33: that of 1.29, whose
// estimator asks what etcd can do.
package apf31

import (
	"github.com/apfsim/apfsim/conformance/oracle/driver"
	"github.com/apfsim/apfsim/conformance/oracle/driver/apf29"
	"github.com/apfsim/apfsim/conformance/oracle/driver/feature31"
)

// Release is one of 1.31 to 1.33.
var Release = func() driver.Release {
	r := apf29.Release
	r.Around = feature31.Around
	return r
}()
