package borrowing

// Rules are how a release of kube-apiserver gives seats to its levels. The zero value
// gives each its nominal limit for good, as the releases up to 1.25 do. Package release
// knows which rules belong to which release.
type Rules struct {
	// Lending tells that limits follow the demand.
	Lending bool
	// Exempt is the part that an exempt level has in this.
	Exempt ExemptRole
	// NaNStays is the fault of early releases with lending: once rounding makes the variance
	// of a level's demand negative, the smoothed demand is not a number for ever, no
	// allocation finds a solution, and the limits of all levels freeze.
	NaNStays bool
	// BoundsWidth tells that the nominal limit of a level with queues bounds the width of
	// its requests.
	BoundsWidth bool
}

// ExemptRole is the part that an exempt level has in the division of the seats.
type ExemptRole uint8

// The parts that exempt levels had.
const (
	// ExemptOutside: none. It has neither shares nor limits.
	ExemptOutside ExemptRole = iota
	// ExemptAmong: it is one more level, whose limit nothing obeys; what it is given, others
	// do not have.
	ExemptAmong
	// ExemptFirst: it is given what it used before the others share the rest.
	ExemptFirst
)
