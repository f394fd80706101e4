package classify

import "strings"

// ruleIndex finds the rules that accept a subject, and those that accept a target, by
// looking up the words of the request instead of asking rule by rule. What it finds is
// what matchesSubjects and matchesTarget say of each rule.
//
// It pays for who and what is seen for the first time. With a thousand schemas most
// rules are about other users or other namespaces, and their words are never touched.
type ruleIndex struct {
	words    int
	subjects subjectIndex
	// first holds the first line of each rule, as line i of rule i, so that lines and
	// rules have the same bits; further holds all other lines, which are few.
	first, further lineIndex
	// found and wanted are scratch sets of lines.
	found, wanted []uint64
}

// newRuleIndex indexes rules, whose bits take so many words. It looks at every word of
// every rule once. Most rules have one line, for resources, one for other paths, or
// both; a target is one or the other, so the two can share a number.
func newRuleIndex(rules []Rule, words int) ruleIndex {
	x := ruleIndex{words: words}
	subjects := newSubjectPostings()
	first, further := newLinePostings(), newLinePostings()
	for i := range rules {
		rule, r := &rules[i], int32(i)
		for j := range rule.Subjects {
			subjects.add(r, &rule.Subjects[j])
		}
		for j := range rule.Resources {
			if j == 0 {
				first.addResource(r, &rule.Resources[j])
			} else {
				further.addResource(further.next(r), &rule.Resources[j])
			}
		}
		for j := range rule.NonResources {
			if j == 0 {
				first.addPath(r, &rule.NonResources[j])
			} else {
				further.addPath(further.next(r), &rule.NonResources[j])
			}
		}
	}
	x.subjects = subjects.index(words)
	furtherWords := wordsFor(len(further.owner))
	x.first, x.further = first.index(words), further.index(furtherWords)
	x.found = make([]uint64, max(words, furtherWords))
	x.wanted = make([]uint64, max(words, furtherWords))
	return x
}

// wordsFor returns how many 64-bit words hold so many bits, at least 1.
func wordsFor(bits int) int { return max(1, (bits+63)/64) }

// setSubject sets the bit of every rule whose subjects accept who: the rules for
// everybody, those for the user by name, those for each of the groups, and those for
// all service accounts of the user's namespace. That a rule is found more than once
// does no harm, as a bit is set or not.
func (x *ruleIndex) setSubject(rules []uint64, user string, groups []string) {
	s := &x.subjects
	s.anyone.addTo(rules)
	s.user[user].addTo(rules)
	for _, g := range groups {
		s.group[g].addTo(rules)
	}
	account, ok := strings.CutPrefix(user, accountPrefix)
	if !ok || len(s.accounts) == 0 {
		return
	}
	// A namespace has no colon, but nobody has checked that of the rule's and of the
	// user's name: every way to cut the name is tried, as a test of the prefix would.
	for i := range len(account) {
		if account[i] == ':' {
			s.accounts[account[:i]].addTo(rules)
		}
	}
}

// setTarget sets the bit of every rule that accepts the target. A rule accepts it if
// any of its lines does, so what the two parts of the index find is put together.
func (x *ruleIndex) setTarget(rules []uint64, t *Target) {
	if x.first.find(x.found[:x.words], x.wanted, t) {
		for w := range rules {
			rules[w] |= x.found[w]
		}
	}
	if len(x.further.owner) == 0 {
		return
	}
	found := x.found[:wordsFor(len(x.further.owner))]
	if x.further.find(found, x.wanted, t) {
		forEachBit(found, func(line int) {
			r := x.further.owner[line]
			rules[r/64] |= 1 << (r % 64)
		})
	}
}

// accountPrefix begins the user name of every service account.
const accountPrefix = "system:serviceaccount:"

// subjectIndex finds the rules that accept a subject.
type subjectIndex struct {
	// anyone holds the rules for every user or every group.
	anyone posting
	// user finds rules by the name of a user or by the user name of a service account,
	// group by the name of a group, accounts by the namespace of which they accept all
	// service accounts.
	user, group, accounts map[string]posting
}

// subjectPostings gathers what a subjectIndex will hold.
type subjectPostings struct {
	anyone                []int32
	user, group, accounts map[string][]int32
}

func newSubjectPostings() *subjectPostings {
	return &subjectPostings{user: map[string][]int32{}, group: map[string][]int32{}, accounts: map[string][]int32{}}
}

// add enters a subject of rule r. A service account by name is a user by another name,
// since upstream compares the user name that the account's token gives; only the
// wildcard leaves a part of that name open.
func (p *subjectPostings) add(r int32, s *SubjectRule) {
	switch {
	case s.Kind == ServiceAccount && s.Name == wildcard:
		p.accounts[s.Namespace] = append(p.accounts[s.Namespace], r)
	case s.Kind == ServiceAccount:
		name := accountPrefix + s.Namespace + ":" + s.Name
		p.user[name] = append(p.user[name], r)
	case s.Name == wildcard:
		p.anyone = append(p.anyone, r)
	case s.Kind == User:
		p.user[s.Name] = append(p.user[s.Name], r)
	case s.Kind == Group:
		p.group[s.Name] = append(p.group[s.Name], r)
	}
}

func (p *subjectPostings) index(words int) subjectIndex {
	return subjectIndex{
		anyone: newPosting(p.anyone, words),
		user:   newPostings(p.user, words), group: newPostings(p.group, words), accounts: newPostings(p.accounts, words),
	}
}
