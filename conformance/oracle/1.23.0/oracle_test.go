// Package oracle answers for k8s.io/apiserver 0.23.0; see the driver's package comment.
package oracle

import (
	"testing"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
	"github.com/apfsim/apfsim/conformance/oracle/driver/apf23"
)

func TestOracle(t *testing.T) { driver.Serve(t, apf23.Release) }
