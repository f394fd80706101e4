package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

const (
	// progressDelay is how long a run goes on before it is worth a display.
	progressDelay = time.Second
	// progressPeriod is how often the display is brought up to date.
	progressPeriod = 100 * time.Millisecond
	// progressWidth is the width of the display where the terminal tells none.
	progressWidth = 80
)

// progress shows how far a run is: a bar on the standard error, in virtual time, with
// an estimate of the real time that is left. It appears only on a terminal, and only
// for a run that takes a while.
type progress struct {
	p     *Process
	title string
	total time.Duration // of virtual time, all replications added up
	done  func() time.Duration
	// note says something more, "" for nothing.
	note func() string

	stop chan struct{}
	wait sync.WaitGroup
}

// watch begins to show the progress, if there is somebody to see it and a total to
// compare with. The end function takes the display away; it must be called.
func watch(p *Process, title string, total time.Duration, done func() time.Duration) (end func()) {
	return watchNoted(p, title, total, done, nil)
}

// watchNoted is watch with something more to say beside, which may be nil.
func watchNoted(p *Process, title string, total time.Duration, done func() time.Duration, note func() string) (end func()) {
	if !p.StderrTerminal.Attended || total <= 0 {
		return func() {}
	}
	g := &progress{p: p, title: title, total: total, done: done, note: note, stop: make(chan struct{})}
	g.wait.Go(g.show)
	return sync.OnceFunc(func() {
		close(g.stop)
		g.wait.Wait()
	})
}

// show waits a moment and then draws until the run has ended.
func (g *progress) show() {
	start := g.p.Now()
	ticks, stop := g.p.Tick(progressPeriod)
	defer stop()
	for g.p.Now().Sub(start) < progressDelay {
		select {
		case <-g.stop:
			return
		case <-ticks:
		}
	}
	container := mpb.New(mpb.WithOutput(g.p.Stderr), mpb.ForceTTY(), mpb.WithAutoRefresh(), mpb.WithWidth(g.width()),
		mpb.WithRefreshRate(progressPeriod))
	bar := container.New(int64(g.total), mpb.BarStyle(), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(g.title)),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
			text := g.text(time.Duration(s.Current), g.p.Now().Sub(start))
			if g.note != nil && g.note() != "" {
				text += "; " + g.note()
			}
			return text
		})))
	for {
		select {
		case <-g.stop:
			bar.Abort(true)
			container.Wait()
			return
		case <-ticks:
			// A full bar would end the display, which only the end of the run does.
			bar.SetCurrent(min(int64(g.done()), int64(g.total)-1))
		}
	}
}

// width is the number of columns to draw in, one left free so that no terminal wraps.
func (g *progress) width() int {
	if w := g.p.columns(g.p.StderrTerminal); w > 1 {
		return w - 1
	}
	return progressWidth - 1
}

// text says how much virtual time has passed and how much real time is left, from the
// mean speed so far.
func (g *progress) text(done, elapsed time.Duration) string {
	share := float64(done) / float64(g.total)
	text := fmt.Sprintf("%s of %s of virtual time", done.Round(time.Second), g.total.Round(time.Second))
	if share <= 0 {
		return text
	}
	left := time.Duration(float64(elapsed) * (1 - share) / share)
	return fmt.Sprintf("%s, about %s left", text, max(left, time.Second).Round(time.Second))
}
