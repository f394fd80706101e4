package scheduler

import (
	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// FlowID is an index into the flows that a server has met.
type FlowID int32

// schema is one FlowSchema in force.
type schema struct {
	name          string
	level         int32
	distinguisher classify.Distinguisher
	// flows holds the flow of each user, or namespace, that the schema has met; by the
	// numbers that the classifier gives them. -1 is not met yet.
	flows []FlowID
}

// flow is one flow and the hand it is dealt.
type flow struct {
	info FlowInfo
	hand []int32
}

// FlowInfo is what is known of a flow.
type FlowInfo struct {
	// Schema is an index into Schemas.
	Schema int32
	// Distinguisher is the user, the namespace, or empty.
	Distinguisher string
	// Hash decides the hand.
	Hash uint64
	// Hand lists queue indexes in the order of the deal.
	Hand []int32
}

// makeSchemas resolves the levels of the schemas, which the classifier has sorted. The
// one that is called CatchAll is among them, as validate has seen to.
func (s *Server) makeSchemas() {
	levels := map[string]int32{}
	for i := range s.levels {
		levels[s.levels[i].info.Name] = int32(i)
	}
	for i, f := range s.classifier.Schemas() {
		s.schemas = append(s.schemas, schema{name: f.Name, level: levels[f.PriorityLevel], distinguisher: f.Distinguisher})
		if f.Name == CatchAll {
			s.catchAll = int32(i)
		}
	}
}

// flowOf returns the flow of a request to a level with several queues.
func (s *Server) flowOf(index int32, f *schema, l *level, r *Request) FlowID {
	number := int32(0)
	switch f.distinguisher {
	case classify.ByUser:
		number = s.classifier.UserOf(r.Subject)
	case classify.ByNamespace:
		number = s.classifier.NamespaceOf(r.Target)
	}
	if int(number) < len(f.flows) {
		if id := f.flows[number]; id >= 0 {
			return id
		}
	}
	for int(number) >= len(f.flows) {
		f.flows = append(f.flows, -1)
	}
	id := FlowID(len(s.flows))
	f.flows[number] = id
	distinguisher := s.classifier.FlowDistinguisher(f.distinguisher, r.Subject, r.Target)
	hash := shuffle.FlowHash(f.name, distinguisher)
	hand := l.dealer.Deal(hash, nil)
	s.flows = append(s.flows, flow{
		info: FlowInfo{Schema: index, Distinguisher: distinguisher, Hash: hash, Hand: hand},
		hand: hand,
	})
	return id
}

// Flows returns how many flows the server has met.
func (s *Server) Flows() int { return len(s.flows) }

// Flow returns what is known of a flow.
func (s *Server) Flow(id FlowID) FlowInfo { return s.flows[id].info }

// Schemas returns the names of the FlowSchemas in force, in the order of matching.
func (s *Server) Schemas() []string {
	names := make([]string, len(s.schemas))
	for i := range s.schemas {
		names[i] = s.schemas[i].name
	}
	return names
}

// SchemaLevel returns the level of a FlowSchema.
func (s *Server) SchemaLevel(schema int) int { return int(s.schemas[schema].level) }
