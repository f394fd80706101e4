package audit

// event is what one audit event says, as far as it matters. Its texts are valid until the next
// event is parsed.
type event struct {
	id, stage, uri, verb, agent []byte
	user, impersonated          subject
	object                      object
	code                        int
	// reason is that of the status, which only a handler gives: what flow control rejects has a
	// code alone.
	reason                 []byte
	received, staged       []byte
	wait, total, authentic []byte

	// What a log shipper may have put the event into: a member with the event as text, or as an
	// object. cloud tells that it is an entry of Google Cloud's own audit log.
	asText   []byte
	asObject int
	cloud    bool
}

// subject is a user with its groups.
type subject struct {
	there  bool
	name   []byte
	groups [][]byte
}

// object is what objectRef says.
type object struct {
	there                                         bool
	resource, namespace, name, group, subresource []byte
}

// reset makes e an empty event, and keeps its memory.
func (e *event) reset() {
	user, impersonated := e.user.groups[:0], e.impersonated.groups[:0]
	*e = event{asObject: -1}
	e.user.groups, e.impersonated.groups = user, impersonated
}

// audited tells whether it is an audit event at all.
func (e *event) audited() bool { return len(e.id) > 0 && len(e.stage) > 0 }

// whole tells whether it is an audit event and not only some of its fields, which log stores put beside it: every
// event has a user, be it an empty one.
func (e *event) whole() bool { return e.audited() && e.user.there }

// errList tells that an object holds a list of events, and that the scanner is at its beginning.
const errList = problem("a list of events")

// parser reads events.
type parser struct {
	scanner
	event event
	// depth is how many objects are open around a list that was found.
	depth int
}

// object reads an object, which may be an event, or something that holds one. The error errList
// tells that it holds a list, which the scanner has entered.
func (p *parser) object() error {
	p.event.reset()
	p.unescaped = p.unescaped[:0]
	p.depth = 1
	if err := p.enter(); err != nil {
		return err
	}
	return p.members()
}

// members reads the members of an object that was just entered, and of those around it.
func (p *parser) members() error {
	for first := true; ; {
		name, err := p.member(first)
		first = false
		if err != nil {
			return err
		}
		if name == nil {
			if p.depth--; p.depth == 0 {
				return nil
			}
			continue
		}
		entered, err := p.value(name)
		if err != nil {
			return err
		}
		if entered {
			// The members of the inner object are read as if they were of this one.
			p.depth++
			first = true
			continue
		}
	}
}

// value reads the value of a member of an event.
func (p *parser) value(name []byte) (entered bool, err error) {
	e := &p.event
	switch string(name) {
	case "auditID":
		e.id, err = p.stringOrSkip()
	case "stage":
		e.stage, err = p.stringOrSkip()
	case "requestURI":
		e.uri, err = p.stringOrSkip()
	case "verb":
		e.verb, err = p.stringOrSkip()
	case "userAgent":
		e.agent, err = p.stringOrSkip()
	case "requestReceivedTimestamp":
		e.received, err = p.stringOrSkip()
	case "stageTimestamp":
		e.staged, err = p.stringOrSkip()
	case "user":
		e.user.there = p.space() == '{'
		err = p.subject(&e.user)
	case "impersonatedUser":
		err = p.subject(&e.impersonated)
	case "objectRef":
		err = p.reference()
	case "responseStatus":
		err = p.status()
	case "annotations":
		err = p.annotations()
	default:
		return p.wrapped(name)
	}
	return false, err
}

func (p *parser) subject(to *subject) error {
	return p.inner(func(name []byte) (err error) {
		switch string(name) {
		case "username":
			to.name, err = p.stringOrSkip()
		case "groups":
			to.groups, err = p.strings(to.groups[:0])
		default:
			err = p.skip()
		}
		return err
	})
}

func (p *parser) reference() error {
	o := &p.event.object
	o.there = true
	return p.inner(func(name []byte) (err error) {
		switch string(name) {
		case "resource":
			o.resource, err = p.stringOrSkip()
		case "namespace":
			o.namespace, err = p.stringOrSkip()
		case "name":
			o.name, err = p.stringOrSkip()
		case "apiGroup":
			o.group, err = p.stringOrSkip()
		case "subresource":
			o.subresource, err = p.stringOrSkip()
		default:
			err = p.skip()
		}
		return err
	})
}

func (p *parser) status() error {
	e := &p.event
	return p.inner(func(name []byte) (err error) {
		switch string(name) {
		case "code":
			e.code, err = p.integer()
		case "reason":
			e.reason, err = p.stringOrSkip()
		default:
			err = p.skip()
		}
		return err
	})
}

// The annotations that tell of times (pkg/endpoints/request/webhook_duration.go and
// pkg/endpoints/filters/audit.go). That of authentication came later than that of the wait, and
// is never zero.
const (
	annotationWait           = "apiserver.latency.k8s.io/apf-queue-wait"
	annotationTotal          = "apiserver.latency.k8s.io/total"
	annotationAuthentication = "apiserver.latency.k8s.io/authentication"
)

func (p *parser) annotations() error {
	e := &p.event
	return p.inner(func(name []byte) (err error) {
		switch string(name) {
		case annotationWait:
			e.wait, err = p.stringOrSkip()
		case annotationTotal:
			e.total, err = p.stringOrSkip()
		case annotationAuthentication:
			e.authentic, err = p.stringOrSkip()
		default:
			err = p.skip()
		}
		return err
	})
}

// inner reads the members of an object within an event; a value of another kind is skipped.
func (p *parser) inner(member func(name []byte) error) error {
	if p.at >= len(p.text) || p.text[p.at] != '{' {
		return p.skip()
	}
	p.at++
	for first := true; ; first = false {
		name, err := p.member(first)
		if name == nil || err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
}
