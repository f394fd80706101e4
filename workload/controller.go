package workload

import "strconv"

// Controller is a controller with a work queue: keys come into it, workers take them out, and
// each reconciliation sends the requests of the population in their order, up to the first one
// that fails. A key that failed comes back after a pause that grows with its failures (client-go
// util/workqueue, v0.37.2).
type Controller struct {
	// Workers is how many keys are reconciled at once.
	Workers int
	// Rate is how many keys come each second, at random.
	Rate float64
	// Initial is how many keys are there at the beginning: all objects, after a start.
	Initial int
	// Keys is how many keys there are. One that comes while it waits is the same key. 0: each
	// that comes is another one.
	Keys int
	// MaxRetries is after how many failures in a row a key is given up; 0 is never.
	MaxRetries int
}

// Requests is part of Behaviour.
func (c Controller) Requests() int { return 1 }

// String is part of Behaviour.
func (c Controller) String() string {
	return mapping("controller", "workers", strconv.Itoa(c.Workers), "rate", number(c.Rate),
		"initial", strconv.Itoa(c.Initial), "keys", strconv.Itoa(c.Keys), "maxRetries", strconv.Itoa(c.MaxRetries))
}

// Validate is part of Behaviour.
func (c Controller) Validate() []error {
	all := faultsOf(
		checkCount("controller.workers", c.Workers, 1),
		checkNumber("controller.rate", c.Rate, 0, rateMax),
		checkCount("controller.initial", c.Initial, 0),
		checkCount("controller.keys", c.Keys, 0),
		checkCount("controller.maxRetries", c.MaxRetries, 0))
	if len(all) == 0 && c.Rate == 0 && c.Initial == 0 {
		all = append(all, &FieldError{"controller", "no key ever comes", "a rate above 0, or keys at the beginning"})
	}
	return all
}
