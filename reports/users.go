package reports

import "slices"

// users are the populations that a flow has requests of. Most flows have one.
type users struct {
	// first is the number of a population and one more than that; 0 is none.
	first  int32
	others []int32
}

// add notes a population.
func (u *users) add(population int32) {
	switch {
	case u.first == population+1:
	case u.first == 0:
		u.first = population + 1
	case !slices.Contains(u.others, population):
		u.others = append(u.others, population)
	}
}

// has tells whether a population is among them.
func (u *users) has(population int32) bool {
	return u.first == population+1 || slices.Contains(u.others, population)
}

// plus adds those of another replication.
func (u *users) plus(from *users) {
	if from.first > 0 {
		u.add(from.first - 1)
	}
	for _, population := range from.others {
		u.add(population)
	}
}
