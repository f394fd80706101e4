package scenarios

// backendFieldTexts are the texts of what stands behind the servers.
var backendFieldTexts = map[string]fieldText{
	"backend":         {text: "What stands behind the servers. What is left out has a figure of middling size, which --expand shows."},
	"backend.cpu":     {"8 cores", "", "The cores of each API server, and what requests cost in core time."},
	"backend.etcd":    {"3 members, balanced", "", "The etcd members that all API servers share, and what they can do."},
	"backend.memory":  {"16Gi", "", "The memory of each API server, and what answers take of it."},
	"backend.stalls":  {"none", "", "Times in which something is slower, or stands still."},
	"backend.objects": {"2000 bytes each", "", "What is not known of the stored objects otherwise."},

	"cpu":          {text: "The cores of each API server, shared evenly by all that is going on, and what requests cost in core time."},
	"cpu.cores":    {"8", "0.001 or more", "How many cores each API server has."},
	"cpu.request":  {"300us", "at most 1h", "What every request costs: TLS, authentication, authorization, flow control, audit."},
	"cpu.rejected": {"50us", "at most 1h", "What a request costs that is rejected, all in all."},
	"cpu.verbs":    {"create 700us, update 500us, patch 900us, delete 300us", "verbs; 0 for nothing", "What requests of a verb cost beside that: admission and validation. Verbs that are not named keep their figure."},
	"cpu.object":   {"1us", "at most 1h", "What each object costs that is looked at."},
	"cpu.decode":   {"6ms", "at most 1h", "What a megabyte of objects costs that comes from etcd."},
	"cpu.encode":   {"6ms", "at most 1h", "What a megabyte of objects costs that is answered or written."},

	"etcd":          {text: "The etcd members that all API servers share. Reads are served by one member, writes by all."},
	"etcd.members":  {"3", "1 to 9", "How many members there are."},
	"etcd.choice":   {"balanced", "", "How an API server finds the member that it reads from: pinned to one, or each in turn."},
	"etcd.pinnedTo": {"server i to member i", "the number of a member, with choice: pinned", "The member that all API servers are pinned to."},
	"etcd.leader":   {"0", "the number of a member", "The member that leads."},
	"etcd.reads":    {"32 at a time, 700us", "", "What each member can do of reads."},
	"etcd.writes":   {"64 at a time, 1.6ms", "", "What each member can do of writes."},

	"storageWork":             {text: "What a member can do of one kind. At most concurrency / latency are served in a second."},
	"storageWork.concurrency": {"32 reads, 64 writes", "1 to 1000000", "How many are served at a time; others wait in order."},
	"storageWork.latency":     {"700us, 1.6ms", "at most 1h", "How long one takes that is alone, of one key."},
	"storageWork.object":      {"1us, 0", "at most 1h", "What each further object adds to that."},
	"storageWork.megabyte":    {"8ms", "at most 1h", "What each megabyte adds to that."},

	"memory":               {text: "The memory of each API server. One that needs more than its limit is killed, and starts again."},
	"memory.limit":         {"16Gi", "0 for no limit", "How much an API server may take before it is killed."},
	"memory.base":          {"2Gi", "less than limit", "What it takes without answers under way: the watch cache above all."},
	"memory.cacheFactor":   {"2", "0 to 1000", "How many bytes an answer from the watch cache takes for each byte of its objects."},
	"memory.storageFactor": {"5", "0 to 1000", "How many bytes an answer takes for each byte of objects that were read from etcd."},
	"memory.streamed":      {"true from 1.33 on", "", "Whether an answer from the watch cache is made object by object, so that it takes a megabyte at most."},
	"memory.startup":       {"10s", "", "How long a server needs that was killed, beside the pause that the kubelet makes."},

	"stall":        {text: "A time in which something is slower, or stands still."},
	"stall.at":     {required, "", "When it begins."},
	"stall.for":    {required, "above 0", "How long it lasts."},
	"stall.of":     {required, "", "What it is about."},
	"stall.member": {"all", "the number of a member, with of: etcd", "The etcd member that it is about."},
	"stall.server": {"all", "the number of a server, with of: cpu", "The API server that it is about."},
	"stall.factor": {"0", "1 to 1000000, in steps of 0.001; 0 stands still", "How much slower everything there becomes."},

	"backendObjects":            {text: "What is not known of the stored objects otherwise."},
	"backendObjects.bytes":      {"2000", "0 or more", "The size of an object of which the scenario's objects do not say it."},
	"backendObjects.selected":   {"0.1", "above 0, at most 1", "The part of the objects that a selector selects; the pods of one node are known from the number of nodes."},
	"backendObjects.namespaces": {"none", "", "How many of the objects of a resource are in one namespace."},

	"namespaceObjects":           {text: "The objects of a resource in a namespace."},
	"namespaceObjects.apiGroup":  {"the core group", "", "The API group of the resource."},
	"namespaceObjects.resource":  {required, "a resource in the plural", "The resource."},
	"namespaceObjects.namespace": {required, "", "The namespace."},
	"namespaceObjects.count":     {required, "0 or more", "How many objects there are in it."},
}
