// Package queueset runs the queue set of kube-apiserver and a queue set under test on
// the same operations, and compares everything that can be seen of the two after
// each of them.
//
// The real one is queueset.NewQueueSetFactory of k8s.io/apiserver, unmodified. It is
// written for a goroutine per request that blocks until its turn comes. It runs here
// on one goroutine that never blocks, by three means:
//
//   - its clock is virtual and hands out no timers: what it schedules is kept in a
//     list, and the driver calls it when its time has come (Clock);
//   - its QueueNoteFn callback tells the moment and the order of the dispatches;
//   - Request.Finish, which waits for the decision, executes and reports the end of
//     the execution, is called only when the decision is known: when the execution
//     ends, or after the request's context was made to look cancelled, for a request
//     whose wait limit has passed. So the wait inside returns at once.
//
// In a server, the waiting goroutine brings R up to date once more when it wakes. It
// wakes at the moment of the dispatch, when R has just been brought up to date; in the
// driver that update falls together with the one of the end of the execution. Either
// way no time has passed between the two, and an update over no time changes nothing.
//
// What is compared, after every operation: the requests dispatched, in order; the queue
// chosen; the reason of a rejection; when lingering seats will be free; R; the number
// of queues; requests and seats waiting and in use; of every queue the requests waiting
// and executing, the seats in use, the work waiting and nextDispatchR; and the
// statistics of the seat demand bit for bit. Some of this upstream does not tell, so
// the driver reads the fields of its structures by reflection (inspect.go) and checks
// now and then that Dump says the same.
//
// The files:
//
//   - clock.go, real.go, inspect.go: the real queue set as a passive one
//   - subject.go: what a set under test looks like; ours/ makes the product one
//   - operation.go, runner.go, compare.go: one operation on both sides, then the look
//   - branches.go: which rare situations a run has reached
//   - profile.go, generate.go: sequences of operations drawn at random
//   - scenes.go: sequences made by hand, for what these hardly ever reach
//   - shrink.go: the shortest sequence that still shows a difference
//   - campaign.go: many sequences, one after another
//   - load.go: the load of the benchmarks
//
// ../mutation/MUTANTS.md lists what has been built wrong on purpose, and what notices it; the
// tests of that package build each of those and look for themselves.
package queueset
