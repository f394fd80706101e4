// Package study is the model of many runs: what was tried, at which points, and what each of them
// showed. A Study tells what is tried; a Record holds what some replications of one scenario
// with some settings showed, and nothing of when and where they ran, so that records made anywhere are
// put together in any order to the same bytes.
package study
