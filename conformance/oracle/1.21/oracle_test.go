// Package oracle answers for k8s.io/apiserver 0.21.14; see the driver's package comment.
package oracle

import (
	"testing"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
	"github.com/apfsim/apfsim/conformance/oracle/driver/apf21"
)

func TestOracle(t *testing.T) { driver.Serve(t, apf21.Release) }
