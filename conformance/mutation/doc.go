// Package mutation builds the product wrong on purpose, one detail at a time, and
// makes sure that a test notices. A comparison that finds no difference proves
// something only about the details whose change it would find.
//
// A Mutant is a patch of a few lines, by text: a snippet that must occur exactly once
// in its file, and what to put in its place. The product's sources stay as they are;
// the patched copies exist only for the go command, which is given them as an overlay.
//
// Mutants of the queue set are all built into one program, each as a package of its
// own, and driven through the random operations of conformance/queueset. Mutants of
// other packages are built one by one with the test that has to fail.
//
// The table MUTANTS.md is written from the list, and a test keeps it up to date.
package mutation
