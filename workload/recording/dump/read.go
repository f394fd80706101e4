package dump

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/workload/recording"
)

// File is a text that somebody has saved.
type File struct {
	Name string
	Text []byte
}

// Fault is something wrong with a page. Line and Column count from 1.
type Fault struct {
	Place
	// Problem says what is wrong, Legal what would be right, and Hint, unless it is empty, what was
	// probably meant.
	Problem, Legal, Hint string
}

// Reasons of what is left out.
const (
	leftHTTP   = "lines of the HTTP header"
	leftMetric = "samples of other metrics"
	leftBare   = "levels that the server does not count (exempt, up to 1.27)"
)

// Read reads files, each of which may hold several pages or scrapes. The account counts rows, and what
// was passed over.
func Read(files []File) (*Moment, []Fault, *recording.Account) {
	r := &reader{moment: &Moment{}, account: &recording.Account{}}
	for i := range files {
		r.file(&files[i])
	}
	r.complete()
	return r.moment, r.faults, r.account
}

// kind is which page a row is of.
type kind uint8

const (
	noPage kind = iota
	levelsPage
	queuesPage
	requestsPage
	scrapePage
	httpHeader
)

// reader reads all pages.
type reader struct {
	moment  *Moment
	account *recording.Account
	faults  []Fault

	at     Place // of the line
	page   kind
	header []cell
	server int
	seen   map[rowKey]Place
}

// rowKey is what only one row of a server may be about.
type rowKey struct {
	server int
	page   kind
	level  string
	index  int
}

func (r *reader) fault(column int, problem, legal, hint string) {
	at := r.at
	at.Column = column
	r.faults = append(r.faults, Fault{at, problem, legal, hint})
}

// file reads a file. It begins with no page: a row that belongs to none is a fault.
func (r *reader) file(f *File) {
	r.page, r.header, r.server = noPage, nil, 0
	something := false
	for i, line := range strings.Split(strings.TrimPrefix(string(f.Text), "\ufeff"), "\n") {
		r.at = Place{f.Name, i + 1, 1}
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) == "" {
			if r.page == httpHeader {
				r.page = noPage
			}
			continue
		}
		something = true
		if !r.line(line) {
			return
		}
	}
	if !something {
		r.at = Place{f.Name, 1, 1}
		r.fault(1, "the file is empty", legalPage, "")
	}
}

const legalPage = "dump_priority_levels, dump_queues or dump_requests as the server writes it, or a scrape of /metrics"

// line reads a line, and returns false if the rest of the file makes no sense after it.
func (r *reader) line(line string) bool {
	switch {
	case len(line) > 8 && strings.HasPrefix(line, "==> ") && strings.HasSuffix(line, " <=="):
		r.beginServer(line[4 : len(line)-4])
	case strings.HasPrefix(line, "HTTP/"):
		r.page = httpHeader
		r.account.LeaveOut(leftHTTP)
	case r.page == httpHeader:
		r.httpLine(line)
	case strings.HasPrefix(line, "PriorityLevelName,"):
		r.account.Lines++
		r.beginPage(line)
	case strings.HasPrefix(line, "# ") || r.page == scrapePage || isSample(line):
		r.page = scrapePage
		r.sample(line)
	case r.page == noPage:
		r.fault(1, fmt.Sprintf("no page begins with %q", shorten(line)), legalPage, hintOf(line))
		return false
	default:
		r.account.Lines++
		r.row(line)
	}
	return true
}

// hintOf guesses what was saved in place of a page.
func hintOf(line string) string {
	switch {
	case strings.HasPrefix(line, "{"):
		return "this looks like an error of the server as JSON: are you allowed to read /debug/api_priority_and_fairness?"
	case strings.HasPrefix(line, "Error from server"):
		return "this is an error of kubectl: are you allowed to read /debug/api_priority_and_fairness?"
	case strings.HasPrefix(line, "<"):
		return "this looks like HTML"
	}
	return ""
}

func shorten(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "..."
	}
	return text
}

// beginServer makes what follows the pages of a server. A name that ends in a number is that
// server's; others are numbered as they come.
func (r *reader) beginServer(name string) {
	r.page = noPage
	for i := range r.moment.Servers {
		if r.moment.Servers[i].Name == name {
			r.server = i
			return
		}
	}
	if len(r.moment.Servers) == 1 && r.moment.Servers[0].Name == "" && len(r.moment.Servers[0].Levels) == 0 {
		r.moment.Servers = nil
	}
	r.moment.Servers = append(r.moment.Servers, Server{Name: name})
	r.server = len(r.moment.Servers) - 1
}

// here is the server that the line is about.
func (r *reader) here() *Server {
	if len(r.moment.Servers) == 0 {
		r.moment.Servers = append(r.moment.Servers, Server{})
	}
	return &r.moment.Servers[r.server]
}

// httpLine passes over a line of a header, but for the date.
func (r *reader) httpLine(line string) {
	r.account.LeaveOut(leftHTTP)
	name, value, _ := strings.Cut(line, ":")
	if !strings.EqualFold(name, "date") {
		return
	}
	// It is cut to the second; the latest time of the pages is better if it is in that second.
	if at, err := time.Parse(time.RFC1123, strings.TrimSpace(value)); err == nil && r.here().Time.Before(at) {
		r.here().Time = at.UTC()
	}
}

// beginPage reads a header.
func (r *reader) beginPage(line string) {
	r.header = cutHeader(line)
	titles := make([]string, len(r.header))
	for i, c := range r.header {
		titles[i] = c.text
	}
	var known, needed []string
	s := r.here()
	switch {
	case slices.Contains(titles, "FlowSchemaName"):
		r.page, known, needed = requestsPage, keys(requestColumns), neededOfRequests
		s.Pages.Requests = true
		s.Pages.Details = s.Pages.Details || slices.Contains(titles, "Verb")
		s.Pages.Executing = s.Pages.Executing || slices.Contains(titles, "StartTime")
	case slices.Contains(titles, "Index"):
		r.page, known, needed = queuesPage, keys(queueColumns), neededOfQueues
		s.Pages.Queues = true
	default:
		r.page, known, needed = levelsPage, keys(levelColumns), neededOfLevels
		s.Pages.Levels = true
	}
	for i, c := range r.header {
		if !slices.Contains(known, c.text) {
			r.account.LeaveOut(fmt.Sprintf("column %q, which is not known", c.text))
		}
		if slices.Contains(titles[:i], c.text) {
			r.fault(c.column, fmt.Sprintf("a second column %s", c.text), "each column once", "")
		}
	}
	for _, title := range needed {
		if !slices.Contains(titles, title) {
			near, _ := suggest.Nearest(title, titles)
			hint := ""
			if near != "" && !slices.Contains(known, near) {
				hint = fmt.Sprintf("is it %q?", near)
			}
			r.fault(1, fmt.Sprintf("the column %s is missing", title), "the columns as the server writes them", hint)
		}
	}
}

var (
	neededOfLevels   = []string{"WaitingRequests", "ExecutingRequests"}
	neededOfQueues   = []string{"Index", "PendingRequests", "ExecutingRequests"}
	neededOfRequests = []string{"FlowSchemaName", "QueueIndex", "RequestIndexInQueue", "ArriveTime"}
)

func keys[T any](m map[string]column[T]) []string {
	var out []string
	// Any order: it is only searched, or suggested from by distance.
	for title := range m {
		out = append(out, title)
	}
	slices.Sort(out)
	return out
}

// row reads a row.
func (r *reader) row(line string) {
	cells := cutRow(line, r.header)
	if len(cells) != len(r.header) {
		r.account.Fault(r.at.File, int64(r.at.Line), "wrong number of cells", []byte(line))
		r.fault(1, fmt.Sprintf("%d cells below %d titles", len(cells), len(r.header)), "a cell below each title, in its place", "was the page reformatted, or cut off?")
		return
	}
	name := cells[slices.IndexFunc(r.header, func(c cell) bool { return c.text == "PriorityLevelName" })].text
	switch r.page {
	case levelsPage:
		r.levelRow(name, cells)
	case queuesPage:
		r.queueRow(name, cells)
	default:
		r.requestRow(name, cells)
	}
}

// take takes the cells of a row into what it stands for. What the server leaves empty, or writes as
// none, is left as it is.
func take[T any](r *reader, columns map[string]column[T], cells []cell, row *T, needed []string) bool {
	ok := true
	for i, c := range cells {
		title := r.header[i].text
		set, known := columns[title]
		switch {
		case !known || c.text == none:
		case c.text == "" && slices.Contains(needed[1:], title):
			r.fault(c.column, title+" is empty", "a value", "")
			ok = false
		case c.text == "":
		default:
			if legal := set(row, c.text); legal != "" {
				r.fault(c.column, fmt.Sprintf("%s: %q is not legal", title, shorten(c.text)), legal, "")
				ok = false
			}
		}
	}
	return ok
}

// level finds a level of the server, or adds it.
func (r *reader) level(name string) *Level {
	s := r.here()
	for i := range s.Levels {
		if s.Levels[i].Name == name {
			return &s.Levels[i]
		}
	}
	s.Levels = append(s.Levels, newLevel(name, r.at))
	return &s.Levels[len(s.Levels)-1]
}

func newLevel(name string, at Place) Level {
	return Level{
		Place: at, Name: name, Active: Unknown, Waiting: Unknown, Executing: Unknown,
		Dispatched: Unknown, Rejected: Unknown, TimedOut: Unknown, Cancelled: Unknown, Limit: Unknown, Nominal: Unknown,
	}
}

// once reports a second row about the same thing.
func (r *reader) once(k rowKey, what string) bool {
	if r.seen == nil {
		r.seen = map[rowKey]Place{}
	}
	if first, twice := r.seen[k]; twice {
		r.fault(1, fmt.Sprintf("%s a second time, after %s:%d", what, first.File, first.Line), "pages of one moment, and of one server unless a line ==> NAME <== is above them", "")
		return false
	}
	r.seen[k] = r.at
	return true
}

func (r *reader) levelRow(name string, cells []cell) {
	if name == "" {
		r.fault(1, "the level has no name", "the name of a priority level", "")
		return
	}
	if !r.once(rowKey{r.server, levelsPage, name, 0}, "level "+name) {
		return
	}
	l := r.level(name)
	l.Place = r.at
	take(r, levelColumns, cells, l, append([]string{""}, neededOfLevels...))
	l.Name = name
	for i, c := range r.header {
		l.Bare = l.Bare || c.text == "WaitingRequests" && cells[i].text == none
	}
	if l.Bare {
		r.account.LeaveOut(leftBare)
	}
}

func (r *reader) queueRow(name string, cells []cell) {
	q := Queue{Place: r.at, Index: Unknown, Pending: Unknown, Executing: Unknown, SeatsInUse: Unknown}
	if !take(r, queueColumns, cells, &q, append([]string{""}, neededOfQueues...)) {
		return
	}
	l := r.level(name)
	if q.Index == Unknown { // <none>: the level has no queues
		l.Bare = true
		return
	}
	if r.once(rowKey{r.server, queuesPage, name, q.Index}, fmt.Sprintf("queue %d of %s", q.Index, name)) {
		l.Queues = append(l.Queues, q)
	}
}

func (r *reader) requestRow(name string, cells []cell) {
	q := Request{Place: r.at, Queue: Unknown, InitialSeats: 1, Rest: Unknown, Order: int(r.account.Requests)}
	if !take(r, requestColumns, cells, &q, append([]string{""}, neededOfRequests...)) {
		return
	}
	if q.Phase == Waiting && q.Queue < 0 {
		r.fault(1, "a request waits in no queue", "a QueueIndex of 0 or more, or a RequestIndexInQueue of -1 for one that executes", "")
		return
	}
	r.account.Requests++
	l := r.level(name)
	l.Requests = append(l.Requests, q)
}
