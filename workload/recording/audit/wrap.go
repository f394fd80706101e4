package audit

// Log shippers put events into objects of their own. What is known of them is in two switches:
// the members that hold an event, and the members that hold lists.

// wrapped reads a member that audit events do not have. entered tells that its value is an object
// whose members are to be read as if they stood in its place.
func (p *parser) wrapped(name []byte) (entered bool, err error) {
	c := p.space()
	switch string(name) {
	case "message", "log", "line", "msg", "log_s", "@message", "value", "textPayload":
		if c == '"' {
			p.event.asText, err = p.string()
			return false, err
		}
		if c == '{' {
			return false, p.keep()
		}
	case "_source", "source", "properties", "event", "audit", "body", "result", "jsonPayload":
		if c == '{' {
			return false, p.keep()
		}
	case "protoPayload":
		p.event.cloud = true
	case "items", "events", "logEvents", "records":
		if c == '[' {
			p.at++
			return false, errList
		}
	case "hits": // Elasticsearch has an object of this name with a list of this name in it
		if c == '{' {
			p.at++
			return true, nil
		}
		if c == '[' {
			p.at++
			return false, errList
		}
	}
	return false, p.skip()
}

// keep remembers an object that may be an event, and goes past it. Only the first is kept.
func (p *parser) keep() error {
	if p.event.asObject < 0 {
		p.event.asObject = p.at
	}
	return p.skip()
}
