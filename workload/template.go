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
