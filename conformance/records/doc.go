// Package records holds what apfsim writes as logs of API servers against the code of
// k8s.io/apiserver that writes them.
package records
