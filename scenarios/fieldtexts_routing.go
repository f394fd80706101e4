package scenarios

// routingFieldTexts are the texts of what stands before the servers.
var routingFieldTexts = map[string]fieldText{
	"balancer":              {text: "What spreads connections or requests over the API servers."},
	"balancer.policy":       {"random", "", "How a server is chosen."},
	"balancer.per":          {"connection", "", "What one is chosen for: each connection, as a balancer of layer 4 does, or each request."},
	"balancer.streams":      {"100", "1 or more", "How many requests a connection carries at a time; another one is opened when all are taken."},
	"balancer.goawayChance": {"0", "0 to 0.02", "The servers' --goaway-chance: the share of requests that end the connection they came by."},
	"balancer.idleTimeout":  {"90s", "above 0", "How long a connection without requests stays open."},
	"balancer.health":       {"it knows at once which servers take requests", "", "How it learns which servers are well."},

	"health":                {text: "The health checks of a balancer."},
	"health.interval":       {"it knows at once", "at most 1h", "The time between two checks of a server."},
	"health.unhealthyAfter": {"2", "1 to 1000", "How many failures in a row take a server out of rotation."},
	"health.healthyAfter":   {"2", "1 to 1000", "How many successes in a row put it back."},
	"health.sees":           {"all servers", "", "Which servers the checks can reach, from one time to the next."},

	"view":         {text: "What a balancer sees from a time on."},
	"view.at":      {required, "later than the one before", "When it begins."},
	"view.servers": {"all", "numbers of servers; [] for none", "The servers whose checks can succeed."},

	"gateway":             {text: "A gateway of layer 7 before the servers. What it refuses is counted apart from what APF rejects."},
	"gateway.latency":     {"none", "", "What it adds to every request that it lets pass."},
	"gateway.rules":       {"none", "", "What becomes of which requests; the first rule that matches holds."},
	"gateway.otherwise":   {"pass", "", "What becomes of requests that no rule matches: they pass, or are refused with this status."},
	"gateway.trigger":     {"the start of the run", "", "What the times of the degradation count from."},
	"gateway.degradation": {"none", "", "What it lets pass while it protects the servers, from one time to the next."},

	"latency":       {text: "What a gateway adds to a request."},
	"latency.there": {"0s", "", "On the way to the server."},
	"latency.back":  {"0s", "", "On the way back."},

	"rule":            {text: "What becomes of the requests that it matches."},
	"rule.name":       {required, "unique; not otherwise", "What it is called, in degradation and in reports."},
	"rule.match":      {"everything", "", "The requests that it is for."},
	"rule.rate":       {"no limit", "", "How many requests pass in a second."},
	"rule.inFlight":   {"no limit", "", "How many requests may have passed and not be over."},
	"rule.servers":    {"all", "numbers of servers", "The servers that it sends to, for each request anew."},
	"rule.policy":     {"as the balancer", "", "How it chooses among them, for each request anew."},
	"rule.latency":    {"as the gateway", "", "What it adds to each request."},
	"rule.refuse":     {"429", "429 or 503", "The status of what it refuses."},
	"rule.retryAfter": {"until the next token, otherwise 1", "seconds, or none", "What it tells those that it refuses to wait."},

	"match":            {text: "Requests. Of each list one entry is enough; all lists that are given must hold. A * at the end of a name stands for any rest."},
	"match.users":      {"all", "", "User names."},
	"match.groups":     {"all", "", "Groups."},
	"match.verbs":      {"all", "", "Verbs."},
	"match.apiGroups":  {"all", `whole names; "" is the core group`, "API groups."},
	"match.resources":  {"all", "pods, pods/status, pods/*, */status, *", "Resources, with the subresource."},
	"match.namespaces": {"all", `"" is none`, "Namespaces."},
	"match.paths":      {"all", "", "Paths of non-resource requests."},

	"rate":       {text: "A token bucket, full at the start."},
	"rate.qps":   {required, "0.001 to 1000000", "How many tokens come in a second."},
	"rate.burst": {"1", "1 to 1000000", "How many it holds at most."},
	"rate.per":   {"rule", "", "Who has one: the rule, each user or each namespace."},

	"inFlight":       {text: "A limit on what has passed and is not over; watches count as long as they are open."},
	"inFlight.limit": {required, "1 to 1000000", "How many there may be."},
	"inFlight.per":   {"rule", "", "Who has the limit: the rule, each user or each namespace."},

	"trigger":          {text: "What begins the degradation of a gateway."},
	"trigger.inFlight": {required, "0 to 1000000", "More requests in flight than this begin it."},

	"phase":       {text: "What a gateway lets pass from a time on, while it degrades."},
	"phase.at":    {required, "later than the one before", "When it begins, since the start of the run or since the trigger."},
	"phase.admit": {required, "all, or names of rules; otherwise is what no rule matches", "What it lets pass."},
	"phase.over":  {"0s", "", "How long it takes until all of what is new in this phase passes."},
}
