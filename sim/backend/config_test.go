package backend

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload"
)

func TestDefaultIsValid(t *testing.T) {
	for minor, streamed := range map[int]bool{20: false, 32: false, 33: true, 37: true} {
		c := Default(release.Version{Minor: minor})
		if errs := c.Validate(1); errs != nil {
			t.Error(errs)
		}
		if c.Memory.Streamed != streamed {
			t.Errorf("1.%d: streamed is %v", minor, c.Memory.Streamed)
		}
	}
}

func TestValidate(t *testing.T) {
	number := func(n int) *int { return &n }
	for _, c := range []struct {
		name string
		edit func(*Config)
		want []string // the fields at fault
	}{
		{"no cores", func(c *Config) { c.CPU.Cores = 0 }, []string{"cpu.cores"}},
		{"costs", func(c *Config) {
			c.CPU.Request, c.CPU.Rejected, c.CPU.Object, c.CPU.Decode, c.CPU.Encode = -1, -1, 2*time.Hour, -1, -1
		}, []string{"cpu.request", "cpu.rejected", "cpu.object", "cpu.decode", "cpu.encode"}},
		{"verbs", func(c *Config) { c.CPU.Verbs = []VerbWork{{"list", 1}, {"LIST", 1}, {"list", -1}} },
			[]string{"cpu.verbs.LIST", "cpu.verbs.list", "cpu.verbs.list"}},
		{"members", func(c *Config) { c.Etcd.Members = 0 }, []string{"etcd.members"}},
		{"leader", func(c *Config) { c.Etcd.Leader = 3 }, []string{"etcd.leader"}},
		{"choice", func(c *Config) { c.Etcd.Choice = 7 }, []string{"etcd.choice"}},
		{"pinned and balanced", func(c *Config) { c.Etcd.PinnedTo = number(0) }, []string{"etcd.pinnedTo"}},
		{"pinned to nobody", func(c *Config) { c.Etcd.Choice, c.Etcd.PinnedTo = Pinned, number(3) }, []string{"etcd.pinnedTo"}},
		{"operations", func(c *Config) { c.Etcd.Reads.Concurrency, c.Etcd.Writes.Latency = 0, -1 },
			[]string{"etcd.reads.concurrency", "etcd.writes.latency"}},
		{"memory", func(c *Config) { c.Memory.Limit, c.Memory.StorageFactor = 1<<30, -1 }, []string{"memory.storageFactor", "memory.base"}},
		{"no limit", func(c *Config) { c.Memory.Limit = 0 }, nil},
		{"objects", func(c *Config) { c.Objects.Bytes, c.Objects.Selected = -1, 0 }, []string{"objects.bytes", "objects.selected"}},
		{"namespaces", func(c *Config) {
			c.Objects.Namespaces = []NamespaceObjects{{"", "pods", "a", 1}, {"", "pods", "a", 2}, {"", "pods", "", -1}}
		}, []string{"objects.namespaces[1]", "objects.namespaces[2].count", "objects.namespaces[2]"}},
		{"stalls", func(c *Config) {
			c.Stalls = []Stall{{At: -1, For: 0, Factor: 999}, {For: 1, Of: 9}, {For: 1, Only: number(3)}, {For: 1, Of: OfCPU, Only: number(2)}}
		}, []string{"stalls[0].at", "stalls[0].for", "stalls[0].factor", "stalls[1].of", "stalls[2].member", "stalls[3].server"}},
		{"good stalls", func(c *Config) {
			c.Stalls = []Stall{{For: 1}, {At: 3, For: 1, Factor: 1000, Only: number(2)}, {For: 1, Of: OfCPU, Only: number(1), Factor: SlowestFactor}}
		}, nil},
	} {
		config := Default(release.Last)
		c.edit(&config)
		var got []string
		for _, err := range config.Validate(2) {
			var fault *workload.FieldError
			if !errors.As(err, &fault) {
				t.Fatalf("%s: %v is no FieldError", c.name, err)
			}
			got = append(got, fault.Field)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: faults in %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFactorAt(t *testing.T) {
	one := 1
	stalls := []Stall{
		{At: 10, For: 20, Factor: 2000},
		{At: 15, For: 5, Factor: 60_000, Only: &one},
		{At: 18, For: 4, Factor: Stopped, Only: &one},
		{At: 16, For: 1, Factor: 5000, Of: OfCPU},
	}
	if got, want := StallTimes(stalls), []time.Duration{10, 15, 16, 17, 18, 20, 22, 30}; !slices.Equal(got, want) {
		t.Errorf("times %v, want %v", got, want)
	}
	for _, c := range []struct {
		now    time.Duration
		part   Part
		number int
		want   Factor
	}{
		{9, OfEtcd, 1, Unchanged}, {10, OfEtcd, 1, 2000}, {15, OfEtcd, 0, 2000}, {15, OfEtcd, 1, 60_000},
		{18, OfEtcd, 1, Stopped}, {21, OfEtcd, 1, Stopped}, {22, OfEtcd, 1, 2000}, {30, OfEtcd, 1, Unchanged},
		{16, OfCPU, 3, 5000}, {17, OfCPU, 3, Unchanged},
	} {
		if got := FactorAt(stalls, c.now, c.part, c.number); got != c.want {
			t.Errorf("at %d %v %d is slower by %v, want %v", c.now, c.part, c.number, got, c.want)
		}
	}
}

func TestMemory(t *testing.T) {
	m := NewMemory(&MemoryConfig{Base: 100, Limit: 150})
	if !m.Hold(20) || !m.Hold(30) || m.InUse() != 150 {
		t.Errorf("%d of 150 are in use, and it is too much", m.InUse())
	}
	m.Free(30)
	if bytes, answers := m.InFlight(); bytes != 20 || answers != 1 {
		t.Errorf("%d bytes in %d answers are held, want 20 in 1", bytes, answers)
	}
	if m.Hold(31) || m.Peak() != 151 {
		t.Errorf("151 of 150 are not too much; the peak is %d", m.Peak())
	}
	m.Kill()
	if m.InUse() != 100 || m.Kills() != 1 || m.Peak() != 151 {
		t.Errorf("after a kill %d are in use, %d kills, a peak of %d", m.InUse(), m.Kills(), m.Peak())
	}
	unlimited := NewMemory(&MemoryConfig{})
	for range 3 {
		if !unlimited.Hold(1 << 62) {
			t.Error("there is no limit, and it was exceeded")
		}
	}
	if unlimited.InUse() != 1<<63-1 {
		t.Errorf("without a limit %d are in use", unlimited.InUse())
	}
}
