package clientgo

import (
	_ "unsafe" // for go:linkname

	_ "k8s.io/apimachinery/pkg/util/wait" // defines jitterRand
)

// jitterRand is where k8s.io/apimachinery's pkg/util/wait draws its jitter from. It is a
// variable there so that tests can put another source into it, and private; a go:linkname
// directive makes this name an alias of it.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64
