package scenarios

import "math"

// Growable is a number of a scenario that grows with a cluster: the clients of a population, or the
// stored objects of a resource.
type Growable struct {
	// Name is that of the population, or "objects/" and the resource.
	Name string
	// Path is that of the number, as in a Setting.
	Path string
	// Count is the number as the scenario has it.
	Count int64
}

// Times is the number after growing by a factor, at least 1.
func (g *Growable) Times(factor float64) int64 {
	return max(1, int64(math.Round(float64(g.Count)*factor)))
}

// Growables lists the populations in the order of the scenario, but for recorded ones, which have
// no clients to be more of, and then the stored objects by name.
func (s *Scenario) Growables() []Growable {
	var out []Growable
	for i := range s.spec.Clients {
		c := &s.spec.Clients[i]
		if c.Trace != nil {
			continue
		}
		count := int64(1)
		if c.Count != nil {
			count = int64(*c.Count)
		}
		out = append(out, Growable{c.Name, "clients[" + c.Name + "].count", count})
	}
	for _, name := range sortedKeys(s.spec.Objects) {
		if o := s.spec.Objects[name]; o.Count != nil {
			out = append(out, Growable{"objects/" + name, "objects[" + name + "].count", *o.Count})
		}
	}
	return out
}
