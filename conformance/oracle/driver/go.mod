// The driver has no requirements: each release's module says which release of
// k8s.io/apiserver, client-go and so on it is compiled with.
module github.com/apfsim/apfsim/conformance/oracle/driver

go 1.26
