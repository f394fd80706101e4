// Package seats tells what a configuration of flow control gives to whom before any
// request is sent: the seats of each priority level, how wide a request may be there and
// how many can wait (For), how each of these figures comes about (Table.Explain), and
// what changes for whom between two configurations, server sizes or releases (Compare).
//
// It has no rules of its own about seats. Every figure that depends on the release is
// asked of the scheduler, of a server of that configuration that is given a few
// requests, so that it is what a run would show.
package seats
