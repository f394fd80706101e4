package apf34

import (
	flowcontrol "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
)

// empty returns an object of the version that the controller reads.
func empty(kind string) runtime.Object {
	switch kind {
	case "FlowSchema":
		return new(flowcontrol.FlowSchema)
	case "PriorityLevelConfiguration":
		return new(flowcontrol.PriorityLevelConfiguration)
	}
	return nil
}

func builtIn() []runtime.Object {
	return append(
		driver.Copies("v1", "PriorityLevelConfiguration",
			bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations),
		driver.Copies("v1", "FlowSchema", bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas)...)
}
