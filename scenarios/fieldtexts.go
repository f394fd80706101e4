package scenarios

import "maps"

// required is the default of a field that has none.
const required = "required"

// oneOfThem is what is legal where exactly one field can be set.
const oneOfThem = "exactly one of the fields"

// fieldTexts says what each field of a scenario file means, by the Go type without Spec
// and the name of the field; a type alone stands for the mapping as a whole. A test holds
// that every field is here.
var fieldTexts = joined(mainFieldTexts, backendFieldTexts, routingFieldTexts)

// joined returns all entries of some tables.
func joined(tables ...map[string]fieldText) map[string]fieldText {
	all := map[string]fieldText{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

var mainFieldTexts = map[string]fieldText{
	"scenario":                   {text: "A run of the simulator: a server, its flow control, who sends it requests, and what is expected of it."},
	"scenario.apiVersion":        {required, apiVersion, "The version of this format."},
	"scenario.kind":              {required, scenarioKind, "The kind of the document."},
	"scenario.metadata":          {required, "", "What the scenario is called and is about."},
	"scenario.kubernetesVersion": {`"` + DefaultVersion + `"`, `a release in quotes, "1.28", or a patch of it, "1.28.4"`, "The release of kube-apiserver whose behaviour and built-in objects are used."},
	"scenario.duration":          {"required with clients that are no trace", "above 0", "How long a run takes in virtual time; a scenario of traces alone ends with its last request."},
	"scenario.warmup":            {"0", "shorter than the run", "The beginning of the run that statistics leave out."},
	"scenario.seed":              {"1", "0 or more", "Where all random numbers come from: the same seed gives the same run."},
	"scenario.replications":      {"1", "1 to 10000", "How many independent runs are made, each with its own random numbers."},
	"scenario.server":            {"a stock server", "", "The API server that the requests are sent to."},
	"scenario.operations":        {"none", "", "What is done to the servers during the run: crashes, restarts, upgrades, servers that join."},
	"scenario.balancer":          {"none; with several servers, random per connection", "", "What spreads connections or requests over the API servers."},
	"scenario.gateway":           {"none", "", "A gateway of layer 7 before the servers."},
	"scenario.backend":           {"none: requests take the time that their clients say", "", "What stands behind the servers: cores, etcd, memory; how long requests execute follows from them."},
	"scenario.flowControl":       {"the built-in objects", "", "The FlowSchemas and PriorityLevelConfigurations of the server."},
	"scenario.changes":           {"none", "", "Changes of the objects of flow control during the run."},
	"scenario.objects":           {"none", "resources in the plural with their group: pods, deployments.apps", "The stored objects of each resource; they decide how many seats a LIST takes."},
	"scenario.watches":           {"none", "", "The watches that are open from the beginning; they decide how many seats a write takes."},
	"scenario.clients":           {required, "at least one", "Populations of clients, and traces."},
	"scenario.expect":            {"none", "", "What must hold at the end; if anything does not, the exit code is 1."},

	"metadata":             {text: "What the scenario is called and is about."},
	"metadata.name":        {required, clientNameLegal, "The name of the scenario, as reports show it."},
	"metadata.description": {"none", "", "What the scenario is about, in a sentence or two."},

	"server":                             {text: "The API server that the requests are sent to."},
	"server.count":                       {"1", "1 to 1000", "How many API servers there are, those that join later included; all of them are alike, and each has flow control of its own."},
	"server.maxRequestsInflight":         {"400", "0 or more", "The server's --max-requests-inflight; added to maxMutatingRequestsInflight it gives the seats of the server."},
	"server.maxMutatingRequestsInflight": {"200", "0 or more", "The server's --max-mutating-requests-inflight; added to maxRequestsInflight it gives the seats of the server."},
	"server.requestTimeout":              {"60s", "above 0", "The server's --request-timeout: the deadline of every request that asks for no shorter one; a request waits for at most a quarter of it."},
	"server.cacheFill":                   {"0", "", "How long a server that starts during the run needs to fill its watch cache; what is read from it waits for that."},
	"server.consistentReadsFromCache":    {"true", "", "Whether etcd can report the progress of watches (from 3.4.31 and 3.5.13 on), so that the cache serves LISTs without a resourceVersion; matters from 1.31 on."},

	"operation":                   {text: "What is done to a server at one time, by exactly one of stop, drain, start, restart, join and rollingUpgrade. Servers have numbers from 0."},
	"operation.at":                {required, "above 0, within the run", "When it is done, or begins."},
	"operation.stop":              {"none", "a server that is up", "The server ends at once, with all that it is doing: a crash."},
	"operation.drain":             {"none", "a server that is up", "The server takes no new requests, ends its watches and finishes what it has."},
	"operation.start":             {"none", "a server that is down", "The server serves again; its flow control knows nothing of the time before."},
	"operation.restart":           {"none", "a server that is up", "The server drains for its grace, stops, and starts when it has been down for a while."},
	"operation.join":              {"none", "a server that no operation before is about", "The server is not there before, and starts."},
	"operation.rollingUpgrade":    {"none", "", "All servers but those that join later are restarted as another release, one after the other."},
	"operation.grace":             {"0", "with restart", "How long the server drains before it stops; with 0 it is a crash."},
	"operation.down":              {"30s", "with restart", "How long it is from the stop to the start."},
	"operation.kubernetesVersion": {"the release that it had", "with start, restart and join", "The release that the server starts as; the first that is new brings its built-in objects."},

	"rollingUpgrade":                   {text: "A restart of all servers as another release, one after the other."},
	"rollingUpgrade.kubernetesVersion": {required, `a release in quotes, "1.28", or a patch of it, "1.28.4"`, "The release that the servers start as; the first of them brings its built-in objects."},
	"rollingUpgrade.grace":             {"30s", "", "How long each server drains before it stops; with 0 it is a crash."},
	"rollingUpgrade.down":              {"30s", "", "How long each server is down."},
	"rollingUpgrade.pause":             {"60s", "", "The time from the start of a server to the turn of the next."},

	"flowControl":           {text: "The FlowSchemas and PriorityLevelConfigurations of the server."},
	"flowControl.defaults":  {"true", "", "Whether the suggested objects of the release are there; the mandatory ones always are."},
	"flowControl.validate":  {"strict", "", "What becomes of fields that an object cannot have, and of those that it has twice, as kubectl's flag has it."},
	"flowControl.manifests": {"none", "files, or folders whose .yaml, .yml and .json files are read", "FlowSchemas and PriorityLevelConfigurations that are put over the built-in ones by their names."},

	"change":           {text: "A change of the objects of flow control during the run: what kubectl apply and kubectl delete do at one time."},
	"change.at":        {required, "within the run", "When the change is made."},
	"change.manifests": {"none", "files or folders", "Objects that are created, or replace those of their names."},
	"change.delete":    {"none", "FlowSchema/NAME or PriorityLevelConfiguration/NAME", "Objects that are deleted."},

	"object":              {text: "The stored objects of one resource, over all namespaces."},
	"object.count":        {required, "0 to 1e12", "How many objects there are."},
	"object.averageBytes": {"required with objects, unless stale", "0 to 1e9", "The mean size of an object, serialized, in bytes."},
	"object.stale":        {"false", "", "Whether the server has not been able to count for a while, so that it expects the worst."},

	"watch":           {text: "A number of watches of the same objects."},
	"watch.apiGroup":  {"the core group", "", "The API group of the resource."},
	"watch.resource":  {required, "a resource in the plural", "The resource that is watched."},
	"watch.namespace": {"all namespaces", "", "The namespace that is watched."},
	"watch.name":      {"all objects", "", "The name of the one object that is watched."},
	"watch.count":     {required, "0 to 1e9", "How many such watches are open."},

	"client":            {text: "A population of identical clients, or a trace."},
	"client.name":       {required, clientNameLegal, "The name of the population, as reports and expectations have it; its random numbers follow from it."},
	"client.preset":     {"none", "", "A population that is known, from which all that is left out is taken."},
	"client.trace":      {"none", "", "Recorded requests that are sent as they are, in place of everything else but retry."},
	"client.count":      {"1", "1 to 1000000", "How many such clients there are."},
	"client.user":       {required, "a user name; {index} in it is the number of the client from 0", "Who sends the requests."},
	"client.groups":     {"none", "", "The groups of the user, verbatim: none is implied."},
	"client.requests":   {required, "at least one", "The requests that a client sends, chosen at random by their weights."},
	"client.arrivals":   {required, "", "When a client sends its next request."},
	"client.duration":   {"required, unless each request has its own, or there is a backend", "", "How long a request executes once it is dispatched; with a backend that comes on top of what it takes there."},
	"client.retry":      {"no retries", "", "What a client does when a request fails."},
	"client.limiter":    {"none", "", "The client's own limit of its rate, through which every attempt goes."},
	"client.timeout":    {"none", "above 0", "How long a client waits for an operation with all its attempts."},
	"client.onDeadline": {"none", "", "What becomes of a request that executes when its time is over: stops ends it, ignored lets the server go on while the client goes, none lets both go on."},

	"limiter":       {text: "A token bucket, as client-go puts it before its requests."},
	"limiter.qps":   {"5", "above 0", "How many requests a second each client sends in the long run."},
	"limiter.burst": {"10", "1 to 1000000", "How many requests a client that has been idle sends at once."},

	"trace":      {text: "Recorded requests."},
	"trace.file": {required, "a file of JSON Lines, plain or gzip", "The file with a request on each line."},

	"request":                      {text: "One kind of request of a population: for a resource, or for a path."},
	"request.verb":                 {required, "get, list, watch, create, update, patch, delete, deletecollection, proxy; for a path the method of HTTP in lower case", "The verb, as the server's RequestInfo has it."},
	"request.apiGroup":             {"the core group", "", "The API group of the resource."},
	"request.resource":             {"required without a path", "a resource in the plural", "The resource that is asked for."},
	"request.subresource":          {"none", "", "The subresource, such as status."},
	"request.namespace":            {"none", "{index} is the number of the client", "The namespace; without one the request is for all namespaces, or for what is in none."},
	"request.name":                 {"none", "{index} is the number of the client", "The name of the object."},
	"request.path":                 {"none", "a path that begins with a slash", "The path of a request that is not for a resource, such as /healthz."},
	"request.weight":               {"1", "0 or more", "How often this request is chosen, in proportion to the weights of the others."},
	"request.limit":                {"0", "0 or more", "Option of a LIST: how many objects are asked for; 0 is all."},
	"request.resourceVersion":      {`""`, "", "Option of a LIST or WATCH: which version is asked for; the empty one is the most recent."},
	"request.resourceVersionMatch": {"none", "", "Option of a LIST: how resourceVersion is meant."},
	"request.continue":             {"none", "", "Option of a LIST: the token with which it goes on where another ended."},
	"request.fieldSelector":        {"none", "", "Option of a LIST or WATCH: which fields the objects must have."},
	"request.labelSelector":        {"none", "", "Option of a LIST or WATCH: which labels the objects must have."},
	"request.sendInitialEvents":    {"false", "", "Option of a WATCH: whether it begins with the objects that exist."},
	"request.timeout":              {"the server's requestTimeout", "above 0", "The deadline that the client asks for; the request waits for at most a quarter of it."},
	"request.duration":             {"that of the population", "", "How long this kind of request executes."},

	"request.calls": {"none", "", "The requests that it waits for while it executes, before its own duration: a webhook or an aggregated server that asks in its turn."},

	"call":           {text: "A request that an executing request waits for, which holds its seats meanwhile."},
	"call.client":    {required, "a population with arrivals: {called: {}}", "Who makes the request: the client of the same number as the caller, modulo their count."},
	"call.request":   {"0", "the number of one of its requests", "Which of its requests is made."},
	"call.count":     {"1", "1 to 1000000", "How many of them are made."},
	"call.parallel":  {"false", "", "Whether they are made at once, and not one after the other."},
	"call.onFailure": {"fail", "", "What a failed call makes of the caller: fail lets it fail, ignore lets it go on."},
	"call.timeout":   {"until the caller's own deadline", "above 0", "How long the caller waits for each of them."},

	"arrivals":          {legal: oneOfThem, text: "When a client sends its requests."},
	"arrivals.poisson":  {"", "", "At random, with the same rate all the time."},
	"arrivals.periodic": {"", "", "Regularly."},
	"arrivals.burst":    {"", "", "A number of requests from one moment on."},
	"arrivals.stages":   {"", "at least one", "At random, with a rate that changes evenly from stage to stage."},
	"arrivals.closed":   {"", "", "One after another, as a number of workers that each wait for their answer."},
	"arrivals.called":   {"", "a mapping without fields", "When a request of another population calls for one."},
	"arrivals.lease":    {"", "", "As a leader that renews its lease, and loses it if it cannot."},

	"poisson":                {text: "Arrivals at random, with the same rate all the time."},
	"poisson.rate":           {required, "above 0", "Requests per client and second."},
	"periodic":               {text: "Regular arrivals."},
	"periodic.every":         {required, "above 0", "The time from one request to the next."},
	"periodic.jitter":        {"0", "at most every", "How far each request may be moved from its time, at random."},
	"burst":                  {text: "A number of requests from one moment on."},
	"burst.at":               {"0", "", "When the burst begins."},
	"burst.count":            {required, "1 or more", "How many requests each client sends."},
	"burst.over":             {"0", "", "How long the burst takes; 0 is all at once."},
	"stage":                  {text: "A part of the time in which the rate changes evenly."},
	"stage.duration":         {required, "above 0", "How long the stage takes."},
	"stage.rate":             {required, "0 or more", "Requests per client and second that the stage ends with; the first begins with 0."},
	"closed":                 {text: "Workers that send a request, wait for its answer, and pause."},
	"closed.concurrency":     {"1", "1 or more", "How many requests a client has under way at most."},
	"closed.think":           {"no pause", "", "How long a worker pauses after an answer."},
	"lease":                  {text: "A leader that renews its lease, as client-go's leader election does."},
	"lease.duration":         {"15s", "longer than renewDeadline", "How long others wait before they take the lease over."},
	"lease.renewDeadline":    {"10s", "longer than 1.2 times retryPeriod", "How long the leader tries to renew before it gives up."},
	"lease.retryPeriod":      {"2s", "above 0", "The time from one try to the next."},
	"lease.candidates":       {"1", "0 or more; 0 counts as 1", "How many clients contend for each lease; the first of them holds it at the beginning."},
	"lease.restart":          {"5s", "0s or more", "How long a process that has lost its lease takes to ask again; one that ends again soon waits longer, as the kubelet makes it."},
	"lease.release":          {"false", "", "Whether a leader gives its lease back when it stops."},
	"lease.listWhenLeading":  {"false", "", "Whether a process lists what it watches when it has been elected, and not before."},
	"retry":                  {text: "What a client does when a request fails."},
	"retry.policy":           {required, "", "none gives up; client-go sends the request again after Retry-After; the others send it again after any failure: at once, always after the same time, or after a time that grows."},
	"retry.maxRetries":       {"that of client-go, 10; no bound for the other policies", "1 to 1000000", "How often a request is sent again at most."},
	"retry.every":            {"required with the policy fixed", "above 0", "How long the policy fixed waits."},
	"retry.base":             {"required with the policy exponential", "above 0", "How long the policy exponential waits at first."},
	"retry.factor":           {"2", "1.1 to 100", "What multiplies that after each failure."},
	"retry.cap":              {"none", "", "What it has grown to is at most this long, without jitter."},
	"retry.jitter":           {"0", "0 to 10", "The share of a wait that is added to it at most, at random: with 0.5, 10s become 10s to 15s."},
	"retry.turnaround":       {"1ms", "above 0", "The least time from an answer to the next attempt."},
	"distribution":           {legal: oneOfThem, text: "A distribution of durations."},
	"distribution.constant":  {"", "", "Always the same."},
	"distribution.lognormal": {"", "", "Lognormal, by its median and 99th percentile; what execution times mostly look like."},
	"distribution.gamma":     {"", "", "Gamma, by its mean and coefficient of variation."},
	"distribution.weibull":   {"", "", "Weibull, by its mean and shape."},
	"distribution.pareto":    {"", "", "Pareto between two bounds: few are very long."},
	"distribution.quantiles": {"", "p0 to p100, rising, with both ends", "By its quantiles, with straight lines between them: {p0: 1ms, p50: 4ms, p100: 2s}."},

	"distribution.exponential": {"", "", "Exponential, by its mean."},

	"exponential":      {text: "The exponential distribution."},
	"exponential.mean": {required, "above 0", "The mean."},
	"lognormal":        {text: "The lognormal distribution."},
	"lognormal.p50":    {required, "above 0", "The median."},
	"lognormal.p99":    {required, "at least p50", "The 99th percentile."},
	"gamma":            {text: "The gamma distribution."},
	"gamma.mean":       {required, "above 0", "The mean."},
	"gamma.cv":         {required, "0.01 to 100", "The coefficient of variation: the standard deviation over the mean."},
	"weibull":          {text: "The Weibull distribution."},
	"weibull.mean":     {required, "above 0", "The mean."},
	"weibull.shape":    {required, "0.1 to 100", "The shape: below 1 a long tail, 1 exponential, above 1 ageing."},
	"pareto":           {text: "The Pareto distribution between two bounds."},
	"pareto.min":       {required, "above 0", "The shortest duration."},
	"pareto.max":       {required, "longer than min", "The longest duration."},
	"pareto.alpha":     {required, "above 0", "The exponent of the tail: the smaller, the heavier."},

	"expect":               {text: "What must hold of one metric at the end."},
	"expect.metric":        {required, "", "What is judged: wait, latency and timeToSync are distributions, drained is a time, errorRate and serverShare are from 0 to 1, all others are numbers, counts in the mean over the replications."},
	"expect.priorityLevel": {"all", "at most one of priorityLevel, flowSchema and client", "The priority level that is looked at."},
	"expect.flowSchema":    {"all", "at most one of priorityLevel, flowSchema and client", "The FlowSchema that is looked at."},
	"expect.client":        {"all", "at most one of priorityLevel, flowSchema and client", "The population that is looked at."},
	"expect.server":        {"all; required for serverShare", "for serverShare, serverRestarts and outOfMemory", "The number of the server that is looked at, from 0."},
	"expect.quantile":      {"required for wait, latency and timeToSync", "above 0, at most 1", "Which quantile of the times is judged: 0.99 is the 99th percentile, 1 the longest."},
	"expect.at":            {"required for limit, else none", "for limit and seatsPeak", "The time that is looked at: the limit of then, or the most seats in use while the limit of then held."},
	"expect.below":         {"none", "", "The metric must be less; a duration where the metric is a time."},
	"expect.above":         {"none", "", "The metric must be more."},
	"expect.equals":        {"none", "not beside below or above", "The metric must be this."},
}
