package backend

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const ms = time.Millisecond

// etcd returns members with so many slots for each kind.
func etcd(members, slots int, choice Choice) *Etcd {
	o := Operations{Concurrency: slots}
	return &Etcd{Members: members, Choice: choice, Reads: o, Writes: o}
}

func TestMemberFor(t *testing.T) {
	pin := 1
	for _, c := range []struct {
		name     string
		choice   Choice
		pinnedTo *int
		servers  []int32
		want     []int32
	}{
		{"pinned", Pinned, nil, []int32{0, 1, 2, 3, 0}, []int32{0, 1, 2, 0, 0}},
		{"pinned to one", Pinned, &pin, []int32{0, 1, 2}, []int32{1, 1, 1}},
		{"balanced", Balanced, nil, []int32{0, 0, 0, 0, 1, 1}, []int32{0, 1, 2, 0, 1, 2}},
		{"a server that comes later", Balanced, nil, []int32{5, 5}, []int32{2, 0}},
	} {
		e := etcd(3, 1, c.choice)
		e.PinnedTo = c.pinnedTo
		s := NewStorage(e, 2)
		var got []int32
		for job, server := range c.servers {
			got = append(got, s.Read(0, server, int32(job), ms))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: members %v, want %v", c.name, got, c.want)
		}
	}
}

func TestReads(t *testing.T) {
	s := NewStorage(etcd(1, 2, Pinned), 1)
	for job, work := range []time.Duration{10 * ms, 4 * ms, 3 * ms, ms, 8 * ms} {
		s.Read(0, 0, int32(job), work)
	}
	if !s.Remove(2*ms, 4) || s.Remove(2*ms, 4) {
		t.Error("a read that waits leaves once")
	}
	if r := s.Reads(2*ms, 0); r.Serving != 2 || r.Waiting != 2 || r.WaitingPeak != 3 || r.Busy != 4*ms {
		t.Errorf("at 2 ms the reads are %+v", r)
	}
	// 1 ends at 4 and lets 2 in, 2 at 7 lets 3 in.
	want := []end{{1, 4 * ms}, {2, 7 * ms}, {3, 8 * ms}, {0, 10 * ms}}
	if got := drain(s); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if r := s.Reads(10*ms, 0); r.Served != 4 || r.Busy != 18*ms {
		t.Errorf("in the end the reads are %+v", r)
	}
}

func TestReadInServiceLeaves(t *testing.T) {
	s := NewStorage(etcd(1, 1, Pinned), 1)
	s.Read(0, 0, 0, 10*ms)
	s.Read(0, 0, 1, 2*ms)
	s.Remove(3*ms, 0)
	if got, want := drain(s), []end{{1, 5 * ms}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestWrites holds who has to have a write before it is answered: the leader, the member
// that is asked, and a majority.
func TestWrites(t *testing.T) {
	for _, c := range []struct {
		name    string
		members int
		leader  int
		asked   int
		slow    []int // the members that are ten times slower
		want    time.Duration
	}{
		{"alone", 1, 0, 0, nil, ms},
		{"three", 3, 0, 0, nil, ms},
		{"one of three is slow", 3, 0, 0, []int{2}, ms},
		{"it is the leader", 3, 2, 0, []int{2}, 10 * ms},
		{"it is asked", 3, 0, 2, []int{2}, 10 * ms},
		{"two of three are slow", 3, 0, 0, []int{1, 2}, 10 * ms},
		{"two of five are slow", 5, 0, 0, []int{1, 2}, ms},
	} {
		e := etcd(c.members, 1, Pinned)
		e.Leader, e.PinnedTo = c.leader, &c.asked
		s := NewStorage(e, 1)
		for _, m := range c.slow {
			s.Slow(0, m, 10_000)
		}
		s.Write(0, 0, 7, ms)
		if got, want := drain(s), []end{{7, c.want}}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

// TestWriteGoesOn holds that a write costs all members, whether or not anybody waits for it.
func TestWriteGoesOn(t *testing.T) {
	s := NewStorage(etcd(3, 1, Pinned), 3)
	s.Slow(0, 2, 10_000)
	s.Write(0, 0, 0, ms)
	s.Write(0, 1, 1, ms)
	if !s.Remove(0, 1) {
		t.Error("the write of 1 is not there")
	}
	if at, _ := s.Next(); at != ms {
		t.Fatalf("next is %v", at)
	}
	if got := s.Take(ms); !slices.Equal(got, []int32{0}) {
		t.Fatalf("at 1 ms %v are answered", got)
	}
	s.Write(ms, 0, 0, ms) // the number is used again while member 2 is at the old write
	// Member 0 does the write of 1 until 2 ms, then the new one.
	if got, want := drain(s), []end{{0, 3 * ms}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for m, want := range []time.Duration{3 * ms, 3 * ms, 30 * ms} {
		if w := s.Writes(30*ms, m); w.Served != 3 || w.Busy != want {
			t.Errorf("member %d has served %d writes in %v, want 3 in %v", m, w.Served, w.Busy, want)
		}
	}
}

func TestStallOfMember(t *testing.T) {
	s := NewStorage(etcd(2, 1, Pinned), 2)
	for server := range int32(2) {
		s.Read(0, server, 2*server, 10*ms)
		s.Read(0, server, 2*server+1, 10*ms)
	}
	s.Slow(5*ms, 1, Stopped)
	s.Take(10 * ms)
	s.Slow(12*ms, 1, 2000)
	// Server 1 has 5 ms of its first read left, and 10 of its second, at half the speed.
	if got, want := drain(s), []end{{1, 20 * ms}, {2, 22 * ms}, {3, 42 * ms}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestStorageAgainstNaive compares reads of random members with a list that is gone through
// from the beginning at every nanosecond.
func TestStorageAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members, slots := rapid.IntRange(1, 3).Draw(t, "members"), rapid.IntRange(1, 3).Draw(t, "slots")
		s := NewStorage(etcd(members, slots, Balanced), 2)
		type read struct {
			job    int32
			member int32
			left   time.Duration
		}
		var all []read // in order of arrival
		for now, jobs := time.Duration(0), int32(0); now < 60; now++ {
			var want []int32
			for m := range int32(members) {
				var over []int32
				all = slices.DeleteFunc(all, func(r read) bool {
					gone := r.member == m && r.left == 0
					if gone {
						over = append(over, r.job)
					}
					return gone
				})
				want = append(want, over...)
			}
			if at, ok := s.Next(); (ok && at == now) != (len(want) > 0) {
				t.Fatalf("at %d: next is %d, %v; %v are due", now, at, ok, want)
			}
			got := slices.Clone(s.Take(now))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("at %d: %v done, want %v", now, got, want)
			}
			for range rapid.IntRange(0, 2).Draw(t, "arrivals") {
				work := time.Duration(rapid.IntRange(1, 9).Draw(t, "work"))
				all = append(all, read{jobs, s.Read(now, rapid.Int32Range(0, 1).Draw(t, "server"), jobs, work), work})
				jobs++
			}
			if len(all) > 0 && rapid.IntRange(0, 3).Draw(t, "leaves") == 0 {
				i := rapid.IntRange(0, len(all)-1).Draw(t, "who")
				if !s.Remove(now, all[i].job) {
					t.Fatalf("at %d: job %d is not there", now, all[i].job)
				}
				all = slices.Delete(all, i, i+1)
			}
			serving := map[int32]int{}
			for i := range all {
				if r := &all[i]; serving[r.member] < slots {
					serving[r.member]++
					r.left--
				}
			}
		}
	})
}

func TestStorageDoesNotAllocate(t *testing.T) {
	s := NewStorage(etcd(3, 4, Balanced), 2)
	for job := range int32(100) {
		s.Read(0, 0, 2*job, ms)
		s.Write(0, 1, 2*job+1, ms)
	}
	allocs := testing.AllocsPerRun(5000, func() {
		at, _ := s.Next()
		for _, job := range s.Take(at) {
			if job%2 == 0 {
				s.Read(at, 0, job, ms)
			} else {
				s.Write(at, 1, job, ms)
			}
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations an event", allocs)
	}
}
