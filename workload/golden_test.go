package workload

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"testing"
	"time"
)

// TestSamplesAreTheSameEverywhere holds hashes of long sequences, which must be the same on
// every platform and for ever: a recorded fingerprint of a run rests on them. A changed
// hash means that every result of every scenario changes; say why in the commit.
func TestSamplesAreTheSameEverywhere(t *testing.T) {
	const n = 100000
	for _, c := range []struct {
		name string
		next func(s *Stream) uint64
		want string
	}{
		{"uint64", func(s *Stream) uint64 { return s.Uint64() }, "a2f9b2448d42a74a"},
		{"float64", func(s *Stream) uint64 { return math.Float64bits(s.Float64()) }, "a3f94d8ee5f1960f"},
		{"exp", func(s *Stream) uint64 { return math.Float64bits(s.Exp()) }, "9c83079ab4c094a1"},
		{"norm", func(s *Stream) uint64 { return math.Float64bits(s.Norm()) }, "e78670e8ed06154d"},
		{"exponential", sampler(must(Exponential(20 * ms))), "3170e582e0326984"},
		{"lognormal", sampler(must(Lognormal(40*ms, 400*ms))), "cd4300192c34b741"},
		{"gamma", sampler(must(Gamma(30*ms, 0.7))), "c9fc207f25c506f5"},
		{"gamma below 1", sampler(must(Gamma(time.Hour, 3))), "0a7a6b9bcf91b3a3"},
		{"weibull", sampler(must(Weibull(time.Hour, 0.6))), "98cc9dc701ec1e1d"},
		{"pareto", sampler(must(Pareto(ms, time.Hour, 1.1))), "e8a67cd5154ddbff"},
		{"quantiles", sampler(must(Quantiles([]Quantile{{0, ms}, {0.7, 13 * ms}, {1, time.Hour}}))), "cf1ff3af58080397"},
		{"poisson", walker(Poisson(77)), "f5149de090713b06"},
		{"periodic", walker(Periodic(17*ms, 5*ms)), "a4543e8cda1e9a61"},
		{"burst", walker(Burst(time.Second, n, time.Hour)), "5388aab12cd4b17b"},
		{"stages", walker(Stages([]Stage{{time.Minute, 1000}, {time.Hour, 3}, {0, 2000}, {time.Minute, 0}})), "8ca1e79c3367cdd0"},
	} {
		s := NewStream(0x0123456789abcdef, 0xfedcba9876543210)
		hash := fnv.New64a()
		var word [8]byte
		for range n {
			binary.LittleEndian.PutUint64(word[:], c.next(&s))
			hash.Write(word[:])
		}
		if got := fmt.Sprintf("%016x", hash.Sum64()); got != c.want {
			t.Errorf("%s: the hash is %s, want %s", c.name, got, c.want)
		}
	}
}

func sampler(d Distribution) func(*Stream) uint64 {
	return func(s *Stream) uint64 { return uint64(d.Sample(s)) }
}

func walker(a Arrivals) func(*Stream) uint64 {
	var st ArrivalState
	return func(s *Stream) uint64 {
		at, _ := a.Next(&st, s)
		return uint64(at)
	}
}

// TestMeansAreTheSameEverywhere does the same for what constructors compute.
func TestMeansAreTheSameEverywhere(t *testing.T) {
	hash := fnv.New64a()
	for i := range 2000 {
		x := 0.1 + float64(float64(i)*0.031) // not fused, here either
		for _, d := range []Distribution{
			must(Lognormal(time.Second, time.Second+time.Duration(i)*ms)), must(Gamma(time.Hour, x)),
			must(Weibull(time.Hour, x)), must(Pareto(ms, time.Hour, x)),
		} {
			fmt.Fprintln(hash, d.Mean(), math.Float64bits(d.a), math.Float64bits(d.b), math.Float64bits(d.c))
		}
	}
	if got, want := fmt.Sprintf("%016x", hash.Sum64()), "968d80d761989d44"; got != want {
		t.Errorf("the hash is %s, want %s", got, want)
	}
}
