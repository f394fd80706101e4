package main

import (
	"errors"
	"sync"
)

// stopper is how a wish to stop reaches the verb that runs. A verb that can end in an
// orderly way says how; one that cannot is left where it is.
type stopper struct {
	mu     sync.Mutex
	stop   func()
	wished bool
	files  []*outputs
}

// onStop registers how the running verb ends early. The function is called at most
// once, from another goroutine, and at once if the wish came earlier.
func (s *stopper) onStop(stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wished {
		stop()
		return
	}
	s.stop = stop
}

// wish asks the verb to stop and tells whether it can.
func (s *stopper) wish() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wished = true
	if s.stop == nil {
		return false
	}
	s.stop()
	s.stop = nil
	return true
}

// owns makes files known that must not be left behind if the verb is abandoned.
func (s *stopper) owns(o *outputs) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = append(s.files, o)
}

// abandon removes the files of a verb that is not waited for any longer.
func (s *stopper) abandon() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var faults []error
	for _, o := range s.files {
		faults = append(faults, o.discard())
	}
	return errors.Join(faults...)
}
