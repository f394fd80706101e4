//go:build !controller_v1beta1 && !controller_v1beta2 && !controller_v1beta3

package judge

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	client "k8s.io/client-go/kubernetes/typed/flowcontrol/v1"
)

// The version that the controller and the ensurer of the built-in objects speak
// from 1.29 on.
const controllerVersion = "v1"

type (
	flowSchema    = flowcontrolv1.FlowSchema
	schemaList    = flowcontrolv1.FlowSchemaList
	schemaClient  = client.FlowSchemaInterface
	priorityLevel = flowcontrolv1.PriorityLevelConfiguration
	levelList     = flowcontrolv1.PriorityLevelConfigurationList
	levelClient   = client.PriorityLevelConfigurationInterface
)
