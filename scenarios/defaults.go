package scenarios

import (
	"strconv"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// The defaults of flowcontrol.apiserver.k8s.io (pkg/apis/flowcontrol/v*/defaults.go in
// kubernetes). They are those of all versions and releases but for shares of 0, which
// some take for absent ones.
const (
	defaultPrecedence       = 1000
	defaultShares           = 30
	defaultQueues           = 64
	defaultHandSize         = 8
	defaultQueueLengthLimit = 50
)

// objectDefaults are the defaults of the fields that have one, by their paths.
var objectDefaults = map[string]string{
	"spec.matchingPrecedence":                             strconv.Itoa(defaultPrecedence),
	"spec.limited." + assuredShares:                       strconv.Itoa(defaultShares),
	"spec.limited." + nominalShares:                       strconv.Itoa(defaultShares),
	"spec.limited.lendablePercent":                        "0",
	"spec.limited.limitResponse.queuing.queues":           strconv.Itoa(defaultQueues),
	"spec.limited.limitResponse.queuing.handSize":         strconv.Itoa(defaultHandSize),
	"spec.limited.limitResponse.queuing.queueLengthLimit": strconv.Itoa(defaultQueueLengthLimit),
	"spec.exempt." + nominalShares:                        "0",
	"spec.exempt.lendablePercent":                         "0",
}

func defaultFlowSchema(s *flowcontrolv1.FlowSchema) {
	if s.Spec.MatchingPrecedence == 0 {
		s.Spec.MatchingPrecedence = defaultPrecedence
	}
}

func defaultPriorityLevel(l *flowcontrolv1.PriorityLevelConfiguration) {
	if e := l.Spec.Exempt; e != nil {
		e.NominalConcurrencyShares = orDefault(e.NominalConcurrencyShares, 0)
		e.LendablePercent = orDefault(e.LendablePercent, 0)
	}
	limited := l.Spec.Limited
	if limited == nil {
		return
	}
	limited.NominalConcurrencyShares = orDefault(limited.NominalConcurrencyShares, defaultShares)
	limited.LendablePercent = orDefault(limited.LendablePercent, 0)
	if q := limited.LimitResponse.Queuing; q != nil {
		defaultZero(&q.Queues, defaultQueues)
		defaultZero(&q.HandSize, defaultHandSize)
		defaultZero(&q.QueueLengthLimit, defaultQueueLengthLimit)
	}
}

func orDefault(p *int32, def int32) *int32 {
	if p == nil {
		return &def
	}
	return p
}

func defaultZero(v *int32, def int32) {
	if *v == 0 {
		*v = def
	}
}
