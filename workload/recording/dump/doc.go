// Package dump reads the debug pages of API Priority and Fairness of kube-apiserver, which are
// dump_priority_levels, dump_queues and dump_requests below /debug/api_priority_and_fairness, as
// somebody has saved them, and makes one Moment of them.
//
// The pages may come in any order, in one file or in several, with or without details, of any
// release from 1.20 on; what a column holds is told by its header, which may be misspelt as the
// server has it. A line "==> NAME <==", as head writes it, begins the pages of another server. A
// scrape of /metrics of the same time may be among them, for what the pages do not tell: the limits
// and the progress meter R.
//
// The columns of the server do not tell everything that its next decisions depend on. Further
// columns, which package reports/dump writes of simulated servers, do; they are documented with the
// fields of Level, Queue and Request, and may all be absent.
package dump
