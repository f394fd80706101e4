package scenarios

import (
	"time"

	"github.com/apfsim/apfsim/sim/backend"
)

// The part of the format that is about what stands behind the API servers. What is left out
// has the figure of backend.Default.

type backendSpec struct {
	CPU     *cpuSpec            `json:"cpu,omitempty"`
	Etcd    *etcdSpec           `json:"etcd,omitempty"`
	Memory  *memorySpec         `json:"memory,omitempty"`
	Stalls  []stallSpec         `json:"stalls,omitempty"`
	Objects *backendObjectsSpec `json:"objects,omitempty"`
}

type cpuSpec struct {
	Cores    *float64            `json:"cores,omitempty"`
	Request  *duration           `json:"request,omitempty"`
	Rejected *duration           `json:"rejected,omitempty"`
	Verbs    map[string]duration `json:"verbs,omitempty"`
	Object   *duration           `json:"object,omitempty"`
	Decode   *duration           `json:"decode,omitempty"`
	Encode   *duration           `json:"encode,omitempty"`
}

type etcdSpec struct {
	Members  *int             `json:"members,omitempty"`
	Choice   etcdChoice       `json:"choice,omitempty"`
	PinnedTo *int             `json:"pinnedTo,omitempty"`
	Leader   *int             `json:"leader,omitempty"`
	Reads    *storageWorkSpec `json:"reads,omitempty"`
	Writes   *storageWorkSpec `json:"writes,omitempty"`
}

// storageWorkSpec is what an etcd member can do of one kind.
type storageWorkSpec struct {
	Concurrency *int      `json:"concurrency,omitempty"`
	Latency     *duration `json:"latency,omitempty"`
	Object      *duration `json:"object,omitempty"`
	Megabyte    *duration `json:"megabyte,omitempty"`
}

type memorySpec struct {
	Limit         *byteSize `json:"limit,omitempty"`
	Base          *byteSize `json:"base,omitempty"`
	CacheFactor   *float64  `json:"cacheFactor,omitempty"`
	StorageFactor *float64  `json:"storageFactor,omitempty"`
	Streamed      *bool     `json:"streamed,omitempty"`
	Startup       *duration `json:"startup,omitempty"`
}

type stallSpec struct {
	At     *duration   `json:"at"`
	For    *duration   `json:"for"`
	Of     stalledPart `json:"of"`
	Member *int        `json:"member,omitempty"`
	Server *int        `json:"server,omitempty"`
	Factor *float64    `json:"factor,omitempty"`
}

type backendObjectsSpec struct {
	Bytes      *byteSize              `json:"bytes,omitempty"`
	Selected   *float64               `json:"selected,omitempty"`
	Namespaces []namespaceObjectsSpec `json:"namespaces,omitempty"`
}

type namespaceObjectsSpec struct {
	APIGroup  string `json:"apiGroup,omitempty"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace"`
	Count     *int64 `json:"count"`
}

// newBackendSpec writes a backend with all its figures.
func newBackendSpec(c *backend.Config) *backendSpec {
	if c == nil {
		return nil
	}
	s := &backendSpec{
		CPU: &cpuSpec{
			Cores: &c.CPU.Cores, Request: durationRef(c.CPU.Request), Rejected: durationRef(c.CPU.Rejected), Verbs: map[string]duration{},
			Object: durationRef(c.CPU.Object), Decode: durationRef(c.CPU.Decode), Encode: durationRef(c.CPU.Encode),
		},
		Etcd: &etcdSpec{
			Members: &c.Etcd.Members, Choice: etcdChoice(c.Etcd.Choice.String()), PinnedTo: c.Etcd.PinnedTo, Leader: &c.Etcd.Leader,
			Reads: newStorageWorkSpec(&c.Etcd.Reads), Writes: newStorageWorkSpec(&c.Etcd.Writes),
		},
		Memory: &memorySpec{
			Limit: (*byteSize)(&c.Memory.Limit), Base: (*byteSize)(&c.Memory.Base), CacheFactor: &c.Memory.CacheFactor,
			StorageFactor: &c.Memory.StorageFactor, Streamed: &c.Memory.Streamed, Startup: durationRef(c.Memory.Startup),
		},
		Objects: &backendObjectsSpec{Bytes: (*byteSize)(&c.Objects.Bytes), Selected: &c.Objects.Selected},
	}
	for _, v := range c.CPU.Verbs {
		s.CPU.Verbs[v.Verb] = duration(v.Work)
	}
	for i := range c.Stalls {
		s.Stalls = append(s.Stalls, newStallSpec(&c.Stalls[i]))
	}
	for i := range c.Objects.Namespaces {
		n := &c.Objects.Namespaces[i]
		s.Objects.Namespaces = append(s.Objects.Namespaces, namespaceObjectsSpec{APIGroup: n.Group, Resource: n.Resource, Namespace: n.Namespace, Count: &n.Count})
	}
	return s
}

func durationRef(d time.Duration) *duration { return ref(duration(d)) }

func newStorageWorkSpec(o *backend.Operations) *storageWorkSpec {
	return &storageWorkSpec{Concurrency: &o.Concurrency, Latency: durationRef(o.Latency), Object: durationRef(o.Object), Megabyte: durationRef(o.Megabyte)}
}

func newStallSpec(c *backend.Stall) stallSpec {
	s := stallSpec{At: durationRef(c.At), For: durationRef(c.For), Of: stalledPart(c.Of.String()), Factor: ref(float64(c.Factor) / float64(backend.Unchanged))}
	if c.Of == backend.OfCPU {
		s.Server = c.Only
	} else {
		s.Member = c.Only
	}
	return s
}
