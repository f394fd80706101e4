package queueset_test

import (
	"fmt"
	"slices"
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

// BenchmarkRatio measures the three in turn, a slice of requests each, and reports how
// many times faster the product's queue set is than the real one ("x"), and how many times
// if the cost of the driver is left in both ("x-with-driver"). All are medians over the
// slices, so that what else the machine does meanwhile matters little.
func BenchmarkRatio(b *testing.B) {
	queueset.Quiet()
	const slice = 10_000
	for _, queues := range sizes {
		b.Run(fmt.Sprintf("queues=%d", queues), func(b *testing.B) {
			load := queueset.NewLoad(queues, 1)
			drives := []*queueset.Drive{
				settle(load, queueset.NewProductBed(load)),
				settle(load, queueset.NewRealBed(load)),
				settle(load, queueset.NewPlainBed(load)),
			}
			var spent [3][]float64
			b.ResetTimer()
			for left := b.N; left > 0; left -= slice {
				for i, d := range drives {
					start := time.Now()
					d.Run(slice)
					spent[i] = append(spent[i], float64(time.Since(start).Nanoseconds())/slice)
				}
			}
			product, upstream, driver := median(spent[0]), median(spent[1]), median(spent[2])
			b.ReportMetric(product, "product-ns")
			b.ReportMetric(upstream, "upstream-ns")
			b.ReportMetric(driver, "driver-ns")
			b.ReportMetric((upstream-driver)/(product-driver), "x")
			b.ReportMetric(upstream/product, "x-with-driver")
			b.ReportMetric(0, "ns/op") // it would be the sum of the three
		})
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
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
