package scheduler

import (
	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// FlowID is an index into the flows that a server has met.
type FlowID int32

// schema is one FlowSchema that is or was in force.
type schema struct {
	object FlowSchema
	level  int32
	// digest is the last digestion that has put the schema into force, by Server.digests.
	digest int
	// flows holds the flow of each user, or namespace, that the schema has met; by the
	// numbers that the classifier gives them. -1 is not met yet.
	flows []FlowID
	// known holds the flows that the schema met with this level before it had another one
	// or told its flows apart in another way, by distinguisher. It is nil if there are none.
	known map[string]FlowID
}

// flow is one flow and the hand it is dealt.
type flow struct {
	info FlowInfo
	hand []int32
}

// FlowInfo is what is known of a flow.
type FlowInfo struct {
	// Schema is an index into Schemas, Level one into Levels. When a schema leads to another
	// level, its flows are others.
	Schema, Level int32
	// Distinguisher is the user, the namespace, or empty.
	Distinguisher string
	// Hash decides the hand.
	Hash uint64
	// Hand lists queue indexes in the order of the deal: of the last one, if the level's
	// queues or its hand size have changed.
	Hand []int32
}

// digestSchemas puts the schemas whose level is configured into force. The classifier
// sorts them. The one that is called CatchAll is among them, as validation has seen to.
func (s *Server) digestSchemas() {
	inForce := s.cfg.schemasInForce()
	before := s.order
	if s.classifier == nil {
		s.classifier = classify.New(inForce)
	} else {
		s.classifier.Reconfigure(inForce)
	}
	s.order = nil
	for _, f := range s.classifier.Schemas() {
		number := s.schemaNumber(&f)
		s.order = append(s.order, number)
		s.digestSchema(number, f)
	}
	s.catchAll = s.schemaNumbers[CatchAll]
	s.noteOutOfForce(before)
}

// noteOutOfForce records which schemas are not in force any more, of those that were
// before, and which were deleted, in force or not.
func (s *Server) noteOutOfForce(before []int32) {
	exists := make(map[string]bool, len(s.cfg.FlowSchemas))
	for i := range s.cfg.FlowSchemas {
		exists[s.cfg.FlowSchemas[i].Name] = true
	}
	for _, number := range before {
		if f := &s.schemas[number]; f.digest != s.digests && exists[f.object.Name] {
			s.note(SchemaDangling, number)
		}
	}
	for number := range s.schemas {
		name := s.schemas[number].object.Name
		if _, had := s.conditions[name]; had && !exists[name] {
			s.note(SchemaDeleted, int32(number))
		}
	}
}

// schemaNumber returns the number of the schema of this name, a new one for a new name.
func (s *Server) schemaNumber(f *FlowSchema) int32 {
	if number, known := s.schemaNumbers[f.Name]; known {
		return number
	}
	number := int32(len(s.schemas))
	s.schemaNumbers[f.Name] = number
	s.schemas = append(s.schemas, schema{object: *f, level: s.levelNumbers[f.PriorityLevel]})
	return number
}

// digestSchema puts a schema into force. A digestion that changes nothing of it costs
// nothing more.
func (s *Server) digestSchema(number int32, f FlowSchema) {
	known := &s.schemas[number]
	switch {
	case known.digest != s.digests-1:
		s.note(SchemaAdded, number)
	case !sameSchema(&known.object, &f):
		s.note(SchemaChanged, number)
	}
	level := s.levelNumbers[f.PriorityLevel]
	if known.level != level || known.object.Distinguisher != f.Distinguisher {
		known.flows, known.known = nil, s.flowsOf(number, level)
	}
	known.level, known.object, known.digest = level, f, s.digests
}

// flowsOf returns the flows that a schema and level have met together, by distinguisher.
func (s *Server) flowsOf(schema, level int32) map[string]FlowID {
	var met map[string]FlowID
	for id := range s.flows {
		if f := &s.flows[id].info; f.Schema == schema && f.Level == level {
			if met == nil {
				met = map[string]FlowID{}
			}
			met[f.Distinguisher] = FlowID(id)
		}
	}
	return met
}

// flowOf returns the flow of a request to a level with several queues.
func (s *Server) flowOf(index int32, f *schema, l *level, r *Request) FlowID {
	number := int32(0)
	switch f.object.Distinguisher {
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
	distinguisher := s.classifier.FlowDistinguisher(f.object.Distinguisher, r.Subject, r.Target)
	if id, known := f.known[distinguisher]; known {
		f.flows[number] = id
		return id
	}
	id := FlowID(len(s.flows))
	f.flows[number] = id
	hash, known := s.hashes[FlowHash{f.object.Name, f.object.Distinguisher, distinguisher, 0}]
	if !known {
		hash = shuffle.FlowHash(f.object.Name, distinguisher)
	}
	hand := l.dealer.Deal(hash, nil)
	s.flows = append(s.flows, flow{
		info: FlowInfo{Schema: index, Level: f.level, Distinguisher: distinguisher, Hash: hash, Hand: hand},
		hand: hand,
	})
	return id
}

// redeal deals new hands to all flows of a level, whose queues or hand size have changed.
// Upstream deals a hand at each request; here each flow keeps its hand as long as it would
// be dealt the same.
func (s *Server) redeal(level int32) {
	dealer := s.levels[level].dealer
	if dealer == nil {
		return // without a choice of queues no flow is told apart
	}
	for i := range s.flows {
		if f := &s.flows[i]; f.info.Level == level {
			f.hand = dealer.Deal(f.info.Hash, nil)
			f.info.Hand = f.hand
		}
	}
}

// Flows returns how many flows the server has met.
func (s *Server) Flows() int { return len(s.flows) }

// Flow returns what is known of a flow.
func (s *Server) Flow(id FlowID) FlowInfo { return s.flows[id].info }

// Schemas returns the names of the FlowSchemas that are or were in force, by their
// numbers: those of the beginning in the order of matching, then the others as they
// came. A schema keeps its number, also while it is out of force.
func (s *Server) Schemas() []string {
	names := make([]string, len(s.schemas))
	for i := range s.schemas {
		names[i] = s.schemas[i].object.Name
	}
	return names
}

// SchemasInForce returns the numbers of the FlowSchemas in force, in the order of matching.
// The caller must not change it; it is replaced and not changed when the configuration is.
func (s *Server) SchemasInForce() []int32 { return s.order }

// SchemaLevel returns the level that a FlowSchema leads to, or did when it was last in
// force.
func (s *Server) SchemaLevel(schema int) int { return int(s.schemas[schema].level) }
