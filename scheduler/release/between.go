package release

// Between returns the changes that one of two versions has and the other has not, in the
// order in which they apply: what an upgrade from the older one to the newer one brings.
func Between(v, w Version) []Change {
	var list []Change
	for i := range history {
		if c := &history[i]; c.In(v) != c.In(w) {
			list = append(list, *c)
		}
	}
	return list
}
