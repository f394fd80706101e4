// Package backend is what stands behind an API server's priority and fairness: the
// processors on which requests are worked on, the etcd members that store the objects, and
// the memory that large answers take. With it, how long a request executes follows from
// what else is going on; without it, a request executes for as long as its population says.
//
// # The way of a request
//
// A request that is dispatched needs, in this order,
//
//	CPU before ── storage ── CPU after ── answered
//
// each of which may be nothing. Prices tells how much of each, from what is known of the
// request and of the stored objects. A LIST holds memory from the moment on at which its
// objects are there until it is answered.
//
// # The models
//
// CPU is processor sharing: all jobs advance at the same pace, each on at most one core.
// Storage is first come, first served: each etcd member serves so many reads, and so many
// writes, at a time; what does not fit waits. A read is served by one member, a write by
// all of them. Memory is a sum with a limit. Each of them can be slowed down or stopped over
// a window, with all that is going on in it.
//
// # Time
//
// The models are passive: the caller tells the time, asks with Next when something will
// be done, and takes it then with Take. They never ask for randomness and never allocate
// once they have been as full as they get. Nothing here is safe for concurrent use.
//
// # Rounding
//
// Times are whole nanoseconds. A job is done at the first whole nanosecond at which it
// has had its work, less a millionth of a nanosecond, and takes its share of the processors
// until then. So a job that is alone takes exactly its work; and work that is shared by
// three does not last a nanosecond longer because a third is no binary fraction.
package backend
