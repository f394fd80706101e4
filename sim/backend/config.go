package backend

import "time"

// Config describes what stands behind the API servers. Default has figures for all of it;
// the zero value is not valid.
type Config struct {
	// CPU is that of each API server.
	CPU CPUConfig
	// Etcd is what all API servers share.
	Etcd Etcd
	// Memory is that of each API server.
	Memory MemoryConfig
	// Stalls are windows in which something is slower. Where several are about the same, the
	// one that slows down most counts.
	Stalls []Stall
	// Objects tells what is not known of the stored objects otherwise.
	Objects Objects
}

// CPUConfig is what requests cost in core time. A request of any kind costs Request and what
// Verbs has for it. The objects that it looks at cost Object each; what is read from etcd
// has to be decoded, what is answered or written to be encoded.
type CPUConfig struct {
	// Cores is the number of cores of each API server, from 0.001.
	Cores float64
	// Request is for the handler chain around each request: TLS, authentication,
	// authorization, flow control, audit. It comes before the storage is asked.
	Request time.Duration
	// Rejected is what a request costs that is answered with 429, all in all.
	Rejected time.Duration
	// Verbs is what requests of a verb cost beside Request, each verb at most once: of a
	// write, the admission plugins and the validation. It comes before the storage is asked.
	Verbs []VerbWork
	// Object is for each object that is looked at: filtered and copied.
	Object time.Duration
	// Decode is for a megabyte (10^6 bytes) of objects out of etcd.
	Decode time.Duration
	// Encode is for a megabyte of objects that are answered, or written.
	Encode time.Duration
}

// MilliCores is Cores in thousandths, rounded to the nearest.
func (c *CPUConfig) MilliCores() int64 { return int64(float64(c.Cores*perCore) + 0.5) }

// VerbWork is the core time of a verb, in the words of RequestInfo: "list", "create".
type VerbWork struct {
	Verb string
	Work time.Duration
}

// Etcd describes the etcd members behind the API servers.
type Etcd struct {
	// Members is how many there are, 1 to 9.
	Members int
	// Choice is how an API server finds the member that it asks.
	Choice Choice
	// PinnedTo is the member that all API servers are pinned to; nil for server i to member
	// i modulo Members.
	PinnedTo *int
	// Leader is the member that leads. It stays: there are no elections.
	Leader int
	// Reads and Writes are what each member can do.
	Reads, Writes Operations
}

// Operations is what a member can do of one kind, as a benchmark tells it: a single client
// sees the latency, and Concurrency/Latency is the most that there can be in a second.
type Operations struct {
	// Concurrency is how many are served at a time; others wait, first come, first served.
	Concurrency int
	// Latency is how long one takes that is alone, of one key with next to no value.
	Latency time.Duration
	// Object comes on top for each object after the first, Megabyte for each 10^6 bytes.
	Object, Megabyte time.Duration
}

// MemoryConfig is about the memory of one API server.
type MemoryConfig struct {
	// Limit is how many bytes it may take before it is killed; 0 for no limit.
	Limit int64
	// Base is what it takes without answers in flight: the watch cache above all.
	Base int64
	// CacheFactor is how many bytes an answer from the watch cache holds for each byte of
	// its objects, StorageFactor the same for what is read from etcd.
	CacheFactor, StorageFactor float64
	// Startup is how long a server needs to serve again after it was killed; the pause of the
	// kubelet between restarts comes on top.
	Startup time.Duration
	// Streamed tells that an answer from the watch cache is encoded object by object, so
	// that it holds StreamedBytes at most.
	Streamed bool
}

// StreamedBytes is what a streamed answer from the watch cache holds at most: what the size
// based estimator takes it to be (pkg/util/flowcontrol/request/list_work_estimator.go).
const StreamedBytes = 1_000_000

// Objects tells what is not known of the stored objects otherwise.
type Objects struct {
	// Bytes is the size of an object of a resource of which no size is known.
	Bytes int64
	// Selected is the part of all objects that a selector selects, above 0 and at most 1. A
	// selector of one node's pods selects one part in as many as there are nodes, if that
	// is known.
	Selected float64
	// Namespaces tells how many of the objects of a resource are in one namespace. A LIST of
	// another namespace is taken to be of all objects, as the estimators do.
	Namespaces []NamespaceObjects
}

// NamespaceObjects is the number of objects of a resource in a namespace.
type NamespaceObjects struct {
	Group, Resource, Namespace string
	// Count is not negative.
	Count int64
}

// Part is a part of what is behind an API server.
type Part uint8

// The parts.
const (
	// OfEtcd is etcd: all its members, or one.
	OfEtcd Part = iota
	// OfCPU is the cores: of all API servers, or of one.
	OfCPU
)

// String returns the name that scenario files use.
func (p Part) String() string { return [...]string{"etcd", "cpu"}[p] }

// String returns the name that scenario files use.
func (c Choice) String() string { return [...]string{"pinned", "balanced"}[c] }

// Stall is a window of time in which a part is slower: [At, At+For).
type Stall struct {
	At, For time.Duration
	Of      Part
	// Only is the member, or API server, that it is about; nil for all of them.
	Only *int
	// Factor is how much slower everything there becomes, also what is going on already;
	// Stopped, which is 0, lets it stand still.
	Factor Factor
}
