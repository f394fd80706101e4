// Package quiet keeps the real code's log out of the output of tests.
package quiet

import (
	"flag"
	"io"

	"k8s.io/klog/v2"
)

// Klog throws away all that is logged from now on. Setting the output is not enough: klog
// writes errors to the standard error on top of it, unless its flags say otherwise.
func Klog() {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	for _, quiet := range []string{"-logtostderr=false", "-stderrthreshold=FATAL"} {
		if err := flags.Parse([]string{quiet}); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(io.Discard)
}
