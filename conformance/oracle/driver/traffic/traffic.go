// Package traffic makes HTTP requests of those of a trace, as the filters of kube-apiserver see them. It
// uses only what has kept its signature from k8s.io/apiserver 0.20 on.
package traffic

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/user"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"

	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
)

// HTTP returns a request as the filters see it: authenticated, and with its
// RequestInfo resolved.
func HTTP(ctx context.Context, r *wire.Request) *http.Request {
	ctx = apirequest.WithRequestInfo(ctx, info(r))
	ctx = apirequest.WithUser(ctx, &user.DefaultInfo{Name: r.User, Groups: r.Groups})
	u := &url.URL{Path: r.Path, RawQuery: query(r).Encode()}
	return (&http.Request{Method: http.MethodGet, URL: u, Header: http.Header{}}).WithContext(ctx)
}

// query returns the options as a client sends them.
func query(r *wire.Request) url.Values {
	q := url.Values{}
	set := func(key, value string) {
		if value != "" {
			q.Set(key, value)
		}
	}
	if r.Limit != 0 {
		q.Set("limit", strconv.FormatInt(r.Limit, 10))
	}
	if r.Verb == "watch" {
		q.Set("watch", "true")
	}
	if r.SendInitialEvents {
		q.Set("sendInitialEvents", "true")
	}
	if r.Timeout != 0 {
		q.Set("timeout", time.Duration(r.Timeout).String())
	}
	set("resourceVersion", r.ResourceVersion)
	set("resourceVersionMatch", r.ResourceVersionMatch)
	set("continue", r.Continue)
	set("fieldSelector", r.FieldSelector)
	set("labelSelector", r.LabelSelector)
	return q
}

// info returns what RequestInfoFactory would have made of the request's URL. A trace
// may hold what no URL can say (a create with a name), so the fields are taken over one
// by one.
func info(r *wire.Request) *apirequest.RequestInfo {
	if r.Path != "" {
		return &apirequest.RequestInfo{Verb: r.Verb, Path: r.Path}
	}
	return &apirequest.RequestInfo{
		IsResourceRequest: true,
		Verb:              r.Verb, APIGroup: r.APIGroup, APIVersion: "v1",
		Resource: r.Resource, Subresource: r.Subresource, Namespace: r.Namespace, Name: objectName(r),
	}
}

// objectName returns the name of the object: the request's own, or else the one that
// the release's RequestInfoFactory reads out of a list's options.
func objectName(r *wire.Request) string {
	if r.Name != "" || r.FieldSelector == "" || (r.Verb != "list" && r.Verb != "watch") {
		return r.Name
	}
	u := &url.URL{Path: "/api/v1/" + r.Resource, RawQuery: query(r).Encode()}
	info, err := infoFactory.NewRequestInfo(&http.Request{Method: http.MethodGet, URL: u})
	if err != nil {
		panic(err)
	}
	return info.Name
}

// infoFactory has the prefixes of kube-apiserver.
var infoFactory = &apirequest.RequestInfoFactory{
	APIPrefixes:          sets.NewString("api", "apis"),
	GrouplessAPIPrefixes: sets.NewString("api"),
}

// Response is an http.ResponseWriter that keeps the headers and the status, and drops the body.
type Response struct {
	Headers http.Header
	Status  int
}

// NewResponse returns a response that succeeds if nobody says otherwise.
func NewResponse() *Response { return &Response{Headers: http.Header{}, Status: http.StatusOK} }

// Header returns the headers.
func (w *Response) Header() http.Header { return w.Headers }

// Write drops what is written.
func (w *Response) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader keeps the status.
func (w *Response) WriteHeader(status int) { w.Status = status }
