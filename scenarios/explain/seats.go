package explain

import (
	"fmt"
	"math"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/estimate"
)

// Upstream's constants, in the words of the arithmetic (request/config.go and
// list_work_estimator.go of pkg/util/flowcontrol).
const (
	objectsPerSeat   = 100
	bytesPerSeat     = 100_000
	unknownBytes     = 1_500_000
	cachedBytesLimit = 1_000_000
	staleObjects     = 1_000_000_000
	watchersPerSeat  = 10
	writeSeatsLimit  = 10
)

// seats says what the server expects of the request, and by what arithmetic. The seats
// are those of the arrival; that the steps lead there is checked.
func (a *asking) seats() *Seats {
	w := &working{asking: a, rules: a.scheduler.Profile().Estimate}
	w.out = &Seats{Initial: a.arrival.Estimate.InitialSeats, Final: a.arrival.Estimate.FinalSeats, Steps: []Step{}}
	if d := a.arrival.Estimate.AdditionalLatency; d > 0 {
		w.out.AdditionalLatency = d.String()
	}
	if a.level.Exempt && a.scheduler.Profile().ExemptBypasses {
		w.out.Estimator = "none"
		w.step("why", "up to 1.27 a request to the exempt level is not counted")
		return w.out
	}
	initial, final := 1, 0
	switch w.rules.KindOf(a.request.Verb, a.request.Resource, a.request.Subresource) {
	case estimate.ByList:
		w.out.Estimator = "list"
		initial = w.list(a.request.options())
	case estimate.ByWatch:
		w.out.Estimator = "watch"
		initial = w.watch(a.request.options())
	case estimate.ByWrite:
		w.out.Estimator = "write"
		final = w.write()
	default:
		w.out.Estimator = "other"
		w.step("why", "1: %s is not estimated", w.what())
	}
	if initial != w.out.Initial || final != w.out.Final {
		panic(fmt.Sprintf("explain: the arithmetic %+v leads to %d and %d seats, the server says %d and %d for %+v",
			w.out.Steps, initial, final, w.out.Initial, w.out.Final, *a.request))
	}
	return w.out
}

// working is the arithmetic in the making.
type working struct {
	*asking
	rules estimate.Rules
	out   *Seats
}

func (w *working) step(name, format string, args ...any) {
	w.out.Steps = append(w.out.Steps, Step{name, fmt.Sprintf(format, args...)})
}

// what names the kind of a request that takes one seat.
func (w *working) what() string {
	if w.request.Path != "" {
		return "a request for a path"
	}
	return "a " + w.request.Verb
}

// list shows the estimate of a LIST and returns its seats.
func (w *working) list(o scheduler.RawListOptions) int {
	cached, reason := w.source(scheduler.ParseListOptions(o))
	w.from(cached, reason)
	return w.objects(o, cached)
}

// from notes where the objects are read.
func (w *working) from(cached bool, reason string) {
	w.out.Source, w.out.SourceReason = "storage", reason
	if cached {
		w.out.Source = "cache"
	}
}

// watch shows the estimate of the initialisation of a watch.
func (w *working) watch(o scheduler.RawListOptions) int {
	switch {
	case w.rules.Watches >= estimate.WatchesAsked && o.SendInitialEvents:
		w.from(true, "it asks for initial events, which are the objects that exist")
	case w.rules.Watches >= estimate.WatchesFromStart && o.ResourceVersion == "":
		w.from(true, "without a resourceVersion it begins with the objects that exist")
	case w.rules.Watches >= estimate.WatchesFromStart && o.ResourceVersion == "0":
		w.from(true, "from resourceVersion 0 it begins with the objects that exist")
	default:
		w.step("why", "1: it begins with what changes, and not with the objects that exist")
		return 1
	}
	return w.objects(o, true)
}

// stored returns what is known of the stored objects of the request's resource.
func (w *working) stored() (scheduler.ObjectCount, bool) {
	for _, o := range w.server.Objects {
		if o.Group == w.request.APIGroup && o.Resource == w.request.Resource && w.request.Path == "" {
			return o, true
		}
	}
	return scheduler.ObjectCount{}, false
}

// objects shows the estimate from the stored objects and returns the seats.
func (w *working) objects(o scheduler.RawListOptions, cached bool) int {
	limit := 10
	if w.rules.Lists == estimate.ListsBySize {
		limit = 100
	}
	stored, known := w.stored()
	named := w.request.Name != ""
	switch {
	case named && w.rules.NamedOneSeat:
		w.step("why", "1: it is for the single object %s", w.request.Name)
		return 1
	case !known && w.rules.UnknownWidest:
		w.unknown()
		w.step("in seats", "the most there can be, since the number of objects is not known")
		return w.capped(float64(limit), limit)
	case !known:
		w.unknown()
		w.step("why", "1, since the number of objects is not known")
		w.out.UpTo = w.cap(limit)
		if cached && w.rules.Lists == estimate.ListsBySize {
			w.out.UpTo = min(w.out.UpTo, cachedBytesLimit/bytesPerSeat)
			w.step("from cache", "at most %d, since no more than %s bytes are held at once", cachedBytesLimit/bytesPerSeat, grouped(cachedBytesLimit))
		}
		return 1
	}
	if w.rules.Lists == estimate.ListsBySize {
		return w.capped(w.bySize(o, stored, named, cached), limit)
	}
	if stored.Stale {
		w.step("in seats", "the most there can be, since the count is stale")
		return w.capped(float64(limit), limit)
	}
	return w.capped(w.byCount(o, stored.Count, cached), limit)
}

// unknown says what is missing.
func (w *working) unknown() {
	name := qualified(w.request.Resource, w.request.APIGroup)
	if name == "" {
		return // a path, of which nothing is stored
	}
	w.out.Missing = fmt.Sprintf("how many %s are stored, and how large they are: --objects %s=COUNTxBYTES", name, name)
}

// bySize shows the bytes in memory and returns them in seats.
func (w *working) bySize(o scheduler.RawListOptions, stored scheduler.ObjectCount, named, cached bool) float64 {
	size := stored.AverageBytes
	if stored.Stale {
		stored.Count, size = staleObjects, unknownBytes
		w.step("stale", "the count is stale: %s objects of %s bytes are assumed", grouped(stored.Count), grouped(size))
	} else if size <= 0 && stored.Count != 0 {
		size = unknownBytes
		w.step("size", "not known, so each object is taken for %s bytes", grouped(size))
	}
	objects := stored.Count
	switch {
	case named:
		objects = 1
		w.step("objects", "1: it is for the single object %s", w.request.Name)
	case o.Limit > 0:
		objects = min(o.Limit, stored.Count)
		w.step("objects", "min(limit %s, %s stored) = %s", grouped(o.Limit), grouped(stored.Count), grouped(objects))
	default:
		w.step("objects", "%s stored, in all namespaces", grouped(stored.Count))
	}
	if !named && !cached && (o.FieldSelector != "" || o.LabelSelector != "") {
		more := max(objects, stored.Count/2)
		w.step("read", "max(%s, %s div 2) = %s, since a selector is applied to what etcd returns",
			grouped(objects), grouped(stored.Count), grouped(more))
		objects = more
	}
	bytes := float64(objects) * float64(size)
	text := fmt.Sprintf("%s × %s = %s", grouped(objects), grouped(size), groupedFloat(bytes))
	if cached && bytes > cachedBytesLimit {
		bytes = cachedBytesLimit
		text += ", from the cache at most " + grouped(cachedBytesLimit)
	}
	w.step("bytes", "%s", text)
	w.step("in seats", "ceil(%s / %s) = %s", groupedFloat(bytes), grouped(bytesPerSeat), groupedFloat(math.Ceil(bytes/bytesPerSeat)))
	return bytes / bytesPerSeat
}

// byCount shows the number of objects looked at and returns it in seats.
func (w *working) byCount(o scheduler.RawListOptions, stored int64, cached bool) float64 {
	returned := stored
	text := grouped(stored) + " stored"
	if o.Limit > 0 {
		returned = min(o.Limit, stored)
		text = fmt.Sprintf("min(limit %s, %s stored) = %s", grouped(o.Limit), grouped(stored), grouped(returned))
	}
	objects := float64(stored)
	switch {
	case cached:
		w.step("objects", "%s stored, in all namespaces: the cache looks at each", grouped(stored))
	case o.FieldSelector != "" || o.LabelSelector != "":
		objects += float64(returned)
		w.step("returned", "%s", text)
		w.step("objects", "%s + %s = %s: with a selector all are read from etcd", grouped(stored), grouped(returned), groupedFloat(objects))
	default:
		objects = 2 * float64(returned)
		w.step("returned", "%s", text)
		w.step("objects", "2 × %s = %s: from etcd each counts twice", grouped(returned), groupedFloat(objects))
	}
	w.step("in seats", "ceil(%s / %d) = %s", groupedFloat(objects), objectsPerSeat, groupedFloat(math.Ceil(objects/objectsPerSeat)))
	return objects / objectsPerSeat
}

// capped shows the bound of the seats and returns what is left of them.
func (w *working) capped(seats float64, limit int) int {
	return int(min(max(1, math.Ceil(seats)), float64(w.cap(limit))))
}

// cap shows the most seats that a request can have, by the estimator's own limit and the
// level's, and returns it.
func (w *working) cap(limit int) int {
	l := w.level
	if l.MaxSeats <= 0 {
		w.step("at most", "%d: the level sets no cap of its own", limit)
		return limit
	}
	least := min(limit, l.MaxSeats)
	w.step("at most", "min(%d, level's cap %d) = %d", limit, l.MaxSeats, least)
	share := math.Ceil(float64(0.15 * float64(l.Nominal)))
	text := fmt.Sprintf("min(ceil(0.15 × %d nominal), %d div hand size %d) = min(%.0f, %d)",
		l.Nominal, l.Nominal, l.HandSize, share, l.Nominal/l.HandSize)
	if l.Nominal/l.HandSize < 1 || share < 1 {
		text += ", at least 1"
	}
	w.step("level's cap", "%s", text)
	return least
}

// write shows the estimate of a write and returns its final seats.
func (w *working) write() int {
	r := w.request
	watchers := 0
	for _, o := range w.server.Watches {
		if o.Group != r.APIGroup || o.Resource != r.Resource {
			continue
		}
		if o.Name == "" && (o.Namespace == "" || o.Namespace == r.Namespace) ||
			o.Name != "" && o.Name == r.Name && o.Namespace == r.Namespace {
			watchers += o.Count
		}
	}
	if len(w.server.Watches) == 0 && r.Path == "" {
		name := qualified(r.Resource, r.APIGroup)
		w.out.Missing = fmt.Sprintf("how many watches of %s are open, as their notification holds seats too: --watches %s=COUNT", name, name)
		return 0
	}
	if watchers < watchersPerSeat {
		w.step("watchers", "%d: notifying fewer than %d counts for nothing", watchers, watchersPerSeat)
		return 0
	}
	seats := (watchers + watchersPerSeat - 1) / watchersPerSeat
	w.step("watchers", "%s to notify", grouped(int64(watchers)))
	w.step("work", "ceil(%s / %d) = %d seats for 5ms", grouped(int64(watchers)), watchersPerSeat, seats)
	final := min(seats, w.cap(writeSeatsLimit))
	if final < seats {
		w.step("final", "the same work with %s takes %d × 5ms / %d = %s",
			count(final, "seat"), seats, final, w.arrival.Estimate.AdditionalLatency)
	}
	return final
}

// groupedFloat shows a whole number that may be too large for an integer.
func groupedFloat(f float64) string {
	if f < 1e15 {
		return grouped(int64(f))
	}
	return fmt.Sprintf("%.3g", f)
}
