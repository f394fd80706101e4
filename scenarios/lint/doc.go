// Package lint gives advice on a configuration of flow control that the API server
// takes, and that may not do what its author meant: schemas that never match, levels
// that are too small, names that nobody has.
//
// Each kind of advice is a rule with a stable code, APF001 and so on. The texts of the
// rules, with a bad and a good example each, are the files in rules/; the tests hold
// that the bad example gets exactly that advice, at the marked line, and the good one
// none. Advice is given on the user's objects alone: an object that is equal to the
// built-in one of its name is the release's.
//
// What the rules claim is what the code of the scheduler does: requests are classified
// by scheduler/classify, and the seats of the levels are the scheduler's.
package lint
