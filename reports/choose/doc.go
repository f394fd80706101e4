// Package choose searches a lattice of points for the cheapest one that meets some goals. What a
// point is, how it is run and how goals are judged is the caller's business: the search asks for so
// many replications of some points, and gets scores back.
//
// The search is pure: it has no clock and no workers, and all chance in it comes from the seed. What
// it asks for depends on nothing but the problem and the scores, so that a search that is done
// again, with the scores that are known already, goes the same way.
//
// How it searches depends on the shape of the problem:
//
//   - what is known of points without a run, such as what the API refuses, is looked at first;
//   - one knob whose price is known is bisected, and the neighbours of the answer are looked at;
//   - several knobs whose prices are known are walked in the order of the price, and the walk ends
//     at the first point that meets the goals;
//   - where the objective itself has to be run, the points race: all begin with few replications,
//     those that are clearly worse by paired differences are out, and the others get more;
//   - where there are more points than the budget can look at, CMA-ES (N. Hansen, The CMA Evolution
//     Strategy: A Tutorial, arXiv:1604.00772) chooses them, generation by generation.
//
// In the end the neighbours of the best point are looked at, one step of each knob, and a neighbour
// that is better takes its place.
package choose
