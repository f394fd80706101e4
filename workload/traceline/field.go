package traceline

// Field is a field of a line.
type Field int

// The fields. Those before Groups are strings.
const (
	Arrival Field = iota
	Duration
	Timeout
	User
	Verb
	APIGroup
	Resource
	Subresource
	Namespace
	Name
	Path
	ResourceVersion
	ResourceVersionMatch
	Continue
	FieldSelector
	LabelSelector
	Left
	Life
	Waited
	ClientName
	FlowSchema
	PriorityLevel
	FlowHash
	Groups
	Limit
	SendInitialEvents
	Server
	StatusCode
	EndsLast
	fields
)

// TextFields is the number of fields that are strings: those before Groups.
const TextFields = int(Groups)

const noField Field = -1

// fieldNames are the names in JSON.
var fieldNames = [fields]string{
	"arrival", "duration", "timeout", "user", "verb", "apiGroup", "resource", "subresource",
	"namespace", "name", "path", "resourceVersion", "resourceVersionMatch", "continue",
	"fieldSelector", "labelSelector", "left", "life", "waited", "client", "flowSchema", "priorityLevel", "flowHash",
	"groups", "limit", "sendInitialEvents", "server", "code", "endsLast",
}

// String returns the name in JSON.
func (f Field) String() string { return fieldNames[f] }

// fieldOf returns the field of a name, noField if there is none. A switch and not a map,
// because the compiler makes it a search by length and content.
func fieldOf(name []byte) Field {
	switch string(name) {
	case "arrival":
		return Arrival
	case "duration":
		return Duration
	case "timeout":
		return Timeout
	case "user":
		return User
	case "verb":
		return Verb
	case "apiGroup":
		return APIGroup
	case "resource":
		return Resource
	case "subresource":
		return Subresource
	case "namespace":
		return Namespace
	case "name":
		return Name
	case "path":
		return Path
	case "resourceVersion":
		return ResourceVersion
	case "resourceVersionMatch":
		return ResourceVersionMatch
	case "continue":
		return Continue
	case "fieldSelector":
		return FieldSelector
	case "labelSelector":
		return LabelSelector
	case "groups":
		return Groups
	case "limit":
		return Limit
	case "sendInitialEvents":
		return SendInitialEvents
	case "server":
		return Server
	case "code":
		return StatusCode
	case "endsLast":
		return EndsLast
	case "left":
		return Left
	case "life":
		return Life
	case "waited":
		return Waited
	case "client":
		return ClientName
	case "flowSchema":
		return FlowSchema
	case "priorityLevel":
		return PriorityLevel
	case "flowHash":
		return FlowHash
	}
	return noField
}
