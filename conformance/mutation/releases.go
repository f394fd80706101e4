package mutation

// The tests that notice wrong rules of older releases: scripts of the product, in which the
// real code of those releases has been compared with it (see package releases).
const (
	fairqueueTests = "../scheduler/fairqueue"
	releaseTests   = "../scheduler/release"
)

const (
	secondsFile  = "scheduler/fairqueue/seconds.go"
	secondsQueue = "scheduler/fairqueue/secondsdispatch.go"
	profileFile  = "scheduler/release/profile.go"
)

var releases = []Mutant{
	{Name: "seconds-guess", Detail: "up to 1.22 a request is guessed to last a minute",
		Edits:   []Edit{{secondsFile, "const secondsGuess = 60.0", "const secondsGuess = 15.0"}},
		Package: fairqueueTests, Run: "TestScripts/seconds"},
	{Name: "seconds-expiry-first", Detail: "up to 1.22 who gives up is out of its queue before virtual time moves on",
		Edits:   []Edit{{secondsFile, "\tr := s.request(h, waiting)\n\tq := r.queue\n", "\ts.begin(now)\n\tr := s.request(h, waiting)\n\tq := r.queue\n"}},
		Package: fairqueueTests, Run: "TestScripts/seconds"},
	{Name: "seconds-no-catch-up", Detail: "up to 1.22 a queue does not fall behind virtual time",
		Edits:   []Edit{{secondsQueue, "\t\ts.catchUp(q)\n", ""}},
		Package: fairqueueTests, Run: "TestScripts/seconds"},
	{Name: "seconds-rotating", Detail: "up to 1.22 the first of the deal wins among equal queues",
		Edits:   []Edit{{secondsQueue, "q.seatsWaiting < best.seatsWaiting", "q.seatsWaiting <= best.seatsWaiting"}},
		Package: fairqueueTests, Run: "TestScripts/seconds"},
	{Name: "seconds-width-of-head", Detail: "up to 1.22 the virtual finish of a queue does not look at widths",
		Edits:   []Edit{{secondsQueue, "finish := q.start + secondsGuess;", "finish := q.start + secondsGuess*float64(s.requests[q.waiting[0]].seats);"}},
		Package: fairqueueTests, Run: "TestScripts/seconds"},
	{Name: "eject-at-the-limit", Detail: "up to 1.28.4 an arrival ejects who has waited for longer than the limit, not for just that",
		Edits:   []Edit{{queuesFile, "for q.head >= 0 && s.requests[q.head].started < before {", "for q.head >= 0 && s.requests[q.head].started <= before {"}},
		Package: fairqueueTests, Run: "TestScripts/wait_limit"},
	{Name: "eject-one", Detail: "up to 1.28.4 an arrival ejects all who have waited for too long",
		Edits:   []Edit{{queuesFile, "for q.head >= 0 && s.requests[q.head].started < before {", "if q.head >= 0 && s.requests[q.head].started < before {"}},
		Package: fairqueueTests, Run: "TestScripts/wait_limit"},
	{Name: "eject-reuses", Detail: "who ejects others does not have the ID of one of them",
		Edits: []Edit{{queuesFile, "\t\tr.phase = unused\n", "\t\ts.free(h)\n"},
			{setFile, "\t\ts.free(d.Handle)\n", "\t\t_ = d\n"}},
		Package: schedulerTests, Run: "EjectedKeepTheirIDs"},
	{Name: "seconds-eject-reuses", Detail: "likewise up to 1.22",
		Edits: []Edit{{secondsQueue, "\t\tr.phase = unused\n", "\t\ts.free(h)\n"},
			{secondsFile, "\t\ts.free(d.Handle)\n", "\t\t_ = d\n"}},
		Package: schedulerTests, Run: "EjectedKeepTheirIDs"},
	{Name: "eject-keeps-active", Detail: "a queue that an arrival has emptied begins anew",
		Edits:   []Edit{{queuesFile, "\tif q.idle() {\n\t\ts.active--\n\t}\n\ts.noteDemand()\n", "\ts.noteDemand()\n"}},
		Package: fairqueueTests, Run: "TestScripts/wait_limit"},
	{Name: "wait-watch-limited", Detail: "up to 1.28.4 nothing but an arrival ends the wait of a watch",
		Edits:   []Edit{{waitingFile, "\tcase t.watch:\n\t\treturn NoLimit\n", ""}},
		Package: schedulerTests, Run: "TestScripts/releases"},
	{Name: "exempt-counts-early", Detail: "up to 1.27 requests to the exempt level hold no seats",
		Edits:   []Edit{{serverFile, "if s.profile.ExemptBypasses && l.info.Exempt {", "if false {"}},
		Package: schedulerTests, Run: "TestScripts/releases"},
	{Name: "retry-after-adapts-early", Detail: "up to 1.27 Retry-After is 1",
		Edits:   []Edit{{serverFile, "if s.profile.AdaptiveRetryAfter {", "if true {"}},
		Package: schedulerTests, Run: "TestScripts/releases"},
	{Name: "count-selector-half", Detail: "up to 1.33 a LIST from storage with a selector looks at all objects and those it returns",
		Edits:   []Edit{{listFile, "objects = float64(count) + float64(returned)", "objects = float64(count)/2 + float64(returned)"}},
		Package: estimateTests, Run: "ListByCount"},
	{Name: "count-cache-limit", Detail: "up to 1.33 a limit does not make a LIST from the cache narrower",
		Edits:   []Edit{{listFile, "\t\tobjects = float64(count)\n", "\t\tobjects = float64(returned)\n"}},
		Package: estimateTests, Run: "ListByCount"},
	{Name: "exempt-among-bounded", Detail: "from 1.28 to 1.30 the demand of the exempt level takes seats from the others",
		Edits:   []Edit{{adjustFile, "\t\tlevels = asLimited(levels)\n", "\t\tlevels = levels[:]\n"}},
		Package: borrowingTests, Run: "ExemptAmong"},
	{Name: "not-lending-drifts", Detail: "up to 1.25 limits are the nominal ones",
		Edits:   []Edit{{adjustFile, "current[i] = levels[i].Limits.Nominal", "current[i] = levels[i].Current"}},
		Package: borrowingTests, Run: "WithoutLending"},
	{Name: "patch-late", Detail: "a change that was brought back is in the patch that it is named with",
		Edits:   []Edit{{profileFile, "return v.Patch >= first.Patch", "return v.Patch > first.Patch"}},
		Package: releaseTests, Run: "Differences"},
}
