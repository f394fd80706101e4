// Command apfsim simulates what kube-apiserver's API Priority and Fairness does to
// given traffic: who waits, for how long, and who is rejected and why. It needs no
// cluster, and takes the same decisions as the real server, to the nanosecond.
//
// The verbs are in one file each. A command sees the machine only through a Process,
// which osprocess.go fills for the real one; run turns a Process into an exit code.
package main

import (
	"os"
	"runtime"
)

func main() {
	kept := ballast()
	code := run(osProcess())
	runtime.KeepAlive(kept)
	os.Exit(code)
}

// ballast is memory that is never touched, and so takes none of the machine's, but counts for the collector of
// garbage: it runs when as much as this has been allocated, not for every four megabytes of a simulation whose live
// heap is small. Those runs took a sixth of the processor's time of a sweep, and kept the second core busy beside one
// worker. The price is up to 32 MiB of garbage.
func ballast() []byte { return make([]byte, 32<<20) }
