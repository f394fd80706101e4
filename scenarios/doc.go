// Package scenarios reads what a user writes, and turns it into a run: the
// v1alpha1 scenario format, the FlowSchema and PriorityLevelConfiguration
// manifests that it names, and the traces of its clients.
//
// The way of a scenario through the package:
//
//	bytes ─ documents.go ─► YAML documents        (encoding, templates, "---")
//	      ─ nodes.go     ─► nodes with positions  (the only file that knows the YAML library)
//	      ─ fields.go    ─► the types of format.go, strictly, by their json tags
//	      ─ presets.go   ─► presets expanded to primitives, overridden by what is written
//	      ─ check*.go    ─► what types cannot say: ranges, exclusions, references
//	      ─ compile.go   ─► sim.Config
//
// Manifests go the same way into the official k8s.io/api types of their version
// (apiversion.go), are converted to v1, go through the defaults and the validation of
// the API server (defaults.go, validate*.go), and over the built-in objects of the
// release (builtin.go, overlay.go). In what the releases differ is a table
// (apirelease.go). What a scenario names, and what LoadConfiguration is given without
// one, is read alike.
//
// A fault of the user is a Diagnostic. Every reader reports all the faults that it
// finds, each with the file, the line and the column where it is, and goes on.
// Nothing here opens a file by itself: the caller hands in a Files.
package scenarios
