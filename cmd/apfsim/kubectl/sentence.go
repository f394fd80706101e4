package kubectl

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scenarios/explain"
)

// Fault is what is wrong with a command line, or what of it is not understood.
type Fault struct{ Message, Hint string }

// Error returns the message, without the hint.
func (f *Fault) Error() string { return f.Message }

func faultf(hint, format string, args ...any) error {
	return &Fault{Message: fmt.Sprintf(format, args...), Hint: hint}
}

func quote(s string) string { return strconv.Quote(s) }

// Identity is who a command line says that it acts as.
type Identity struct {
	// User is that of --as, "" without it. Groups are those of --as-group.
	User   string
	Groups []string
}

// Command is a command line that was understood.
type Command struct {
	// Requests are what it sends, in order, without a user.
	Requests []explain.Request
	As       Identity
}

// ReadFile reads a manifest that a command line names.
type ReadFile func(name string) ([]byte, error)

// Parse understands the words after "kubectl". The error is a *Fault, or that of a file.
func Parse(words []string, read ReadFile) (*Command, error) {
	s := &sentence{text: "kubectl " + strings.Join(words, " "), read: read}
	path, v, rest, err := findVerb(words)
	if err != nil {
		return nil, err
	}
	if err := s.parse(path, v.flags, rest); err != nil {
		return nil, err
	}
	s.verb = path
	if err := v.send(s); err != nil {
		return nil, err
	}
	return &Command{Requests: s.requests, As: Identity{s.string("as"), s.strings("as-group")}}, nil
}

// verb is one of kubectl's.
type verb struct {
	// flags are its own, as define reads them.
	flags string
	// send adds the requests.
	send func(*sentence) error
}

// sentence is a command line on its way to requests.
type sentence struct {
	text, verb string
	read       ReadFile
	flags      *pflag.FlagSet
	// args are the words that are no flags; after are those behind "--".
	args, after []string
	requests    []explain.Request
}

// globalFlags are those of every verb, of which a few decide.
const globalFlags = `n/namespace=string as=string as-group=strings as-uid=string request-timeout=string
	context=string cluster=string user=string kubeconfig=string s/server=string token=string
	v/v=string cache-dir=string certificate-authority=string client-certificate=string client-key=string
	insecure-skip-tls-verify=bool tls-server-name=string match-server-version=bool
	disable-compression=bool warnings-as-errors=bool as-user-extra=strings`

// define adds flags to a set: words of SHORT/NAME=TYPE, without the short form where there
// is none. A type "text" is a string that may be left out, as that of --dry-run.
func define(set *pflag.FlagSet, text string) {
	for _, word := range strings.Fields(text) {
		name, kind, _ := strings.Cut(word, "=")
		short, long, ok := strings.Cut(name, "/")
		if !ok {
			short, long = "", name
		}
		switch kind {
		case "bool":
			set.BoolP(long, short, false, "")
		case "strings":
			set.StringArrayP(long, short, nil, "")
		case "text":
			set.StringP(long, short, "", "")
			set.Lookup(long).NoOptDefVal = "client"
		default:
			set.StringP(long, short, "", "")
		}
	}
}

// findVerb finds the verb of a command line: its first words that are no flags of the
// kind that may stand before it.
func findVerb(words []string) (path string, v verb, rest []string, err error) {
	before := pflag.NewFlagSet("kubectl", pflag.ContinueOnError)
	before.SetInterspersed(false)
	before.SetOutput(io.Discard)
	define(before, globalFlags)
	if err := before.Parse(words); err != nil {
		return "", verb{}, nil, flagFault("kubectl", before, err)
	}
	args := before.Args()
	flags := words[:len(words)-len(args)]
	if len(args) == 0 {
		return "", verb{}, nil, faultf("as in apfsim explain kubectl get pods", "the sentence has no verb after kubectl")
	}
	n := 1
	v, ok := verbs[args[0]]
	if !ok && len(args) > 1 {
		v, ok = verbs[args[0]+" "+args[1]]
		n = 2
	}
	if ok {
		return strings.Join(args[:n], " "), v, append(append([]string{}, flags...), args[n:]...), nil
	}
	return "", verb{}, nil, unknownVerb(args)
}

// unknownVerb says which verbs are understood.
func unknownVerb(args []string) error {
	var legal, second []string
	for _, name := range verbNames {
		first, rest, two := strings.Cut(name, " ")
		legal = append(legal, first)
		if two && first == args[0] {
			second = append(second, rest)
		}
	}
	if len(second) > 0 {
		given := ""
		if len(args) > 1 {
			given = " " + args[1]
		}
		return faultf("understood are kubectl "+args[0]+" "+strings.Join(second, ", "), "kubectl %s%s is not understood", args[0], given)
	}
	if near, ok := suggest.Nearest(args[0], legal); ok {
		return faultf("did you mean kubectl "+near+"?", "kubectl %s is not understood", args[0])
	}
	return faultf("describe its requests with --verb, --resource and so on", "kubectl %s is not understood", args[0])
}

// parse reads the flags and the other words.
func (s *sentence) parse(path, flags string, words []string) error {
	s.flags = pflag.NewFlagSet("kubectl "+path, pflag.ContinueOnError)
	s.flags.SetOutput(io.Discard)
	define(s.flags, globalFlags)
	define(s.flags, flags)
	if err := s.flags.Parse(words); err != nil {
		return flagFault("kubectl "+path, s.flags, err)
	}
	s.args = s.flags.Args()
	if n := s.flags.ArgsLenAtDash(); n >= 0 {
		s.args, s.after = s.args[:n], s.args[n:]
	}
	if t := s.string("request-timeout"); t != "" && t != "0" {
		if _, err := s.timeout(); err != nil {
			return err
		}
	}
	return nil
}

// flagFault turns an error of the flag parser into a fault.
func flagFault(command string, set *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return faultf("", "%s: %s", command, err)
	}
	name := "--" + unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		name = "-" + unknown.GetSpecifiedName()
	}
	var legal []string
	set.VisitAll(func(f *pflag.Flag) { legal = append(legal, "--"+f.Name) })
	hint := "leave it out if it does not change what is asked for; flags of apfsim go before kubectl"
	if near, ok := suggest.Nearest(name, legal); ok {
		hint = "did you mean " + near + "? Flags of apfsim go before kubectl"
	}
	return faultf(hint, "the flag %s of %s is not understood", name, command)
}

// string and so on return the value of a flag, the zero value if the verb has none such.
func (s *sentence) string(name string) string {
	v, _ := s.flags.GetString(name)
	return v
}

func (s *sentence) strings(name string) []string {
	v, _ := s.flags.GetStringArray(name)
	return v
}

func (s *sentence) bool(name string) bool {
	v, _ := s.flags.GetBool(name)
	return v
}

// namespace is the one that the command line is about.
func (s *sentence) namespace() string {
	if s.bool("all-namespaces") {
		return ""
	}
	if n := s.string("namespace"); n != "" {
		return n
	}
	return "default"
}

// timeout is that of --request-timeout, which is sent with every request.
func (s *sentence) timeout() (time.Duration, error) {
	text := s.string("request-timeout")
	if text == "" || text == "0" {
		return 0, nil
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return time.Duration(n) * time.Second, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, faultf("a whole number of seconds, or a duration such as 30s", "--request-timeout %s is no duration", text)
	}
	return d, nil
}

// ask adds a request. query is nil or holds the options of a LIST or WATCH.
func (s *sentence) ask(purpose, method, path string, query url.Values) error {
	target := (&url.URL{Path: path, RawQuery: query.Encode()}).String()
	r, err := explain.FromURL(method, target)
	if err != nil {
		return &Fault{Message: err.Error()}
	}
	if r.Timeout, err = s.timeout(); err != nil {
		return err
	}
	r.From, r.Purpose = s.text, purpose
	s.requests = append(s.requests, r)
	return nil
}

// note adds something that was taken for granted to the latest request.
func (s *sentence) note(text string) {
	r := &s.requests[len(s.requests)-1]
	r.Notes = append(r.Notes, text)
}
