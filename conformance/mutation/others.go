package mutation

// The tests that notice: some of the product's own, which build fastest, and where
// only the real code knows the right answer, those of this module.
const (
	borrowingTests  = "../scheduler/borrowing"
	estimateTests   = "../scheduler/estimate"
	classifyTests   = "../scheduler/classify"
	shuffleTests    = "../scheduler/shuffle"
	retryAfterTests = "../scheduler/retryafter"
	simTests        = "../sim"
	pureTests       = "./pure"
	fullRunTests    = "./fullrun"
)

// The files they are about.
const (
	levelsFile   = "scheduler/levels.go"
	serverFile   = "scheduler/server.go"
	waitingFile  = "scheduler/waiting.go"
	adjustFile   = "scheduler/borrowing/adjust.go"
	allocateFile = "scheduler/borrowing/allocate.go"
	limitsFile   = "scheduler/borrowing/limits.go"
	listFile     = "scheduler/estimate/list.go"
	rulesFile    = "scheduler/estimate/rules.go"
	writeFile    = "scheduler/estimate/write.go"
	watchFile    = "scheduler/estimate/watchcounts.go"
	matchFile    = "scheduler/classify/match.go"
	indexFile    = "scheduler/classify/ruleindex.go"
	linesFile    = "scheduler/classify/lineindex.go"
	explainFile  = "scheduler/classify/explain.go"
	shuffleFile  = "scheduler/shuffle/shuffle.go"
	trackerFile  = "scheduler/retryafter/tracker.go"
	eventFile    = "sim/event.go"
)

// Others are wrong products outside of the queue set.
var Others = []Group{
	{"Adjustment of the limits", adjustment},
	{"Changes of the configuration", changes},
	{"Wait limit, Retry-After and equal times", times},
	{"Work estimation", estimation},
	{"Classification and shuffle sharding", sharding},
	{"Older releases", releases},
	{"Policies of clients", policies},
	{"Saved states of queue sets", saving},
}

var adjustment = []Mutant{
	{Name: "adjust-only-changed", Detail: "an adjustment sets the limit of every level, changed or not: R is brought up to date",
		Edits:   []Edit{{levelsFile, "\t\tl.info.Current = current[i]\n", "\t\tif l.info.Current == current[i] {\n\t\t\tcontinue\n\t\t}\n\t\tl.info.Current = current[i]\n"}},
		Package: fullRunTests, Run: "TestVectors/(small|timeouts|watch|reject|options)$"},
	{Name: "adjust-late-demand", Detail: "the demand of a period ends before the limits are set",
		Edits:   []Edit{{levelsFile, "l.info.Stats.Update(l.set.TakeDemand(now), ", "l.set.Configure(now, l.config, l.info.Current+1)\n\t\tl.info.Stats.Update(l.set.TakeDemand(now), "}},
		Package: fullRunTests, Run: "TestVectors/(small|timeouts)$"},
	{Name: "smoothing-faster", Detail: "the smoothed demand keeps 0.977 of the past",
		Edits:   []Edit{{demandFile, "const smoothing = 0.977", "const smoothing = 0.97"}},
		Package: borrowingTests, Run: "Stats"},
	{Name: "smoothing-down-at-once", Detail: "the smoothed demand falls slowly",
		Edits:   []Edit{{demandFile, "s.Smoothed = math.Max(envelope, faded)", "s.Smoothed = envelope + 0*faded"}},
		Package: borrowingTests, Run: "Stats"},
	{Name: "no-length-counts", Detail: "a period of no length changes the high watermark alone",
		Edits:   []Edit{{demandFile, "\tif d.Seconds <= 0 {\n\t\treturn\n\t}\n", ""}},
		Package: borrowingTests, Run: "Stats"},
	{Name: "variance-spoils", Detail: "a deviation that is not a number counts as none",
		Edits:   []Edit{{demandFile, "if math.IsNaN(d.StdDev) && !r.NaNStays {", "if math.IsNaN(d.StdDev) && r.NaNStays {"}},
		Package: borrowingTests, Run: "Stats"},
	{Name: "floor-unbounded", Detail: "the lower bound is at most the nominal limit",
		Edits:   []Edit{{adjustFile, "max(l.Limits.Min, min(l.Limits.Nominal, l.Stats.HighWatermark))", "max(l.Limits.Min, l.Stats.HighWatermark)"}},
		Package: borrowingTests, Run: "Floor|Exempt"},
	{Name: "exempt-bounded", Detail: "an exempt level takes its high watermark, above its nominal limit too",
		Edits:   []Edit{{adjustFile, "return max(l.Limits.Min, l.Stats.HighWatermark)", "return max(l.Limits.Min, min(l.Limits.Nominal, l.Stats.HighWatermark))"}},
		Package: borrowingTests, Run: "Floor|Exempt"},
	{Name: "allocate-remaining", Detail: "the normal allocation shares out the nominal sum, not what exempt levels leave of it",
		Edits:   []Edit{{adjustFile, "Allocate(t.nominalSum, classes(levels))", "Allocate(t.remaining, classes(levels))"}},
		Package: borrowingTests, Run: "Floor|Exempt"},
	{Name: "allocate-other-order", Detail: "the solver's operations are in upstream's order",
		Edits:   []Edit{{allocateFile, "fraction + (p.required-sum)/rate; ", "(p.required-sum+fraction*rate)/rate; "}},
		Package: pureTests, Run: "TestAllocateEqualsUpstream"},
	{Name: "allocate-zero-target", Detail: "a target is at least 0.001",
		Edits:   []Edit{{allocateFile, "const minTarget = 0.001", "const minTarget = 0.0001"}},
		Package: pureTests, Run: "TestAllocateEqualsUpstream"},
	{Name: "nominal-rounded", Detail: "nominal limits are rounded up",
		Edits:   []Edit{{limitsFile, "math.Ceil(float64(serverSeats)", "math.Round(float64(serverSeats)"}},
		Package: borrowingTests, Run: "StockServer|Nominal"},
	{Name: "percent-truncated", Detail: "percentages of seats round half away from zero",
		Edits:   []Edit{{limitsFile, "math.Round(float64(seats) * float64(p) / 100)", "math.Floor(float64(seats) * float64(p) / 100)"}},
		Package: borrowingTests, Run: "StockServer|Percents"},
}

var times = []Mutant{
	{Name: "wait-rounded", Detail: "a quarter of a deadline truncates to nanoseconds",
		Edits:   []Edit{{waitingFile, "min(timeout/4, maxWait)", "min((timeout+2)/4, maxWait)"}},
		Package: pureTests, Run: "TestWaitLimitEqualsUpstream"},
	{Name: "wait-unbounded", Detail: "nobody waits longer than a minute",
		Edits:   []Edit{{waitingFile, "min(timeout/4, maxWait)", "min(timeout/4, 2*maxWait)"}},
		Package: pureTests, Run: "TestWaitLimitEqualsUpstream"},
	{Name: "wait-watch-timeout", Detail: "the timeout of a watch is ignored for the wait limit",
		Edits:   []Edit{{waitingFile, " || t.watch || !rules.ClientTimeouts {", " || !rules.ClientTimeouts {"}},
		Package: pureTests, Run: "TestWaitLimitEqualsUpstream"},
	{Name: "retry-after-early", Detail: "Retry-After doubles at three drops for each second of it",
		Edits:   []Edit{{trackerFile, "case drops >= 3*r &&", "case drops > 3*r &&"}},
		Package: retryAfterTests, Run: "Answers|Against"},
	{Name: "retry-after-restless", Detail: "Retry-After rests for as many seconds as it says before it doubles again",
		Edits:   []Edit{{trackerFile, "second-t.raised >= r:", "second-t.raised > r:"}},
		Package: retryAfterTests, Run: "Answers|Against"},
	{Name: "retry-after-no-time-outs", Detail: "time-outs count for Retry-After",
		Edits:   []Edit{{serverFile, "if s.profile.AdaptiveRetryAfter {", "if s.profile.AdaptiveRetryAfter && reason != fairqueue.TimeOut {"}},
		Package: fullRunTests, Run: "TestVectors/timeouts$"},
	{Name: "arrivals-first", Detail: "at one instant, what ends comes before what begins",
		Edits:   []Edit{{eventFile, "\tclassFinish class = iota\n", "\tclassArrive class = iota\n\t// classFinish: an execution ends.\n\tclassFinish\n"}, {eventFile, "\t// classArrive: a request arrives.\n\tclassArrive\n", ""}},
		Package: simTests, Run: "TestClassesOrderOneInstant"},
	{Name: "expiries-first", Detail: "at one instant, a finish saves a request from its own deadline",
		Edits:   []Edit{{eventFile, "\tclassFinish class = iota\n", "\tclassExpire class = iota\n\t// classFinish: an execution ends.\n\tclassFinish\n"}, {eventFile, "\tclassExpire\n\t// classAdjust", "\t// classAdjust"}},
		Package: simTests, Run: "TestAFinishSavesARequestThatExpiresAtTheSameInstant"},
}

var estimation = []Mutant{
	{Name: "write-latency-rounded", Detail: "the additional latency of a write truncates to nanoseconds",
		Edits:   []Edit{{unitsFile, "return time.Duration(float64(s) / seats * nanosPerUnit)", "return time.Duration(math.Round(float64(s) / seats * nanosPerUnit))"}},
		Package: estimateTests, Run: "Write"},
	{Name: "write-at-ten", Detail: "a write takes final seats from ten watchers on",
		Edits:   []Edit{{writeFile, "watchers < watchersPerSeat {", "watchers <= watchersPerSeat {"}},
		Package: estimateTests, Run: "Write"},
	{Name: "token-writes", Detail: "the creation of a service account's token has no final seats",
		Edits:   []Edit{{rulesFile, `resource == "serviceaccounts" && subresource == "token":`, `resource == "serviceaccounts" && subresource == "tokens":`}},
		Package: estimateTests, Run: "KindOf"},
	{Name: "watchers-once", Detail: "a write counts the watches of its namespace beside those of all",
		Edits:   []Edit{{watchFile, "\tif s.own != s.all {\n\t\tn += ", "\tif s.own != s.all && n == 0 {\n\t\tn += "}},
		Package: estimateTests, Run: "Watch|Against"},
	{Name: "node-watches-count", Detail: "watches of one node's pods do not count",
		Edits:   []Edit{{watchFile, "return !o.NodeSelector || ", "return o.NodeSelector || "}},
		Package: estimateTests, Run: "Watch|Against"},
	{Name: "list-cache-unbounded", Detail: "a LIST from the cache costs no more than 10 seats",
		Edits:   []Edit{{listFile, "bytes = min(bytes, cachedBytesLimit)", "bytes = min(bytes, 2*cachedBytesLimit)"}},
		Package: estimateTests, Run: "List"},
	{Name: "list-selector-all", Detail: "a LIST from storage with a selector reads at least half of the objects",
		Edits:   []Edit{{listFile, "return max(returned, count/2)", "return max(returned, count)"}},
		Package: estimateTests, Run: "List"},
	{Name: "list-limit-from-cache", Detail: "a LIST with a limit and a resourceVersion is from storage",
		Edits:   []Edit{{listFile, "legacyExact := o.Limit > 0 && ", "legacyExact := o.Limit < 0 && "}},
		Package: estimateTests, Run: "CacheOrStorage"},
	{Name: "list-unknown-widest", Detail: "a LIST of an unknown resource takes one seat",
		Edits:   []Edit{{listFile, "case s.State == Unknown && r.UnknownWidest:", "case s.State == Unknown && !r.UnknownWidest:"}},
		Package: estimateTests, Run: "List"},
	{Name: "list-width-of-level", Detail: "the width is at most 15 % of the nominal limit, rounded up, and a hand of them fits",
		Edits:   []Edit{{limitsFile, "perCard := float64(int32(nominal) / int32(handSize))", "perCard := float64(nominal)"}},
		Package: borrowingTests, Run: "MaxSeats"},
	{Name: "watch-legacy-free", Detail: "a watch without a resourceVersion costs what a LIST does",
		Edits:   []Edit{{listFile, "if !asked && !fromStart {", "if !asked || fromStart && false {"}},
		Package: estimateTests, Run: "Watch"},
}

var sharding = []Mutant{
	{Name: "subresource-matches", Detail: "a rule for a resource does not match its subresources",
		Edits:   []Edit{{matchFile, "return t.Resource + \"/\" + t.Subresource", "return t.Resource"}},
		Package: classifyTests, Run: "Resources"},
	{Name: "path-exact", Detail: "a path of a rule matches what is below it",
		Edits:   []Edit{{matchFile, "\treturn strings.HasPrefix(path, pathPrefix(url))\n", "\treturn strings.HasSuffix(url, wildcard) && strings.HasPrefix(path, pathPrefix(url))\n"}},
		Package: classifyTests, Run: "Paths"},
	{Name: "star-among-others", Detail: "a star beside other values is literal",
		Edits:   []Edit{{matchFile, "return len(list) == 1 && list[0] == wildcard || slices.Contains(list, s)", "return slices.Contains(list, wildcard) || slices.Contains(list, s)"}},
		Package: classifyTests, Run: "Resources"},
	{Name: "cluster-scope-implied", Detail: "a request without a namespace needs clusterScope",
		Edits:   []Edit{{matchFile, "return r.ClusterScope\n", "return r.ClusterScope || len(r.Namespaces) > 0\n"}},
		Package: classifyTests, Run: "Resources"},
	{Name: "index-first-line-alone", Detail: "the index holds all lines of a rule",
		Edits:   []Edit{{indexFile, "if len(x.further.owner) == 0 {", "if len(x.further.owner) >= 0 {"}},
		Package: classifyTests, Run: "IndexEqualsScan"},
	{Name: "index-namespace-to-first-colon", Detail: "every beginning of a service account's name is looked up as a namespace",
		Edits:   []Edit{{indexFile, "s.accounts[account[:i]].addTo(rules)\n", "s.accounts[account[:i]].addTo(rules)\n\t\t\treturn\n"}},
		Package: classifyTests, Run: "IndexEqualsScan"},
	{Name: "index-path-itself-alone", Detail: "a URL is found by the paths below it",
		Edits:   []Edit{{linesFile, "x.below[path[:i+1]].addTo(lines)", "_ = x.below[path[:i+1]]"}},
		Package: classifyTests, Run: "IndexEqualsScan"},
	{Name: "explain-farthest", Detail: "the nearest miss is told",
		Edits:   []Edit{{explainFile, "return d < e", "return d > e"}},
		Package: classifyTests, Run: "NearestMiss"},
	{Name: "hash-unseparated", Detail: "a zero byte separates schema and distinguisher in the flow's hash",
		Edits:   []Edit{{shuffleFile, "\tid = append(id, 0)\n", ""}},
		Package: shuffleTests, Run: "FlowHash"},
	{Name: "hash-big-endian", Detail: "the flow's hash is little-endian",
		Edits:   []Edit{{shuffleFile, "binary.LittleEndian", "binary.BigEndian"}},
		Package: shuffleTests, Run: "FlowHash"},
	{Name: "deal-bumps-from-first", Detail: "a card is raised past the earlier ones from the latest to the first",
		Edits:   []Edit{{shuffleFile, "for j := i - 1; j >= 0; j-- {", "for j := range i {"}},
		Package: shuffleTests, Run: "Deal"},
	{Name: "deal-without-bump", Detail: "a card is raised past an earlier one that is equal",
		Edits:   []Edit{{shuffleFile, "if card >= digits[j] {", "if card > digits[j] {"}},
		Package: shuffleTests, Run: "Deal"},
}
