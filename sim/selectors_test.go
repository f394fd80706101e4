package sim

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// selectorFeed is a feed that has met two sets of options, and lists and watches.
func selectorFeed() *traceFeed {
	f := &traceFeed{targets: []tracedTarget{{verb: "list"}, {verb: "watch"}}}
	for _, raw := range []scheduler.RawListOptions{{}, {Limit: 5, ResourceVersion: "0"}} {
		f.options = append(f.options, tracedOptions{parsed: scheduler.ParseListOptions(raw), raw: new(workload.RawOptions(raw))})
	}
	return f
}

// TestListOptionsOfALine holds that a feed reads the options of each line with its own
// selectors, whatever it remembers of the lines before.
func TestListOptionsOfALine(t *testing.T) {
	terms := rapid.SampledFrom([]string{"metadata.name=x", "spec.nodeName=n", "a", "a=b", "in (", "\x00", ","})
	selector := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(terms, 0, 3).Draw(t, "terms"), ",")
	})
	rapid.Check(t, func(t *rapid.T) {
		f := selectorFeed()
		for range rapid.IntRange(1, 60).Draw(t, "lines") {
			rec := workload.Record{
				Target:        rapid.Int32Range(0, 1).Draw(t, "target"),
				Options:       rapid.Int32Range(0, 1).Draw(t, "options"),
				FieldSelector: []byte(selector.Draw(t, "fields")),
				LabelSelector: []byte(selector.Draw(t, "labels")),
			}
			raw := rawOptions(*f.options[rec.Options].raw)
			raw.FieldSelector, raw.LabelSelector = string(rec.FieldSelector), string(rec.LabelSelector)
			want := selected{options: scheduler.ParseListOptions(raw), name: scheduler.RequestName(f.targets[rec.Target].verb, "", raw)}
			got := f.listOptions(&rec)
			if texts := rawOptions(*got.raw); texts != raw {
				t.Fatalf("got %+v, want %+v", texts, raw)
			}
			got.raw = nil
			// The reader uses the memory of the texts again.
			copy(rec.FieldSelector, bytes.Repeat([]byte("z"), len(rec.FieldSelector)))
			copy(rec.LabelSelector, bytes.Repeat([]byte("z"), len(rec.LabelSelector)))
			if got != want {
				t.Fatalf("%+v: got %+v, want %+v", raw, got, want)
			}
		}
	})
}

// TestKnownSelectorsDoNotAllocate holds for those of a cluster of 5,000 nodes.
func TestKnownSelectorsDoNotAllocate(t *testing.T) {
	f := selectorFeed()
	var lines []workload.Record
	for i := range int32(5000) {
		lines = append(lines,
			workload.Record{Options: i % 2, FieldSelector: fmt.Appendf(nil, "spec.nodeName=ip-10-0-%d-%d.eu-central-1.compute.internal", i/250, i%250)},
			workload.Record{Target: 1, FieldSelector: fmt.Appendf(nil, "metadata.name=object-%d", i), LabelSelector: []byte("app in (x,y)")},
			workload.Record{Options: i % 2})
	}
	round := func() {
		for i := range lines {
			f.listOptions(&lines[i])
		}
	}
	if n := testing.AllocsPerRun(3, round); n != 0 {
		t.Errorf("%v allocations for %d lines whose selectors are known", n, len(lines))
	}
}

// TestSelectorCacheIsBounded reads many times more selectors than a cache holds.
func TestSelectorCacheIsBounded(t *testing.T) {
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for name, padding := range map[string]int{"short": 0, "usual": 30, "long": 100_000} {
		f := selectorFeed()
		text := slices.Repeat([]byte{'x'}, padding)
		lines := 5 * selectorBytes / (selectorCost + padding)
		before := live()
		for i := range lines {
			rec := workload.Record{LabelSelector: fmt.Appendf(text[:padding:padding], "%d", i)}
			f.listOptions(&rec)
		}
		grown := int64(live() - before)
		held := 0
		for key := range f.selectors.known {
			held += len(key.fields) + len(key.labels) + selectorCost
		}
		if held != f.selectors.bytes || held > selectorBytes+padding+2*selectorCost || grown > 2*selectorBytes {
			t.Errorf("%s: after %d selectors the cache counts %d bytes and holds %d, the heap has grown by %d", name, lines, f.selectors.bytes, held, grown)
		}
	}
}
