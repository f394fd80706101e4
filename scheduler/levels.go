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

// level is one priority level, from when its name first comes up on for ever. It keeps
// what upstream keeps by name, whatever becomes of the object.
type level struct {
	info LevelInfo
	// spec is what the API object says, or said last.
	spec PriorityLevel
	// set is nil while the level is gone; setNumber is its place in Server.sets.
	set       fairqueue.QueueSet
	setNumber int32
	config    fairqueue.Config
	// retryAfter outlives the level: upstream never forgets the rejections of a name.
	retryAfter retryafter.Tracker
	// dealer is nil unless there are several queues; onlyQueue is the hand of every
	// request of a level with one queue, and nil elsewhere.
	dealer    *shuffle.Dealer
	onlyQueue []int32
	// refusals counts, by schema, how often it was the turn of a request that did not fit.
	refusals []uint64
}

// levelSet is a queue set and its level. A level that comes back after it has gone has a
// new set, while seats of the old one may still linger.
type levelSet struct {
	fairqueue.QueueSet
	level int32
	// schemas are those of the requests that are present, by handle.
	schemas []int32
}

// LevelStatus tells whether a level is in use.
type LevelStatus uint8

// The statuses of a level.
const (
	// Active: the level is configured.
	Active LevelStatus = iota
	// Quiescing: the level has been deleted, but requests of it wait or execute. It keeps
	// its share of the seats and gets no new requests.
	Quiescing
	// Gone: the level has been deleted, and nothing waits or executes. Seats may linger.
	Gone
)

// String returns the status in lower case.
func (s LevelStatus) String() string { return [...]string{"active", "quiescing", "gone"}[s] }

// LevelInfo is what is known of a priority level.
type LevelInfo struct {
	Name   string
	Exempt bool
	// Status tells whether the level is in use. What follows is what held last if not.
	Status LevelStatus
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

// digestLevels takes over the configured levels, in the order of their names, and
// decides what becomes of those that are not configured any more. It returns the numbers
// of the levels that are new.
func (s *Server) digestLevels(now time.Duration) (opened []int32) {
	configs := slices.Clone(s.cfg.PriorityLevels)
	slices.SortFunc(configs, func(a, b PriorityLevel) int { return cmp.Compare(a.Name, b.Name) })
	before := s.inForce
	s.inForce = nil
	wanted := map[int32]bool{}
	for i := range configs {
		number := s.levelNumber(configs[i].Name)
		wanted[number] = true
		if s.levels[number].set == nil {
			opened = append(opened, number)
			s.openLevel(now, number)
		}
		s.reshape(number, &configs[i])
		s.inForce = append(s.inForce, number)
	}
	s.quiescing = 0
	for _, number := range before {
		if !wanted[number] && s.quiesce(number) {
			s.inForce = append(s.inForce, number)
			s.quiescing++
		}
	}
	slices.SortFunc(s.inForce, func(a, b int32) int { return cmp.Compare(s.levels[a].info.Name, s.levels[b].info.Name) })
	return opened
}

// levelNumber returns the number of the level of this name, a new one for a new name.
func (s *Server) levelNumber(name string) int32 {
	if number, known := s.levelNumbers[name]; known {
		return number
	}
	number := int32(len(s.levels))
	s.levelNumbers[name] = number
	s.levels = append(s.levels, level{info: LevelInfo{Name: name, Status: Gone}})
	return number
}

// openLevel gives a queue set to a level that has none: it is new, or back after it had
// gone, of which it then knows nothing.
func (s *Server) openLevel(now time.Duration, number int32) {
	l := &s.levels[number]
	l.set, l.setNumber = fairqueue.New(now, s.profile.Queues), int32(len(s.sets))
	l.info.Stats = borrowing.Stats{}
	if s.recording {
		l.set.RecordDispatches()
	}
	s.sets = append(s.sets, levelSet{QueueSet: l.set, level: number})
	s.note(LevelAdded, number)
}

// reshape puts what the API object says of a level into force, but for its shares.
func (s *Server) reshape(number int32, c *PriorityLevel) {
	l := &s.levels[number]
	old := l.config
	switch {
	case l.info.Status == Quiescing:
		s.note(LevelRevived, number)
	case l.info.Status == Active && !sameLevel(&l.spec, c):
		s.note(LevelChanged, number)
	}
	l.info.Status, l.info.Exempt, l.spec = Active, c.Exempt, *c
	l.config = fairqueue.Config{}
	if q := c.Queuing; q != nil {
		l.config = fairqueue.Config{
			Queues:           int(q.Queues),
			HandSize:         int(q.HandSize),
			QueueLengthLimit: int(q.QueueLengthLimit),
			WaitLimit:        s.arrivalLimit(),
		}
	}
	l.info.Queues, l.info.HandSize, l.info.QueueLengthLimit = l.config.Queues, l.config.HandSize, l.config.QueueLengthLimit
	if c.Exempt {
		l.config.Queues = fairqueue.Unlimited
	}
	if l.config.Queues == old.Queues && l.config.HandSize == old.HandSize {
		return
	}
	l.dealer, l.onlyQueue = newDealer(l.config)
	s.redeal(number)
}

// newDealer returns what deals the hands of a level: a dealer, or the only hand that
// there is, or nothing for a level without queues.
func newDealer(c fairqueue.Config) (dealer *shuffle.Dealer, onlyQueue []int32) {
	switch {
	case c.Queues < 1:
		return nil, nil
	case c.Queues == 1:
		return nil, []int32{0}
	}
	d, err := shuffle.NewDealer(c.Queues, c.HandSize)
	if err != nil {
		panic("scheduler: a hand that was found valid is not: " + err.Error())
	}
	return &d, nil
}

// quiesce decides what becomes of a level that is in force and not configured any more:
// it is kept, and true returned, as long as something waits or executes in it. Seats that
// linger do not count.
func (s *Server) quiesce(number int32) bool {
	l := &s.levels[number]
	if l.set.Idle() {
		// The width of requests has no bound when a level of this name comes back without
		// queues; as long as it is there, the bound outlives the queues.
		l.set, l.info.MaxSeats = nil, 0
		l.info.Status = Gone
		s.note(LevelGone, number)
		return false
	}
	if l.info.Status == Active {
		l.info.Status = Quiescing
		s.note(LevelQuiescing, number)
	}
	return true
}

// divide divides the seats of the server among all levels in force. The new ones begin
// with a limit that follows from their part.
func (s *Server) divide(opened []int32) {
	shares := make([]borrowing.Shares, len(s.inForce))
	for i, number := range s.inForce {
		c := &s.levels[number].spec
		shares[i] = borrowing.Shares{
			Shares:                c.Shares,
			LendablePercent:       c.LendablePercent,
			BorrowingLimitPercent: c.BorrowingLimitPercent,
			Exempt:                c.Exempt,
		}
	}
	limits := s.profile.Borrowing.Nominal(s.cfg.Seats, shares)
	for i, number := range s.inForce {
		l := &s.levels[number]
		l.info.Limits = limits[i]
		if l.config.Queues > 0 {
			l.info.MaxSeats = s.profile.Borrowing.MaxSeats(limits[i].Nominal, l.config.HandSize)
		}
	}
	for _, number := range opened {
		l := &s.levels[number]
		l.info.Current = l.info.Limits.Initial()
	}
}

// Adjust adjusts the limits of all levels to the demand since the last adjustment, and
// dispatches what then fits. It is due every ten seconds. In a release without lending
// limits follow the configuration alone, and nothing happens.
func (s *Server) Adjust(now time.Duration) []Decision {
	s.out = s.out[:0]
	if s.profile.Borrowing.Lending {
		s.adjust(now)
	}
	return s.out
}

// adjust gives all levels in force the limits that are theirs now. It is due whenever a
// configuration was digested, too.
func (s *Server) adjust(now time.Duration) {
	demands := make([]borrowing.LevelDemand, len(s.inForce))
	for i, number := range s.inForce {
		l := &s.levels[number]
		l.info.Stats.Update(l.set.TakeDemand(now), s.profile.Borrowing)
		demands[i] = borrowing.LevelDemand{
			Exempt:  l.info.Exempt,
			Limits:  l.info.Limits,
			Stats:   l.info.Stats,
			Current: l.info.Current,
		}
	}
	var current []int
	current, s.fairFrac = s.profile.Borrowing.Adjust(demands)
	for i, number := range s.inForce {
		l := &s.levels[number]
		l.info.Current = current[i]
		s.collect(l.setNumber, l.set.Configure(now, l.config, current[i]))
	}
}

// Levels returns what is known of the priority levels that are or were configured, by
// their numbers: those of the beginning in the order of their names, then the others as
// they came.
func (s *Server) Levels() []LevelInfo {
	all := make([]LevelInfo, len(s.levels))
	for i := range s.levels {
		all[i] = s.levels[i].info
	}
	return all
}

// LevelState returns the state of a level's queue set at its last change, and an empty one
// if the level is gone.
func (s *Server) LevelState(i int) fairqueue.State {
	if s.levels[i].set == nil {
		return fairqueue.State{}
	}
	return s.levels[i].set.State()
}

// Panics counts the times at which the real server would have panicked in a queue set of any
// level so far: a level has lost queues, and one was removed with requests in it.
func (s *Server) Panics() int {
	n := s.panics
	for i := range s.sets {
		n += s.sets[i].Panics()
	}
	return n
}

// VirtualStart returns when the next request of a queue begins, in the virtual time of releases
// up to 1.22; 0 in others.
func (s *Server) VirtualStart(level, queue int) float64 {
	return s.levels[level].set.VirtualStart(queue)
}

// QueueState returns the state of a queue of a level that is not gone.
func (s *Server) QueueState(level, queue int) fairqueue.QueueState {
	return s.levels[level].set.QueueState(queue)
}
