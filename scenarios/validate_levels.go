package scenarios

import (
	"fmt"
	"math"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// validate reports what the API server would refuse in a PriorityLevelConfiguration.
func (l *priorityLevel) validate() {
	l.objectMeta(&l.object.ObjectMeta)
	if _, ok := l.object.Annotations[preserveZero]; ok && l.api.tellsZero {
		l.invalidAt("metadata.annotations", l.at("metadata.annotations["+preserveZero+"]"), "the annotation "+preserveZero+" is for objects of v1beta3 alone", "", "remove it: shares of 0 stay 0 in v1")
	}
	spec := &l.object.Spec
	exemptType, limitedType := flowcontrolv1.PriorityLevelEnablementExempt, flowcontrolv1.PriorityLevelEnablementLimited
	if l.api.declares {
		l.members(spec)
	}
	if !l.enumerated("spec.type", string(spec.Type), string(limitedType), string(exemptType)) {
		return
	}
	exempt := l.object.Name == flowcontrolv1.PriorityLevelConfigurationNameExempt
	switch {
	case exempt && spec.Type != exemptType:
		l.invalid("spec.type", "the level exempt is of type Exempt, always", "Exempt", "")
	case !exempt && spec.Type == exemptType:
		l.invalid("spec.type", "only the level named exempt can be of type Exempt", "Limited",
			"to exempt requests, let their FlowSchema name the level exempt")
	}
	if spec.Type == exemptType {
		if spec.Limited != nil {
			l.excess("spec.limited", limitedType)
		}
		l.exempt(spec.Exempt)
		return
	}
	if spec.Exempt != nil {
		l.excess("spec.exempt", exemptType)
	}
	if spec.Limited == nil {
		l.required("spec.limited", "the configuration of a level of type Limited")
		return
	}
	l.limited(spec.Limited)
}

// excess reports a member that only a level of another type has.
func (l *priorityLevel) excess(path string, of flowcontrolv1.PriorityLevelEnablement) {
	l.invalid(path, fmt.Sprintf("%s cannot be set: the level is not of type %s", path, of), "", "")
}

// members reports the members that do not go with their type, whatever is wrong with the
// type itself (zz_generated.validations.go, made of marks on the types). What the other
// rules find too is reported once.
func (l *priorityLevel) members(spec *flowcontrolv1.PriorityLevelConfigurationSpec) {
	if spec.Exempt != nil && spec.Type != flowcontrolv1.PriorityLevelEnablementExempt {
		l.excess("spec.exempt", flowcontrolv1.PriorityLevelEnablementExempt)
	}
	if spec.Limited == nil {
		return
	}
	if spec.Type != flowcontrolv1.PriorityLevelEnablementLimited {
		l.excess("spec.limited", flowcontrolv1.PriorityLevelEnablementLimited)
	}
	response := &spec.Limited.LimitResponse
	if response.Type == "" {
		l.responseType(response)
	}
	l.queuingOrNot(response)
}

func (l *priorityLevel) exempt(e *flowcontrolv1.ExemptPriorityLevelConfiguration) {
	if e == nil {
		return
	}
	l.shares("spec.exempt.nominalConcurrencyShares", *e.NominalConcurrencyShares, 0, "")
	l.percent("spec.exempt.lendablePercent", *e.LendablePercent)
}

func (l *priorityLevel) shares(path string, v, least int32, hint string) {
	if v < least {
		path = l.written(path)
		l.invalid(path, fmt.Sprintf("%s is out of range: %d", path, v), fmt.Sprintf("%d or more", least), hint)
	}
}

func (l *priorityLevel) percent(path string, v int32) {
	if v < 0 || v > 100 {
		l.invalid(path, fmt.Sprintf("%s is out of range: %d", path, v), "0 to 100", "")
	}
}

func (l *priorityLevel) limited(s *flowcontrolv1.LimitedPriorityLevelConfiguration) {
	least, hint := int32(0), ""
	if !l.api.takesZero {
		least = 1
		if *s.NominalConcurrencyShares == 0 {
			hint = fmt.Sprintf("Kubernetes %s and later take 0", firstWith(func(t apiTraits) bool { return t.takesZero }))
		}
	}
	l.shares("spec.limited.nominalConcurrencyShares", *s.NominalConcurrencyShares, least, hint)
	l.percent("spec.limited.lendablePercent", *s.LendablePercent)
	borrowing := "spec.limited.borrowingLimitPercent"
	if b := s.BorrowingLimitPercent; b != nil && *b < 0 {
		l.invalid(borrowing, fmt.Sprintf("%s is negative: %d", borrowing, *b), "0 or more", "leave it out for no limit but the server's seats")
	}
	response := &s.LimitResponse
	if !l.responseType(response) {
		return
	}
	l.queuingOrNot(response)
	if response.Type == flowcontrolv1.LimitResponseTypeQueue && response.Queuing != nil {
		l.queuing(responsePath+".queuing", response.Queuing)
	}
}

const responsePath = "spec.limited.limitResponse"

// responseType reports what is no type of a response.
func (l *priorityLevel) responseType(r *flowcontrolv1.LimitResponse) bool {
	return l.enumerated(responsePath+".type", string(r.Type), string(flowcontrolv1.LimitResponseTypeQueue), string(flowcontrolv1.LimitResponseTypeReject))
}

// queuingOrNot reports queues that a level does not have, and those that it lacks.
func (l *priorityLevel) queuingOrNot(r *flowcontrolv1.LimitResponse) {
	at, queues := responsePath+".queuing", r.Type == flowcontrolv1.LimitResponseTypeQueue
	switch {
	case queues && r.Queuing == nil:
		l.invalid(at, at+" is missing: the level is to queue", "queues, handSize, queueLengthLimit", "an empty mapping, {}, takes the defaults 64, 8 and 50")
	case !queues && r.Queuing != nil:
		l.invalid(at, at+" cannot be set: the level does not queue", "", "remove it, or say type: Queue")
	}
}

const maxQueues = 10_000_000

// maxEntropyBits is how many bits of the flow's hash may be used to deal a hand: with
// more of them hands would be uneven (pkg/util/shufflesharding).
const maxEntropyBits = 60

func (l *priorityLevel) queuing(path string, q *flowcontrolv1.QueuingConfiguration) {
	if q.QueueLengthLimit < 1 {
		l.invalid(join(path, "queueLengthLimit"), fmt.Sprintf("%s is out of range: %d", join(path, "queueLengthLimit"), q.QueueLengthLimit), "1 or more", "")
	}
	if q.Queues < 1 || q.Queues > maxQueues {
		l.invalid(join(path, "queues"), fmt.Sprintf("%s is out of range: %d", join(path, "queues"), q.Queues), fmt.Sprintf("1 to %d", maxQueues), "")
	}
	at := join(path, "handSize")
	most := largestHand(q.Queues)
	legal := fmt.Sprintf("1 to %d with %d queues", most, q.Queues)
	if q.Queues < 1 {
		legal = "1 to the number of queues"
	}
	switch {
	case q.HandSize < 1:
		l.invalid(at, fmt.Sprintf("%s is out of range: %d", at, q.HandSize), legal, "")
	case q.HandSize > q.Queues:
		l.invalid(at, fmt.Sprintf("%s is out of range: a hand of %d cannot be dealt from %d queues", at, q.HandSize, q.Queues), legal, "")
	case q.HandSize > most:
		l.invalid(at, fmt.Sprintf("%s is out of range: dealing %d of %d queues takes %d bits of the flow's hash, and only %d can be used",
			at, q.HandSize, q.Queues, entropyBits(q.Queues, q.HandSize), maxEntropyBits), legal, "")
	}
}

// entropyBits returns ceil(log2(queues) handSize), the bits of a hash that a hand takes
// (RequiredEntropyBits in pkg/util/shufflesharding).
func entropyBits(queues, handSize int32) int {
	return int(math.Ceil(math.Log2(float64(queues)) * float64(handSize)))
}

// largestHand returns the largest legal hand size.
func largestHand(queues int32) int32 {
	hand := int32(1)
	for hand < queues && entropyBits(queues, hand+1) <= maxEntropyBits {
		hand++
	}
	return hand
}
