// Package oracle answers for k8s.io/apiserver 0.28.4; see the driver's package comment.
package oracle

import (
	"testing"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
	"github.com/apfsim/apfsim/conformance/oracle/driver/apf26"
)

func TestOracle(t *testing.T) { driver.Serve(t, apf26.Release) }
