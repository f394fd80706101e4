package html

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
)

// written is the page of results.
func written(t testing.TB, results ...*reports.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, results); err != nil {
		t.Fatal(err)
	}
	if b.Len() >= MaxSize {
		t.Errorf("the page has %d bytes", b.Len())
	}
	return b.String()
}

// A saved result gives the same page, and so does the same result.
func TestSavedResultsGiveTheSamePage(t *testing.T) {
	r := simulated(t, crowd(t, 3), 2)
	saved := renamed(t, r, func(s string) string { return s })
	first := written(t, r)
	if again := written(t, saved); again != first {
		t.Error("the page of a result that was saved is another one")
	}
	if two := written(t, r, saved); strings.Count(two, "<article ") != 2 || strings.Count(two, "<h1>") != 1 {
		t.Error("two results are not two articles under one heading")
	}
	for _, want := range []string{
		"1 of 2 expectations failed", "rejected of client clients-0 equal to 0: 12 (n=100)", "crowd.yaml:3:5", "apfsim run crowd",
		"metadata: {name: crowd}", "Flow schemas, in the order of matching", "Group *", r.Configuration, r.Replications[1].Fingerprint,
		"found their queue full", "<svg ", "Waits in the buckets of the server&#39;s metric", "Fairness of levels with two flows or more",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(first, `id="more"`) {
		t.Error("something is among the other figures: give it a place in plans")
	}
	for _, twice := range []string{"Who held the seats of work", "Waits in "} {
		if n := strings.Count(first, "<h3>"+twice); n != 1 {
			t.Errorf("%d sections begin with %q, want a chart and not its table beside it", n, twice)
		}
	}
}

// hostile are names that mean something where they must not.
var hostile = []string{
	`<script>alert(1)</script>"><img src=x onerror=alert(1)>`, `'"></style></script><script src=//x.invalid></script>`,
	"{{.}}{{template \"page\"}}javascript:alert(1)]]><svg onload=alert(1)>", "a\u202egnp.exe\u0000\ufffe\n\t b<!--&lt;b&gt;",
	strings.Repeat("long", 200) + strings.Repeat("很长 ", 100), "",
}

// Names can hold anything; they are text and nothing else.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	r := simulated(t, crowd(t, 3), 1)
	clean := tags(written(t, r))
	for _, evil := range hostile {
		page := written(t, renamed(t, r, func(s string) string { return evil + s }))
		// A chart may leave out what has no room, and a long text is cut; nothing is added.
		got := tags(page)
		for _, tag := range []string{"script", "style", "img", "link", "article", "section", "table", "details", "meta", "h1", "h2", "code"} {
			if got[tag] != clean[tag] {
				t.Errorf("%.40q: %d of <%s>, want %d", evil, got[tag], tag, clean[tag])
			}
		}
		if strings.Contains(page, "<svg onload") || strings.Contains(page, "<!--") || strings.Contains(page, "\x00") {
			t.Errorf("%.40q stands in the page as it is", evil)
		}
	}
}

var tag = regexp.MustCompile(`<([a-z0-9]+)[ >]`)

// tags counts the tags of a page.
func tags(page string) map[string]int {
	count := map[string]int{}
	for _, m := range tag.FindAllStringSubmatch(page, -1) {
		count[m[1]]++
	}
	return count
}

// However much there is, the page is small, and says what it leaves out.
func TestHugeResults(t *testing.T) {
	t.Parallel()
	small := simulated(t, crowd(t, 3), 1)
	many := make([]*reports.Result, 12)
	for i := range many {
		many[i] = small
	}
	if page := written(t, many...); strings.Count(page, "<article ") != len(many) {
		t.Error("not all results are in the page")
	}
	grow(small)
	page := written(t, small)
	for _, want := range []string{"of 803 rows", "of 302 rows", "The first ", " files more"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	small.Populations = small.Populations[:100]
	written(t, renamed(t, small, func(s string) string { return strings.Repeat("x", 900) + s }))
	var b bytes.Buffer
	if err := Write(&b, many[:2]); err != nil && b.Len() > 0 {
		t.Error("half a page was written")
	}
}

// grow adds what large installations have.
func grow(r *reports.Result) {
	for i := range 300 {
		name := fmt.Sprintf("schema-%03d", i)
		s := r.FlowControl.FlowSchemas[0]
		s.Name = name
		s.Rules = append(s.Rules[:1:1], s.Rules[0], s.Rules[0])
		r.FlowControl.FlowSchemas = append(r.FlowControl.FlowSchemas, s)
		f := r.FlowSchemas[0]
		f.Name = name
		r.FlowSchemas = append(r.FlowSchemas, f)
	}
	for i := range 800 {
		p := r.Populations[0]
		p.Name = fmt.Sprintf("population-%04d", i)
		r.Populations = append(r.Populations, p)
	}
	for range 300 {
		r.Expectations = append(r.Expectations, r.Expectations[1])
	}
	text := strings.Repeat("# a line of a manifest <&>\n", 3000)
	for i := range 7 {
		r.Source.Files = append(r.Source.Files, reports.SourceFile{Name: fmt.Sprintf("manifest-%d.yaml", i), Text: text[:64<<10], Cut: true})
	}
}

// The policy allows the one script that is there, and nothing else.
func TestPolicyAllowsTheScript(t *testing.T) {
	page := written(t, simulated(t, crowd(t, 1), 1))
	_, rest, _ := strings.Cut(page, "<script>")
	script, _, found := strings.Cut(rest, "</script>")
	if !found {
		t.Fatal("the page has no script")
	}
	sum := sha256.Sum256([]byte(script))
	want := base64.StdEncoding.EncodeToString(sum[:])
	_, policy, _ := strings.Cut(page, `http-equiv="Content-Security-Policy" content="`)
	policy, _, _ = strings.Cut(policy, `">`)
	policy = strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy)
	if wanted := "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + want + "'; img-src data:; base-uri 'none'; form-action 'none'"; policy != wanted {
		t.Errorf("the policy is\n%s\nwant\n%s", policy, wanted)
	}
	for _, never := range []string{"http://", "https://", "localStorage", "url(", "@import", "Date(", "fetch("} {
		if at := strings.Index(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), never); at >= 0 {
			t.Errorf("the page holds %q", never)
		}
	}
}

// broken is a writer that takes nothing.
type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteTellsOfFaults(t *testing.T) {
	if err := Write(broken{}, []*reports.Result{simulated(t, crowd(t, 1), 1)}); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}
