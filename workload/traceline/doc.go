// Package traceline reads one line of a trace: a JSON object that describes one request.
//
// It is strict. What encoding/json accepts as a line with DisallowUnknownFields is accepted
// here with the same values, and what that rejects is rejected, with two exceptions, both
// of them silent accidents elsewhere:
//
//   - Names match exactly. encoding/json also takes "USER" for "user".
//   - A name must not occur twice in one object. encoding/json takes the last one, others
//     take the first.
//
// As there, null means absent, a byte that is not UTF-8 in a string becomes U+FFFD, and a
// number with a fraction or an exponent is no integer. A fuzz test holds the two against
// each other.
//
// The syntax is read by jsontext, the decoder under Go's encoding/json/v2: strict, without
// allocation, and about ten times as fast as encoding/json. On top of it, this package
// knows the fields, their types and what makes sense together.
package traceline
