package queueset_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/apfsim/apfsim/conformance/queueset"
)

// sizes are the numbers of queues that the speed is measured at.
var sizes = []int{16, 128, 1024}

// settled is how many requests pass before a measurement, so that nothing grows any
// more.
const settled = 100_000

// settle brings a queue set into its steady state.
func settle(l *queueset.Load, bed queueset.Bed) *queueset.Drive {
	d := queueset.NewDrive(l, bed)
	d.Run(settled)
	return d
}

// BenchmarkQueueSet measures the product's queue set, the real one, and the driver
// that both are measured with and whose cost is in both. One operation is a request
// with all that happens to it: arrival, dispatch, finish or expiry.
func BenchmarkQueueSet(b *testing.B) {
	queueset.Quiet()
	for _, queues := range sizes {
		load := queueset.NewLoad(queues, 1)
		for _, bed := range []struct {
			name string
			make func(*queueset.Load) queueset.Bed
		}{{"product", queueset.NewProductBed}, {"upstream", queueset.NewRealBed}, {"driver", queueset.NewPlainBed}} {
			b.Run(fmt.Sprintf("queues=%d/%s", queues, bed.name), func(b *testing.B) {
				d := settle(load, bed.make(load))
				b.ReportAllocs()
				b.ResetTimer()
				d.Run(b.N)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/request")
			})
		}
	}
}

// BenchmarkRatio measures both in turn, a slice of requests each, and reports how many
// times faster the product is: with the cost of the driver in both ("x"), and without
// it ("x-net").
func BenchmarkRatio(b *testing.B) {
	queueset.Quiet()
	const slice = 2000
	for _, queues := range sizes {
		b.Run(fmt.Sprintf("queues=%d", queues), func(b *testing.B) {
			load := queueset.NewLoad(queues, 1)
			product := settle(load, queueset.NewProductBed(load))
			upstream := settle(load, queueset.NewRealBed(load))
			driver := settle(load, queueset.NewPlainBed(load))
			var spent [3]time.Duration
			b.ResetTimer()
			for left := b.N; left > 0; left -= slice {
				for i, d := range []*queueset.Drive{product, upstream, driver} {
					start := time.Now()
					d.Run(min(slice, left))
					spent[i] += time.Since(start)
				}
			}
			b.ReportMetric(float64(spent[0].Nanoseconds())/float64(b.N), "product-ns")
			b.ReportMetric(float64(spent[1].Nanoseconds())/float64(b.N), "upstream-ns")
			b.ReportMetric(float64(spent[2].Nanoseconds())/float64(b.N), "driver-ns")
			b.ReportMetric(float64(spent[1])/float64(spent[0]), "x")
			b.ReportMetric(float64(spent[1]-spent[2])/float64(spent[0]-spent[2]), "x-net")
			b.ReportMetric(0, "ns/op") // it would be the sum of the three
		})
	}
}

// TestLoadDecisions makes sure that what is measured is the same work: both queue sets
// dispatch the same requests of the load at the same times.
func TestLoadDecisions(t *testing.T) {
	queueset.Quiet()
	for _, queues := range sizes {
		load := queueset.NewLoad(queues, 2)
		product := queueset.NewDrive(load, queueset.NewProductBed(load))
		upstream := queueset.NewDrive(load, queueset.NewRealBed(load))
		const requests = 20_000
		product.Run(requests)
		upstream.Run(requests)
		got := [4]uint64{uint64(product.Dispatched), uint64(product.Rejected), uint64(product.Expired), product.Trace}
		want := [4]uint64{uint64(upstream.Dispatched), uint64(upstream.Rejected), uint64(upstream.Expired), upstream.Trace}
		if got != want || got[0] < requests*9/10 {
			t.Errorf("%d queues: dispatched, rejected, expired, trace %v, upstream %v", queues, got, want)
		}
	}
}

// TestNoAllocation holds that a request costs the product no allocation in the steady
// state.
func TestNoAllocation(t *testing.T) {
	for _, queues := range sizes {
		load := queueset.NewLoad(queues, 3)
		d := settle(load, queueset.NewProductBed(load))
		if n := testing.AllocsPerRun(20, func() { d.Run(5000) }); n != 0 {
			t.Errorf("%d queues: %v allocations in 5,000 requests", queues, n)
		}
	}
}
