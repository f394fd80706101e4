// Package observed reads what API servers tell Prometheus about API Priority and Fairness, and
// makes two things of it: what was seen, interval by interval (recording.Observed), and a
// scenario with traffic that does the same, as far as metrics can tell.
//
// A Reader takes scrapes in the text format of Prometheus or OpenMetrics and answers of its HTTP
// API, and keeps the values of the metrics that matter, whatever the release calls them. Observe
// makes intervals of the differences between scrapes. Fit makes populations of an interval: for
// each flow schema and level the arrivals, execution times and widths that were counted.
//
// Metrics are sums. They tell of no user, no resource, no request; not when within an interval
// something happened; and not what came together. Whatever is made up in their place is counted
// in the account and written down in the scenario.
package observed
