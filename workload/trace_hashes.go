package workload

import "github.com/apfsim/apfsim/workload/traceline"

// FlowHash is the hash of a flow that a trace tells.
type FlowHash struct {
	// FlowSchema is the name of the schema, and Distinguisher the user or the namespace.
	FlowSchema, Distinguisher string
	Hash                      uint64
}

// flowHashes are what the lines of a trace tell of the hashes of flows. A line does not tell
// whether its schema tells flows apart by user or by namespace, so both are noted; that which
// applies is the same on all lines of the flow.
type flowHashes struct{ byUser, byNamespace hashTable }

// hashTable holds hashes in the order in which they were first met.
type hashTable struct {
	list  []FlowHash
	known map[flowName]bool
}

type flowName struct{ schema, distinguisher string }

// learn notes what a line tells.
func (h *flowHashes) learn(l *traceline.Line) {
	if len(l.HashSchema) > 0 {
		h.byUser.learn(l, l.Text[traceline.User])
		h.byNamespace.learn(l, l.Text[traceline.Namespace])
	}
}

func (t *hashTable) learn(l *traceline.Line, distinguisher []byte) {
	if t.known[flowName{string(l.HashSchema), string(distinguisher)}] { // which allocates nothing
		return
	}
	name := flowName{string(l.HashSchema), string(distinguisher)}
	if t.known == nil {
		t.known = map[flowName]bool{}
	}
	t.known[name] = true
	t.list = append(t.list, FlowHash{name.schema, name.distinguisher, l.Hash})
}
