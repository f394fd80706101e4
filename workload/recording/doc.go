// Package recording is what the records of real API servers have in common, whatever their
// kind: the request that they tell of, the account of what was read and what was left out or
// assumed, and the trace that is made of them.
//
// The readers and writers of each kind are packages below this one: audit for audit logs,
// httplog for the HTTP lines of the server's own log. A reader gives requests in the order in
// which it learns of their ends; a Sorter puts them in the order of their arrivals in bounded
// memory; AppendTail makes lines of a trace of them (package traceline), which hold what
// was observed beside what is replayed. So a trace is all that replaying, fitting and comparing
// need.
//
// A record never tells everything. Whatever a reader leaves out or makes up is counted in an
// Account, by reason, and shown: nothing is dropped in silence.
package recording
