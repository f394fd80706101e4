package scenarios

import (
	"fmt"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/workload"
)

// checkMemory warns of requests each of which alone is more than the memory of a server: it
// kills the server whatever its flow control does.
func (l *loader) checkMemory(cfg *sim.Config) {
	if cfg.Backend == nil || cfg.Backend.Memory.Limit == 0 || l.c.errors() {
		return
	}
	server, err := scheduler.New(cfg.Scheduler, 0)
	if err != nil {
		panic("scenarios: the scheduler refuses what passed validation: " + err.Error())
	}
	prices := backend.NewPrices(cfg.Backend, server)
	memory := &cfg.Backend.Memory
	for i := range cfg.Populations {
		for j := range cfg.Populations[i].Requests {
			t := &cfg.Populations[i].Requests[j]
			held := byteSize(heldBy(prices, server, t))
			if int64(held) <= memory.Limit-memory.Base {
				continue
			}
			path := index(index("clients", i)+".requests", j)
			l.c.warning(l.at(path), fault{code: CodeTooMuchMemory, field: path,
				message: fmt.Sprintf("%s: one such request takes %s of memory, and a server has %s with nothing to do, of %s: each of them kills its server",
					path, sizeText(int64(held)), sizeText(memory.Base), sizeText(memory.Limit)),
				hint: "a limit makes pages; backend.memory and objects say how much it takes"})
		}
	}
}

// heldBy returns how many bytes the answer to a request holds, for the first client.
func heldBy(prices *backend.Prices, server *scheduler.Server, t *workload.Template) int64 {
	target := scheduler.Target{
		Verb: t.Verb, APIGroup: t.APIGroup, Resource: t.Resource, Subresource: t.Subresource,
		Namespace: workload.Expand(t.Namespace, 0), Path: workload.Expand(t.Path, 0),
	}
	options := scheduler.RawListOptions(t.Options)
	known := server.ReadFacts(target, scheduler.RequestName(t.Verb, workload.Expand(t.Name, 0), options), scheduler.ParseListOptions(options))
	facts := prices.Facts(&target, &known)
	cost := prices.Of(&facts)
	return cost.Held
}

// sizeText writes a number of bytes for a person.
func sizeText(bytes int64) string {
	size, unit := float64(bytes), ""
	for _, u := range []string{"Ki", "Mi", "Gi", "Ti"} {
		if size < 1024 {
			break
		}
		size, unit = size/1024, u
	}
	return fmt.Sprintf("%.4g%s", size, unit)
}
