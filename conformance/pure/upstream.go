package pure

import (
	"context"
	"time"
	"unsafe" // for go:linkname, too

	flowcontrolapi "k8s.io/api/flowcontrol/v1"
	_ "k8s.io/apiserver/pkg/server/filters" // defines getRequestWaitContext
	"k8s.io/apiserver/pkg/util/flowcontrol"
	"k8s.io/utils/clock"
)

// The functions below are private in k8s.io/apiserver. A go:linkname directive makes
// each name an alias of the real symbol: what the tests call is the code that
// kube-apiserver runs. The linker refuses that only for the standard library, so no
// flag is needed. upstream.s is empty and lets the functions have no body here.

//go:linkname hashFlowID k8s.io/apiserver/pkg/util/flowcontrol.hashFlowID
func hashFlowID(schema, distinguisher string) uint64

//go:linkname computeFlowDistinguisher k8s.io/apiserver/pkg/util/flowcontrol.computeFlowDistinguisher
func computeFlowDistinguisher(digest flowcontrol.RequestDigest, method *flowcontrolapi.FlowDistinguisherMethod) string

//go:linkname matchesFlowSchema k8s.io/apiserver/pkg/util/flowcontrol.matchesFlowSchema
func matchesFlowSchema(digest flowcontrol.RequestDigest, schema *flowcontrolapi.FlowSchema) bool

// allocProblemItem has the fields of upstream's type of that name, in its order.
type allocProblemItem struct{ target, lowerBound, upperBound float64 }

//go:linkname computeConcurrencyAllocation k8s.io/apiserver/pkg/util/flowcontrol.computeConcurrencyAllocation
func computeConcurrencyAllocation(requiredSum int, classes []allocProblemItem) ([]float64, float64, error)

//go:linkname getRequestWaitContext k8s.io/apiserver/pkg/server/filters.getRequestWaitContext
func getRequestWaitContext(ctx context.Context, defaultLimit time.Duration, clock clock.PassiveClock) (context.Context, context.CancelFunc)

// lockAndDigestConfigObjects is a method of the controller. It returns the status
// updates that are due, which nobody here looks into.
//
//go:linkname lockAndDigestConfigObjects k8s.io/apiserver/pkg/util/flowcontrol.(*configController).lockAndDigestConfigObjects
func lockAndDigestConfigObjects(controller unsafe.Pointer, levels []*flowcontrolapi.PriorityLevelConfiguration, schemas []*flowcontrolapi.FlowSchema) []struct{}

//go:linkname updateBorrowing k8s.io/apiserver/pkg/util/flowcontrol.(*configController).updateBorrowing
func updateBorrowing(controller unsafe.Pointer)
