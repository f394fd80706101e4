package driver

// Counts is the object count tracker's answer for a resource[.group], in the releases
// that count objects and do not know their size. The errors are those that the release
// has for a resource that is unknown and for a count that is stale.
func Counts(c *Case, unknown, stale error) func(resource string) (int64, error) {
	return func(resource string) (int64, error) {
		o, ok := c.Objects[resource]
		switch {
		case !ok:
			return 0, unknown
		case o.Stale:
			return o.Count, stale
		default:
			return o.Count, nil
		}
	}
}
