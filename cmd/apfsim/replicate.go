package main

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// crash is a panic on its way from a worker to the goroutine that answers for it.
type crash struct {
	what  any
	stack []byte
}

// String shows the panic as it would have been shown where it happened.
func (c crash) String() string { return fmt.Sprintf("%v\n\n%s", c.what, c.stack) }

// replicate calls one for each number from 0 to n-1, at most workers of them side by
// side, and waits for all. After a failure or once stopped is true no further number is
// begun; begun ones go on to their end. It returns the error of the smallest number, so
// that the answer does not depend on who was faster; a panic in one becomes its own.
func replicate(n, workers int, stopped *atomic.Bool, one func(i int) error) error {
	faults := make([]error, n)
	var next atomic.Int64
	var crashed atomic.Pointer[crash]
	var wait sync.WaitGroup
	work := func() {
		defer wait.Done()
		defer func() {
			if r := recover(); r != nil {
				crashed.CompareAndSwap(nil, &crash{r, debug.Stack()})
				stopped.Store(true)
			}
		}()
		for !stopped.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if faults[i] = one(i); faults[i] != nil {
				stopped.Store(true)
			}
		}
	}
	for range min(workers, n) {
		wait.Add(1)
		go work()
	}
	wait.Wait()
	if c := crashed.Load(); c != nil {
		panic(*c)
	}
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}
