package scenarios

// behaviourFieldTexts are the texts of clients that are state machines.
var behaviourFieldTexts = map[string]fieldText{
	"informer":      {text: "A process with informers, as client-go has them."},
	"informer.at":   {"0", "", "When the first processes begin."},
	"informer.over": {"0", "", "How long it takes until all have begun, at random."},

	"heartbeat":                {text: "A node: its kubelet's heartbeats, and what becomes of it without them."},
	"heartbeat.leaseInterval":  {"10s", "1s or more", "The pause from one renewal of the lease to the next, to which up to 4 % are added."},
	"heartbeat.statusInterval": {"5m", "1s or more", "After how long a status is sent that has not changed."},
	"heartbeat.updateInterval": {"10s", "1s or more", "How often the kubelet looks whether it is time, to which up to 4 % are added."},
	"heartbeat.gracePeriod":    {"50s, and 40s before 1.32", "longer than leaseInterval", "How long heartbeats may be missing before the node is not ready."},
	"heartbeat.monitorPeriod":  {"5s", "1s or more", "How often the node lifecycle controller looks."},

	"controller":            {text: "A controller with a work queue, as client-go has them."},
	"controller.workers":    {"1", "1 to 1000000", "How many keys are reconciled at once."},
	"controller.rate":       {"0", "0 or more; not 0 without initial", "How many keys come each second, at random."},
	"controller.initial":    {"0", "0 to 1000000", "How many keys are there at the beginning: all objects, after a start."},
	"controller.keys":       {"0", "0 to 1000000", "How many keys there are; one that comes while it waits is the same. With 0 each that comes is another one."},
	"controller.maxRetries": {"0", "0 to 1000000", "After how many failures in a row a key is given up; 0 is never."},

	"recorder":           {text: "A recorder of events, as client-go has it: it counts what is the same, combines what is similar, and drops what is too much."},
	"recorder.rate":      {required, "above 0", "How many events happen each second, at random."},
	"recorder.objects":   {"1", "1 to 4096", "How many objects they are about, with equal chances."},
	"recorder.messages":  {"0", "0 to 1000000", "How many different messages there are about each object; with 0 each is another one."},
	"recorder.aggregate": {"true", "", "Whether events are counted and combined; without that each is sent as it is."},

	"session":       {text: "Somebody who does the same steps again and again; a step that fails ends the session."},
	"session.at":    {"0", "", "When the first sessions begin."},
	"session.over":  {"0", "", "How long it takes until all have begun, at random."},
	"session.think": {required, "a mean above 0", "The pause between two sessions."},
	"session.times": {"0", "0 to 1000000", "How many sessions each client has; 0 is no end."},
	"session.steps": {"each request once, in their order", "", "What is done in a session."},

	"step":          {text: "A step of a session: a request, once or more."},
	"step.request":  {required, "the number of one of the population's requests", "Which request is sent."},
	"step.times":    {"1", "1 to 1000000", "How often it is sent."},
	"step.together": {"false", "", "Whether all of them are sent at once, and not one after the other."},
	"step.pause":    {"0", "", "The time between an answer and the next request, also that of the next step."},

	"rollout":                {text: "A restart of the pods of a DaemonSet, one for each client."},
	"rollout.at":             {"0", "", "When it begins."},
	"rollout.maxUnavailable": {"0", "0 to 1000000", "How many pods may be missing at once; with 0 all restart at once."},
	"rollout.start":          {required, "", "How long a pod takes from the end of the one before to its first request."},
}
