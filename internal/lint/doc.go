// Package lint holds the rules of this repository as tests, so that `go test ./...`
// enforces what a review would otherwise have to remember: which package may import
// which, that only cmd/ reads the clock, the environment, the terminal and files by
// name, that nothing depends on the order of a map, and how long a function or a file
// may become.
//
// Each rule is a function from one parsed file to its findings, and each finding says
// what to do instead. The rules have tests of their own, on small sources that break
// them: a rule that cannot fail protects nothing.
package lint
