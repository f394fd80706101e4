//go:build controller_v1beta2

package judge

import (
	flowcontrolv1beta2 "k8s.io/api/flowcontrol/v1beta2"
	client "k8s.io/client-go/kubernetes/typed/flowcontrol/v1beta2"
)

// The version that the controller and the ensurer of the built-in objects speak
// from 1.23 to 1.25.
const controllerVersion = "v1beta2"

type (
	flowSchema    = flowcontrolv1beta2.FlowSchema
	schemaList    = flowcontrolv1beta2.FlowSchemaList
	schemaClient  = client.FlowSchemaInterface
	priorityLevel = flowcontrolv1beta2.PriorityLevelConfiguration
	levelList     = flowcontrolv1beta2.PriorityLevelConfigurationList
	levelClient   = client.PriorityLevelConfigurationInterface
)
