// Package tuning is the model of a search for settings: goals, what they are held against, and the
// proposal that comes of it, with its forms for people and programs. The search itself is that of
// package choose.
//
// A goal is about a figure of a run, as package compare reads it, or about one that is known without
// a run, an Analytic. Goals are judged on independent replications: one is met if Student's interval
// of the mean lies wholly within its bound, missed if it lies wholly beyond, and unclear otherwise.
package tuning
