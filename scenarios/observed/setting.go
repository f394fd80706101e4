package observed

// setting is what metrics do not tell of the traffic of a level, and runs can be tried with.
type setting struct {
	// flows and light are factors of the numbers of flows: of all, and of those of the light class.
	flows, light float64
	// together tells that the widest requests take the longest, and else that both are drawn apart.
	together bool
	// from and over say in which part of the interval requests come, as shares of it: those of the
	// heavy class, or if there is but one, or with whole, all.
	from, over float64
	whole      bool
	// backlog is over which time before the interval those came who wait at its beginning, as a share
	// of how long they may wait; 0 leaves them out.
	backlog float64
	// retries tells that who is rejected comes again, as client-go does, and that this is among the arrivals.
	retries bool
	// held is how many requests of the heavy class are there all the time, one after the other; 0 lets
	// them come at random.
	held int
}

// plain is the setting to begin with.
var plain = setting{flows: 1, light: 1, over: 1}

// move makes another setting of one.
type move func(setting) setting

// stage is a number of moves from the best setting up to then. The best of them is the next one.
type stage []move

// trials are the factors by which the numbers of flows are tried. Shuffle sharding follows from
// how many flows there are by powers, not by single flows.
var trials = []float64{0.7, 0.5, 0.35, 0.25, 0.1, 1.4, 2, 4, 8}

// stages are what is tried, one after the other, twice: what is best of one thing depends on the others. Over
// several intervals, which tell of the course of things, only flows and widths are tried.
func stages(single bool) []stage {
	if !single {
		return []stage{flowStage(trials), couplings(), flowStage(trials), lightStage(trials), flowStage([]float64{0.8, 0.9, 1.1, 1.25})}
	}
	once := []stage{
		flowStage(trials),
		beginnings(),
		holds(),
		bunches([]float64{0, 0.05, 0.125, 0.25, 0.375, 0.5, 0.75, 0.875, 0.95}, []float64{0, 0.25}),
		positions(), fine(1. / 24), fine(1. / 48),
		stretches(),
		flowStage(trials), lightStage(trials),
		retryStage(),
		flowStage([]float64{0.7, 0.85, 1.2, 1.4}),
		beginnings(),
		positions(),
		stretches(),
		flowStage([]float64{0.8, 0.9, 1.1, 1.25}),
		stretches(),
		fine(1. / 24), fine(1. / 48), fine(1. / 96), fine(1. / 192),
	}
	return append(once, once...)
}

func flowStage(factors []float64) (out stage) {
	for _, f := range factors {
		out = append(out, func(s setting) setting { s.flows *= f; return s })
	}
	return out
}

func lightStage(factors []float64) (out stage) {
	for _, f := range factors {
		out = append(out, func(s setting) setting {
			if s.together {
				s.light *= f
			}
			return s
		})
	}
	return out
}

// couplings are whether widths and times go together.
func couplings() (out stage) {
	for _, together := range []bool{false, true} {
		out = append(out, func(s setting) setting { s.together = together; return s })
	}
	return out
}

// beginnings are ways to couple widths and times, and to begin.
func beginnings() (out stage) {
	for _, backlog := range []float64{0, 0.95, 0.5, 0.1} {
		for _, together := range []bool{false, true} {
			out = append(out, func(s setting) setting { s.backlog, s.together = backlog, together; return s })
		}
	}
	return out
}

// holds let requests of the heavy class be there all the time.
func holds() (out stage) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16} {
		out = append(out, func(s setting) setting { s.together, s.held = s.together || n > 0, n; return s })
	}
	return out
}

// bunches let requests come in a part of the interval.
func bunches(overs, froms []float64) (out stage) {
	for _, whole := range []bool{true, false} {
		for _, over := range overs {
			for _, from := range froms {
				out = append(out, func(s setting) setting {
					s.over, s.whole = over, whole
					s.from = min(from, 1-s.over)
					if !whole {
						s.together = true
					}
					return s
				})
			}
		}
	}
	return out
}

// positions move the part of the interval to each twelfth of it, and to the end.
func positions() (out stage) {
	for i := range 12 {
		out = append(out, func(s setting) setting {
			if s.over < 1 {
				s.from = min(float64(i)/12, 1-s.over)
			}
			return s
		})
	}
	out = append(out, func(s setting) setting { s.from = 1 - s.over; return s })
	return out
}

// stretches change the length of the part.
func stretches() (out stage) {
	for _, f := range []float64{0.6, 0.75, 0.85, 0.93, 1.07, 1.15, 1.3, 1.6} {
		out = append(out, func(s setting) setting {
			if s.over < 1 {
				s.over = min(s.over*f, 1-s.from)
			}
			return s
		})
	}
	return out
}

// fine moves the part of the interval, and its length, by little.
func fine(by float64) (out stage) {
	for _, d := range []float64{-by, by} {
		out = append(out,
			func(s setting) setting { s.from = min(max(0, s.from+d), 1-s.over); return s },
			func(s setting) setting { s.over = min(max(0, s.over+d), 1-s.from); return s })
	}
	return out
}

// retryStage lets who is rejected come again.
func retryStage() (out stage) {
	for _, over := range []float64{0, 0.02, 0.1, 0.2, 0.4, 1} {
		for _, from := range []float64{0, 0.1, 0.2} {
			out = append(out, func(s setting) setting {
				s.retries = true
				s.over = over
				s.from = min(from, 1-s.over)
				s.whole = true
				return s
			})
		}
	}
	return append(out, func(s setting) setting { s.retries = true; return s })
}
