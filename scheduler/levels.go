package scheduler

import (
	"cmp"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/borrowing"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/retryafter"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// level is one priority level.
type level struct {
	info       LevelInfo
	config     fairqueue.Config
	set        *fairqueue.Set
	retryAfter retryafter.Tracker
	// dealer is nil unless there are several queues; onlyQueue is the hand of every
	// request of a level with one queue, and nil elsewhere.
	dealer    *shuffle.Dealer
	onlyQueue []int32
}

// LevelInfo is what is known of a priority level.
type LevelInfo struct {
	Name   string
	Exempt bool
	// Queues is 0 for a level without queues; HandSize and QueueLengthLimit are then 0.
	Queues, HandSize, QueueLengthLimit int
	// Limits bound the seats of the level.
	borrowing.Limits
	// Current is the limit in force.
	Current int
	// MaxSeats bounds the width of a request to this level; 0 is no bound of its own.
	MaxSeats int
	// Stats is the demand as the last adjustment saw it.
	Stats borrowing.Stats
}

// makeLevels creates the levels in the order of their names, with their first limits.
func (s *Server) makeLevels(now time.Duration) {
	configs := slices.Clone(s.cfg.PriorityLevels)
	slices.SortFunc(configs, func(a, b PriorityLevel) int { return cmp.Compare(a.Name, b.Name) })
	shares := make([]borrowing.Shares, len(configs))
	for i, c := range configs {
		shares[i] = borrowing.Shares{
			Shares:                c.Shares,
			LendablePercent:       c.LendablePercent,
			BorrowingLimitPercent: c.BorrowingLimitPercent,
		}
	}
	limits := borrowing.Nominal(s.cfg.Seats, shares)
	for i, c := range configs {
		l := makeLevel(c, limits[i], now)
		if c.Name == CatchAll {
			// Before upstream's controller has read any object it knows the mandatory
			// levels alone, of which this one has all the shares. It keeps that limit if
			// the first allocation among all levels has no solution.
			l.info.Current = s.cfg.Seats
		}
		s.levels = append(s.levels, l)
	}
}

func makeLevel(c PriorityLevel, limits borrowing.Limits, now time.Duration) level {
	l := level{
		info: LevelInfo{Name: c.Name, Exempt: c.Exempt, Limits: limits, Current: limits.Initial()},
		set:  fairqueue.New(now),
	}
	if c.Exempt {
		l.config.Queues = fairqueue.Unlimited
		return l
	}
	q := c.Queuing
	if q == nil {
		return l
	}
	l.config = fairqueue.Config{
		Queues:           int(q.Queues),
		HandSize:         int(q.HandSize),
		QueueLengthLimit: int(q.QueueLengthLimit),
	}
	l.info.Queues, l.info.HandSize, l.info.QueueLengthLimit = l.config.Queues, l.config.HandSize, l.config.QueueLengthLimit
	l.info.MaxSeats = borrowing.MaxSeats(limits.Nominal, l.config.HandSize)
	if q.Queues == 1 {
		l.onlyQueue = []int32{0}
		return l
	}
	dealer, err := shuffle.NewDealer(l.config.Queues, l.config.HandSize)
	if err != nil {
		panic("scheduler: a hand that was found valid is not: " + err.Error())
	}
	l.dealer = &dealer
	return l
}

// Adjust adjusts the limits of all levels to the demand since the last adjustment, and
// dispatches what then fits. It is due every ten seconds.
func (s *Server) Adjust(now time.Duration) []Decision {
	s.out = s.out[:0]
	demands := make([]borrowing.LevelDemand, len(s.levels))
	for i := range s.levels {
		l := &s.levels[i]
		l.info.Stats.Update(l.set.TakeDemand(now))
		demands[i] = borrowing.LevelDemand{
			Exempt:  l.info.Exempt,
			Limits:  l.info.Limits,
			Stats:   l.info.Stats,
			Current: l.info.Current,
		}
	}
	current, _ := borrowing.Adjust(demands)
	for i := range s.levels {
		l := &s.levels[i]
		l.info.Current = current[i]
		s.collect(int32(i), l.set.Configure(now, l.config, current[i]))
	}
	return s.out
}

// Levels returns what is known of the priority levels, in the order of their names.
func (s *Server) Levels() []LevelInfo {
	all := make([]LevelInfo, len(s.levels))
	for i := range s.levels {
		all[i] = s.levels[i].info
	}
	return all
}

// LevelState returns the state of a level's queue set at its last change.
func (s *Server) LevelState(i int) fairqueue.State { return s.levels[i].set.State() }

// QueueState returns the state of a queue of a level.
func (s *Server) QueueState(level, queue int) fairqueue.QueueState {
	return s.levels[level].set.QueueState(queue)
}
