package ci

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/internal/actions"
	"github.com/apfsim/apfsim/reports"
)

func TestWriteGitHub(t *testing.T) {
	var b strings.Builder
	err := WriteGitHub(&b, []*reports.Result{
		{Metadata: reports.Metadata{Name: "a"}, Expectations: judged()},
		{Metadata: reports.Metadata{Name: "b"}, Partial: true, Source: &reports.Source{Files: []reports.SourceFile{{Name: "b.yaml"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `::error file=a/b.yaml,line=9,col=1,title=apfsim%3A a::failed: rejected equal to 0: 7 (n=9)
::error title=apfsim%3A a::no data: cut equal to 0: nothing came
::warning file=a.yaml,line=8,title=apfsim%3A a::passed: wait below 1s: 1ms (n=1, too few)
::warning file=b.yaml,title=apfsim%3A b::The run was interrupted, and its figures are partial.
apfsim: a: 2 of 4 expectations hold
apfsim: b: nothing is expected
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// TestKeepsToTheLimit holds that there are no more annotations of a level than GitHub takes, and
// that what is more is in the log.
func TestKeepsToTheLimit(t *testing.T) {
	for n := range 14 {
		var all []actions.Annotation
		for i := range n {
			all = append(all, actions.Annotation{Level: actions.LevelError, Message: fmt.Sprintf("m%d\n::error::x", i)},
				actions.Annotation{Level: actions.LevelNotice, Message: "note"})
		}
		var b strings.Builder
		if err := WriteAnnotations(&b, all); err != nil {
			t.Fatal(err)
		}
		text := "\n" + b.String()
		for _, level := range []string{"error", "notice"} {
			if got := strings.Count(text, "\n::"+level); got != min(n, actions.Most) {
				t.Errorf("%d annotations of the level %s for %d", got, level, n)
			}
		}
		if more := strings.Contains(text, fmt.Sprintf("and %d more", n-actions.Most+1)); more != (n > actions.Most) {
			t.Errorf("for %d: %s", n, text)
		}
		for i := range n {
			if !strings.Contains(text, fmt.Sprintf("m%d", i)) {
				t.Errorf("for %d, number %d is missing", n, i)
			}
		}
	}
}
