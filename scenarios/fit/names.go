package fit

import (
	"strings"

	"github.com/apfsim/apfsim/workload/recording"
)

// index is what stands for the part of a name by which the members of a class differ.
const index = "{index}"

// pattern replaces those parts of a name that tell its likes apart: numbers, numbers at the end
// of words, and random words such as the hashes of replica sets. The numbers of an address are one.
func pattern(name string) string {
	if strings.IndexFunc(name, digit) < 0 {
		return name
	}
	var b strings.Builder
	for len(name) > 0 {
		n := strings.IndexFunc(name, func(c rune) bool { return !letter(c) && !digit(c) })
		if n == 0 {
			b.WriteByte(name[0])
			name = name[1:]
			continue
		}
		if n < 0 {
			n = len(name)
		}
		b.WriteString(wordPattern(name[:n]))
		name = name[n:]
	}
	text := b.String()
	for strings.Contains(text, index+"."+index) {
		text = strings.ReplaceAll(text, index+"."+index, index)
	}
	return text
}

// randomWord is how long a word of letters and digits is at least that is taken for random.
const randomWord = 5

// wordPattern replaces what is a number or random in a word of letters and digits.
func wordPattern(word string) string {
	stem := strings.TrimRightFunc(word, digit)
	if strings.IndexFunc(stem, digit) < 0 {
		if len(stem) == len(word) {
			return word
		}
		return stem + index
	}
	if len(word) >= randomWord {
		return index
	}
	return word
}

func digit(c rune) bool { return '0' <= c && c <= '9' }

func letter(c rune) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c > 127 }

// agent is the name of a client without its version: what is before the first slash or blank.
func agent(client string) string {
	if i := strings.IndexAny(client, "/ "); i >= 0 {
		return client[:i]
	}
	return client
}

// kind is what requests ask for, without what tells single requests apart.
type kind struct {
	verb, apiGroup, resource, subresource, namespace, path string
	options                                                recording.Options
}

// kindOf makes the kind of a request. Its texts are the request's.
func kindOf(r *recording.Request) kind {
	k := kind{
		verb: r.Verb, apiGroup: r.APIGroup, resource: r.Resource, subresource: r.Subresource,
		namespace: r.Namespace, path: r.Path, options: r.Options,
	}
	if k.verb != "list" && k.verb != "watch" && k.verb != "deletecollection" {
		k.options = recording.Options{}
	}
	o := &k.options
	if o.ResourceVersion != "" && o.ResourceVersion != "0" {
		o.ResourceVersion = "1" // any version is as good
	}
	if o.Continue != "" {
		o.Continue = "1"
	}
	return k
}

// general is the kind without numbers, with texts of its own.
func (k kind) general() kind {
	for _, s := range [...]*string{
		&k.verb, &k.apiGroup, &k.resource, &k.subresource, &k.options.ResourceVersion,
		&k.options.ResourceVersionMatch, &k.options.Continue, &k.options.LabelSelector,
	} {
		*s = strings.Clone(*s)
	}
	k.namespace, k.path = strings.Clone(pattern(k.namespace)), strings.Clone(pattern(k.path))
	k.options.FieldSelector = strings.Clone(pattern(k.options.FieldSelector))
	return k
}

// String is what people call it, as in "list pods".
func (k *kind) String() string {
	what := k.resource
	if k.path != "" {
		what = k.path
	}
	if k.subresource != "" {
		what += "/" + k.subresource
	}
	if k.options.Continue != "" {
		what += " (pages)"
	}
	return k.verb + " " + what
}

// Alike is what those are called in common whose names tell them apart by numbers or random words
// alone: a name with {index} in place of these.
func Alike(name string) string { return pattern(name) }
