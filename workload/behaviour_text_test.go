package workload

import (
	"slices"
	"testing"
	"time"
)

// TestBehaviourText holds what scenario files say of behaviours.
func TestBehaviourText(t *testing.T) {
	second := must(Constant(time.Second))
	for _, c := range []struct {
		value interface{ String() string }
		want  string
	}{
		{Lease{Duration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, Candidates: 2, Restart: time.Second, Release: true, ListWhenLeading: true},
			"lease: {duration: 15s, renewDeadline: 10s, retryPeriod: 2s, candidates: 2, restart: 1s, release: true, listWhenLeading: true}"},
		{Informer{At: 1, Over: time.Minute}, "informer: {at: 1ns, over: 1m0s}"},
		{DefaultHeartbeat(), "heartbeat: {leaseInterval: 10s, statusInterval: 5m0s, updateInterval: 10s, gracePeriod: 50s, monitorPeriod: 5s}"},
		{Controller{Workers: 5, Rate: 0.5, Initial: 100, Keys: 100, MaxRetries: 15}, "controller: {workers: 5, rate: 0.5, initial: 100, keys: 100, maxRetries: 15}"},
		{Recorder{Rate: 2, Objects: 10, Messages: 3, Aggregate: true}, "recorder: {rate: 2, objects: 10, messages: 3, aggregate: true}"},
		{Session{Think: second, Times: 2, Steps: []Step{{Request: 1}, {Times: 3, Together: true, Pause: time.Second}}},
			"session: {at: 0s, over: 0s, think: {constant: 1s}, times: 2, steps: [{request: 1, times: 1, together: false, pause: 0s}, {request: 0, times: 3, together: true, pause: 1s}]}"},
		{Rollout{At: time.Minute, MaxUnavailable: 3, Start: second}, "rollout: {at: 1m0s, maxUnavailable: 3, start: {constant: 1s}}"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%T is written\n%s, want\n%s", c.value, got, c.want)
		}
	}
}

// TestBehaviourFaults holds which fields of behaviours are found to be wrong.
func TestBehaviourFaults(t *testing.T) {
	second := must(Constant(time.Second))
	step := []Step{{}}
	for _, c := range []struct {
		value interface{ Validate() []error }
		want  []string
	}{
		{Lease{Duration: 3, RenewDeadline: 2, RetryPeriod: 1, Candidates: -1, Restart: -1}, []string{"lease.candidates", "lease.restart"}},
		{Informer{}, nil},
		{Informer{-1, -1}, []string{"informer.at", "informer.over"}},
		{DefaultHeartbeat(), nil},
		{Heartbeat{}, []string{"heartbeat.leaseInterval", "heartbeat.statusInterval", "heartbeat.updateInterval", "heartbeat.gracePeriod", "heartbeat.monitorPeriod"}},
		{Heartbeat{10 * time.Second, time.Minute, time.Second, 10 * time.Second, time.Second}, []string{"heartbeat.gracePeriod"}},
		{Heartbeat{10 * time.Second, 3 * time.Hour, time.Second, 50 * time.Second, time.Second}, []string{"heartbeat.statusInterval"}},
		{Controller{Workers: 1, Rate: 1}, nil},
		{Controller{Workers: 1}, []string{"controller"}},
		{Controller{Rate: -1, Initial: -1, Keys: -1, MaxRetries: -1},
			[]string{"controller.workers", "controller.rate", "controller.initial", "controller.keys", "controller.maxRetries"}},
		{Recorder{Rate: 1, Objects: 4096}, nil},
		{Recorder{Objects: 4097, Messages: -1}, []string{"recorder.rate", "recorder.messages", "recorder.objects"}},
		{Session{Think: second, Steps: step}, nil},
		{Session{At: -1, Over: -1, Times: -1, Think: must(Constant(0)), Steps: []Step{{-1, -1, true, -1}}},
			[]string{"session.at", "session.over", "session.times", "session.think", "session.steps[0].request", "session.steps[0].times", "session.steps[0].pause"}},
		{Session{}, []string{"session.think", "session.steps"}},
		{Rollout{Start: second}, nil},
		{Rollout{At: -1, MaxUnavailable: -1}, []string{"rollout.at", "rollout.maxUnavailable", "rollout.start"}},
	} {
		var got []string
		for _, err := range c.value.Validate() {
			got = append(got, err.(*FieldError).Field)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: the fields %q are wrong, want %q", c.value, got, c.want)
		}
	}
}
