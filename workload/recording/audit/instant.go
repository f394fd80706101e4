package audit

import "github.com/apfsim/apfsim/workload/recording"

// instant is the time of the last event of a log, and whether something came to the server or was
// rejected at that time. Logs have whole microseconds, in which several things happen, and are
// written in the order in which these happened.
type instant struct {
	at       int64
	happened bool
}

// endsLast takes the next event of a log, and tells whether it is of an execution that ended after
// something that comes after ends otherwise. Of a watch it is the initialisation that counts.
func (i *instant) endsLast(q *recording.Request) bool {
	at, stage := staged(q)
	if at != i.at {
		*i = instant{at: at}
	}
	switch {
	case at == q.Received, q.Rejected():
		i.happened = true
		return false
	case q.Verb == "watch" && stage != recording.StageStarted:
		return false
	}
	return i.happened && stage != recording.StageReceived
}

// staged returns when the stage was of which an event tells, and which it was.
func staged(q *recording.Request) (at int64, stage recording.Stages) {
	return q.Received + int64(max(q.Total, q.Started, 0)), q.Stages
}
