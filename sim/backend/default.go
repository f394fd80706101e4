package backend

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
)

// Default returns a backend of middling size for a release. Each figure has its origin beside it; where
// nobody has published one, that is said. They are the first thing to replace by figures of
// one's own: docs/backend.md says which metrics have them.
func Default(v release.Version) Config {
	return Config{
		CPU:    defaultCPU(),
		Etcd:   defaultEtcd(),
		Memory: defaultMemory(v),
		// Without a size, 2 kB: a lease has 0.5 kB, a pod 2 to 10. A tenth of all objects for
		// a selector is a guess, and a scenario that turns on it has to give its own.
		Objects: Objects{Bytes: 2000, Selected: 0.1},
	}
}

// defaultCPU has the cores of a control plane node for some hundred nodes.
func defaultCPU() CPUConfig {
	return CPUConfig{
		Cores: 8,
		// No measurement of the handler chain is published. 300 µs is what a GET of a small
		// object costs in all that is neither decoding nor encoding, if a core serves 3,000
		// of them in a second.
		Request: 300 * time.Microsecond,
		// A rejection has been through authentication and authorization, but not through
		// routing, admission and storage. A guess: a sixth of Request.
		Rejected: 50 * time.Microsecond,
		// Guesses, in the order in which admission, defaulting, validation, and the merge of
		// managed fields add up: a patch applies to the object before it does all the rest.
		Verbs: []VerbWork{
			{"create", 700 * time.Microsecond},
			{"update", 500 * time.Microsecond},
			{"patch", 900 * time.Microsecond},
			{"delete", 300 * time.Microsecond},
		},
		// A selector's match and a slot in a list. The copy is counted with Decode.
		Object: 1 * time.Microsecond,
		// Measured with k8s.io/api v0.37.2 and a pod of 4.1 kB on a core of an AMD EPYC: a
		// stored megabyte takes 6.7 ms to decode from protobuf, 3.4 ms to encode as protobuf
		// and 7.5 ms as JSON. kubernetes#138841 has 2 to 4 ms to decode pods of 10 to 30 kB.
		Decode: 6 * time.Millisecond,
		Encode: 6 * time.Millisecond,
	}
}

// defaultEtcd is what etcd's own benchmark has (etcd.io, Performance, op-guide: etcd 3.2,
// three members of 8 CPUs with an SSD, values of 256 bytes): a client that is alone reads in
// 0.7 ms and writes in 1.6 ms; a thousand clients read 141,578 times in a second, from three
// members, and write 50,104 times. Rate times latency is what is served at a time: 33 reads a
// member, and 80 writes, of which 64 are left for the larger values of Kubernetes.
func defaultEtcd() Etcd {
	// A megabyte takes 8 ms through the 1 GbE that the hardware guide has for common
	// deployments, and about as long onto a disk of 100 MB/s.
	const megabyte = 8 * time.Millisecond
	return Etcd{
		Members: 3,
		// The client of etcd since 3.4, which API servers have since Kubernetes 1.17.
		Choice: Balanced,
		// One more key of a range is a step in a tree in memory and a copy. A guess.
		Reads:  Operations{Concurrency: 32, Latency: 700 * time.Microsecond, Object: time.Microsecond, Megabyte: megabyte},
		Writes: Operations{Concurrency: 64, Latency: 1600 * time.Microsecond, Megabyte: megabyte},
	}
}

// defaultMemory is that of a control plane node with 16 GiB for the API server.
func defaultMemory(v release.Version) MemoryConfig {
	return MemoryConfig{
		Limit: 16 << 30,
		// KEP-3157 saw about 2 GB with little stored and all LISTs streamed.
		Base: 2 << 30,
		// The encoded answer is one block that grows by doubling, up to 1.32.
		CacheFactor: 2,
		// KEP-3157: about five times the response of etcd, which is unmarshalled, converted
		// and encoded.
		StorageFactor: 5,
		// KEP-5116: the gates StreamingCollectionEncodingToJSON and ToProto are on from 1.33 on.
		Streamed: !v.Less(release.Version{Minor: 33}),
		// Guess: a small cluster. Filling the watch cache comes on top of it (Config.CacheFill).
		Startup: 10 * time.Second,
	}
}
