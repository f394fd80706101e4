package actions

import (
	"strings"
	"testing"
)

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		annotation Annotation
		want       string
	}{
		{Annotation{Level: LevelError, File: "a.yaml", Line: 3, Column: 5, Title: "apfsim: x", Message: "no"},
			"::error file=a.yaml,line=3,col=5,title=apfsim%3A x::no"},
		{Annotation{Level: LevelWarning, File: "a,b:c%.yaml", Message: "50% of a: b, c\r\nd"},
			"::warning file=a%2Cb%3Ac%25.yaml::50%25 of a: b, c%0D%0Ad"},
		{Annotation{Level: LevelNotice, Line: 3, Column: 5, Title: "a\nb", Message: "::error::x"},
			"::notice title=a%0Ab::::error::x"},
		{Annotation{Level: LevelError, File: "a", Column: 5, Title: strings.Repeat("ü", 300)},
			"::error file=a,title=" + strings.Repeat("ü", 252) + "...::"},
	} {
		if got := c.annotation.String(); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a: b": "a: b", "a\n::error::b": "a ::error::b", " ::error::b": "-  ::error::b", "x ##[error]y": "x ## [error]y", "\r::stop": "-  ::stop",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
