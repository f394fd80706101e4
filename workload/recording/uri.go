package recording

import (
	"net/url"
	"strconv"
	"strings"
)

// What writers have in common: the texts that servers log of a request.

// AppendURI appends the URI of a request as a client sends it, with its query in the order in
// which client-go writes it, that of the names. All resources are of version v1.
func AppendURI(dst []byte, q *Request) []byte {
	begin := len(dst)
	if q.Path != "" {
		dst = appendPath(dst, q.Path)
	} else {
		dst = appendTarget(dst, q)
	}
	b := queryWriter{dst: dst, separator: '?'}
	if q.Path == "" && (q.Verb == "list" || q.Verb == "watch") {
		b.options(q)
	} else {
		b.timeout(q)
	}
	if len(b.dst) == begin {
		return append(b.dst, '/')
	}
	return b.dst
}

// appendTarget appends the path of a resource.
func appendTarget(dst []byte, q *Request) []byte {
	if q.APIGroup == "" {
		dst = append(dst, "/api/v1"...)
	} else {
		dst = append(dst, "/apis/"...)
		dst = appendSegment(dst, q.APIGroup)
		dst = append(dst, "/v1"...)
	}
	if q.Verb == "proxy" {
		dst = append(dst, "/proxy"...)
	}
	// A namespace is in its own.
	if q.Namespace != "" && !(q.Resource == "namespaces" && q.Namespace == q.Name) {
		dst = append(dst, "/namespaces/"...)
		dst = appendSegment(dst, q.Namespace)
	}
	dst = append(dst, '/')
	dst = appendSegment(dst, q.Resource)
	if named := q.Name != "" && q.Verb != "list" && q.Verb != "watch" && q.Verb != "deletecollection"; named {
		dst = append(dst, '/')
		dst = appendSegment(dst, q.Name)
	}
	if q.Subresource != "" {
		dst = append(dst, '/')
		dst = appendSegment(dst, q.Subresource)
	}
	return dst
}

func appendSegment(dst []byte, s string) []byte { return append(dst, url.PathEscape(s)...) }

// appendPath appends a path as it is, but for what cannot be in one.
func appendPath(dst []byte, path string) []byte {
	for {
		i := strings.IndexByte(path, '/')
		if i < 0 {
			return append(dst, url.PathEscape(path)...)
		}
		dst = append(append(dst, url.PathEscape(path[:i])...), '/')
		path = path[i+1:]
	}
}

// queryWriter appends parameters of a query.
type queryWriter struct {
	dst       []byte
	separator byte
}

// text appends a parameter, unless it is empty.
func (b *queryWriter) text(name, value string) {
	if value == "" {
		return
	}
	b.dst = append(append(append(b.dst, b.separator), name...), '=')
	b.dst = append(b.dst, url.QueryEscape(value)...)
	b.separator = '&'
}

// options appends the options of a list or watch.
func (b *queryWriter) options(q *Request) {
	o := &q.Options
	b.text("continue", o.Continue)
	b.text("fieldSelector", selecting(o.FieldSelector, q.Name))
	b.text("labelSelector", o.LabelSelector)
	if o.Limit != 0 {
		b.text("limit", strconv.FormatInt(o.Limit, 10))
	}
	b.text("resourceVersion", o.ResourceVersion)
	b.text("resourceVersionMatch", o.ResourceVersionMatch)
	if o.SendInitialEvents {
		b.text("sendInitialEvents", "true")
	}
	b.timeout(q)
	if q.Verb == "watch" {
		b.text("watch", "true")
	}
}

// selecting returns a field selector by which an object is asked for, if one is: that of the client
// unless it does not have the name.
func selecting(fields, name string) string {
	if name == "" || strings.Contains(fields, "metadata.name") {
		return fields
	}
	if fields != "" {
		fields = "," + fields
	}
	return "metadata.name=" + name + fields
}

func (b *queryWriter) timeout(q *Request) {
	if q.Timeout > 0 {
		b.text("timeout", q.Timeout.String())
	}
}

// AppendAuditID appends an identifier in the form of a random UUID that is made of a seed, the
// server and the ID of a request.
func AppendAuditID(dst []byte, seed uint64, q *Request) []byte {
	hi := scramble(scramble(seed) ^ q.ID)
	lo := scramble(hi ^ uint64(q.Server))
	hi = hi&^(15<<12) | 4<<12
	lo = lo&^(3<<62) | 2<<62
	dst = appendHex(dst, hi>>32, 8)
	dst = appendHex(append(dst, '-'), hi>>16, 4)
	dst = appendHex(append(dst, '-'), hi, 4)
	dst = appendHex(append(dst, '-'), lo>>48, 4)
	return appendHex(append(dst, '-'), lo, 12)
}

// scramble is the finalizer of splitmix64, a permutation.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// appendHex appends the last digits of a number.
func appendHex(dst []byte, x uint64, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		dst = append(dst, "0123456789abcdef"[x>>(4*i)&15])
	}
	return dst
}

// AppendAddress appends the address of a client: one of those that are reserved for documentation
// (RFC 5737), of which there are fewer than some runs have clients.
func AppendAddress(dst []byte, q *Request) []byte {
	n := scramble(uint64(q.Place)) % (3 * 254)
	dst = append(dst, [...]string{"192.0.2.", "198.51.100.", "203.0.113."}[n/254]...)
	return strconv.AppendUint(dst, n%254+1, 10)
}

// Port is the port of a client's connection, one of the ephemeral ports of Linux.
func Port(q *Request) uint64 { return 32768 + scramble(uint64(q.Place)^1<<40)%28232 }
