//go:build controller_v1beta3

package judge

import (
	flowcontrolv1beta3 "k8s.io/api/flowcontrol/v1beta3"
	client "k8s.io/client-go/kubernetes/typed/flowcontrol/v1beta3"
)

// The version that the controller and the ensurer of the built-in objects speak
// from 1.26 to 1.28.
const controllerVersion = "v1beta3"

type (
	flowSchema    = flowcontrolv1beta3.FlowSchema
	schemaList    = flowcontrolv1beta3.FlowSchemaList
	schemaClient  = client.FlowSchemaInterface
	priorityLevel = flowcontrolv1beta3.PriorityLevelConfiguration
	levelList     = flowcontrolv1beta3.PriorityLevelConfigurationList
	levelClient   = client.PriorityLevelConfigurationInterface
)
