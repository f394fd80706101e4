package workload

import (
	"strconv"
	"strings"
	"time"
)

// RawOptions are the list and watch options of a request, as the query of its URL gives
// them. They decide how wide a LIST or WATCH is.
type RawOptions struct {
	// Limit is the page size; 0 is none.
	Limit int64
	// ResourceVersion, ResourceVersionMatch and Continue decide whether the answer comes
	// from the watch cache or from storage.
	ResourceVersion, ResourceVersionMatch, Continue string
	// FieldSelector and LabelSelector are selectors in the API's own syntax.
	FieldSelector, LabelSelector string
	// SendInitialEvents makes a watch start with all objects.
	SendInitialEvents bool
}

// Template is one kind of request that the clients of a population send.
type Template struct {
	// Verb, APIGroup, Resource, Subresource, Namespace and Name describe a resource
	// request in the words of RequestInfo.
	Verb, APIGroup, Resource, Subresource, Namespace, Name string
	// Path makes it a non-resource request instead. {index} in Namespace, Name and Path
	// stands for the number of the client, from 0.
	Path string
	// Options are those of a list or watch.
	Options RawOptions
	// Timeout is the deadline that the client asks for; 0 is the server's own.
	Timeout time.Duration
	// Weight is its share of the population's requests; see NewChooser.
	Weight float64
	// Duration is how long it executes; nil means as the population says.
	Duration *Distribution
	// Calls are the requests that the server makes, or has others make, while it executes this
	// one, which holds its seats meanwhile.
	Calls []Call
}

// Call is a request that an executing request waits for: a webhook or an aggregated server
// that asks the API server in its turn.
type Call struct {
	// Population is the name of the population that makes it, which must be Called. The client
	// is the one of the same number as the caller's, modulo their count.
	Population string
	// Request is the index of the request that it makes.
	Request int
	// Count is how many of them are made; they follow each other unless Parallel.
	Count    int
	Parallel bool
	// Ignore lets the caller go on if a call fails; otherwise it fails too.
	Ignore bool
	// Timeout is how long the caller waits for each call; 0 is until its own deadline.
	Timeout time.Duration
}

// indexPattern is what Expand replaces.
const indexPattern = "{index}"

// Expand replaces each {index} in pattern by the number of the client. A pattern without
// it is returned as it is.
func Expand(pattern string, index int) string {
	if !HasIndex(pattern) {
		return pattern
	}
	return strings.ReplaceAll(pattern, indexPattern, strconv.Itoa(index))
}

// HasIndex tells whether Expand depends on the index: if not, all clients of a population
// share one expansion.
func HasIndex(pattern string) bool { return strings.Contains(pattern, indexPattern) }
