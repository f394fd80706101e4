// Package balance is what stands between clients and several API servers: a load balancer
// with its health checks, and the connections of the clients.
//
// It is passive. The caller tells it what time it is, and brings the random streams; it
// knows nothing of events, requests or APF.
//
// # Two kinds of balancers
//
// A balancer of layer 7 chooses a server for each request (PerRequest). One of layer 4
// sees connections only and chooses when a client opens one (PerConnection). That is the
// usual way in front of API servers, since clients authenticate with certificates, and it
// is why their load is often uneven: a client of Go's HTTP/2 keeps its connection for as
// long as it uses it, so a server that joins gets only what opens a connection after it.
//
// # Connections
//
// A client sends on the oldest of its connections that has room, and opens another if none
// has (getClientConn in net/http/h2_bundle.go of Go 1.26). A connection has room for as
// many streams as the server allows: 100 on kube-apiserver
// (pkg/server/secure_serving.go of k8s.io/apiserver v0.37.2; 250 before CVE-2023-44487). A watch
// keeps its stream for as long as it is open.
//
// A connection ends in one of three ways. Unused for 90 s, it is closed: both sides have
// that limit (the same file; net/http's DefaultTransport, which client-go takes it from).
// When its server goes down, it breaks with all its streams. And with --goaway-chance the
// server tells it by a GOAWAY to take no new streams; those that it has go on.
//
// # Health
//
// The balancer asks each server every Interval whether it is well, and changes its mind
// after UnhealthyAfter or HealthyAfter answers in a row. What it sends to a server that has
// gone down meanwhile is refused.
package balance
