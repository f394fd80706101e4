// Package kubernetes holds package scenarios against the code of kube-apiserver that reads
// flow control objects: serializers, defaults, conversions, validation, and the ensurer of
// the built-in objects. See docs/validation.md.
//
// The code of 1.37 is in the test binary. That of older releases cannot be in the same
// one; it is in programs of its own, made of package oracle and a go.mod of
// oracle/releases each. The flag -releases names those to ask:
//
//	go test . -releases all
//
// To ask another release, let oracle/releases/make write its go.mod, and add it to
// verdict.Minors and, if need be, to the build tags in releases.go.
package kubernetes
