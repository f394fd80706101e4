//go:build controller_v1beta1

package judge

import (
	flowcontrolv1beta1 "k8s.io/api/flowcontrol/v1beta1"
	client "k8s.io/client-go/kubernetes/typed/flowcontrol/v1beta1"
)

// The version that the controller and the ensurer of the built-in objects speak
// from 1.20 to 1.22.
const controllerVersion = "v1beta1"

type (
	flowSchema    = flowcontrolv1beta1.FlowSchema
	schemaList    = flowcontrolv1beta1.FlowSchemaList
	schemaClient  = client.FlowSchemaInterface
	priorityLevel = flowcontrolv1beta1.PriorityLevelConfiguration
	levelList     = flowcontrolv1beta1.PriorityLevelConfigurationList
	levelClient   = client.PriorityLevelConfigurationInterface
)
