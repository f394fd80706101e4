// Command apfsim simulates what kube-apiserver's API Priority and Fairness does to
// given traffic: who waits, for how long, and who is rejected and why. It needs no
// cluster, and takes the same decisions as the real server, to the nanosecond.
//
// The verbs are in one file each. A command sees the machine only through a Process,
// which osprocess.go fills for the real one; run turns a Process into an exit code.
package main

import "os"

func main() { os.Exit(run(osProcess())) }
