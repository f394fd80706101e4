package reports

// FlowControl is the configuration of APF that is in force at the beginning, built-in objects
// included.
type FlowControl struct {
	// PriorityLevels are in the order of their names, FlowSchemas in that of matching: by
	// precedence, then by name.
	PriorityLevels []LevelSettings  `json:"priorityLevels"`
	FlowSchemas    []SchemaSettings `json:"flowSchemas"`
}

// LevelSettings are what configures a priority level. The figures of seats are as the server
// takes them, its defaults filled in.
type LevelSettings struct {
	Name   string `json:"name"`
	Exempt bool   `json:"exempt,omitzero"`
	Shares int32  `json:"shares"`
	// LendablePercent and BorrowingLimitPercent are of the nominal limit; the latter is absent
	// where nothing but the seats of the server bounds what the level may borrow.
	LendablePercent       int32  `json:"lendablePercent"`
	BorrowingLimitPercent *int32 `json:"borrowingLimitPercent,omitempty"`
	// Queuing is left out for a level that rejects at its limit, and for an exempt one.
	Queuing *Queuing `json:"queuing,omitempty"`
}

// SchemaSettings are what configures a flow schema.
type SchemaSettings struct {
	Name          string `json:"name"`
	Precedence    int32  `json:"precedence"`
	PriorityLevel string `json:"priorityLevel"`
	// Distinguisher is ByUser or ByNamespace, absent where all requests are one flow.
	Distinguisher string         `json:"distinguisher,omitempty"`
	Rules         []RuleSettings `json:"rules"`
}

// RuleSettings is a rule of a flow schema in words: it takes the requests of any of the subjects
// that are any of the requests.
type RuleSettings struct {
	Subjects []string `json:"subjects"`
	Requests []string `json:"requests"`
}
