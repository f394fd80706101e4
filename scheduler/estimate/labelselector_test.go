package estimate

import (
	"strings"
	"testing"
)

func TestValidLabels(t *testing.T) {
	long := strings.Repeat("x", 63)
	for selector, want := range map[string]bool{
		"": true, "  ": true, "a": true, "!a": true, "! a": true, "!!a": false, "!": false,
		"a=b": true, "a==b": true, "a!=b": true, "a = b": true, "a===b": false, "a=!b": false,
		"a=": true, "a!=": true, "a=,b": true, "=b": false, "a=b c": false, "a b": false,
		"a,b": true, "a,": false, ",a": false, "a,,b": false, "a=b,!c,d in (e,f)": true,
		"a in (b)": true, "a notin (b,c)": true, "a in ()": true, "a in (,)": true, "a in (b,)": true, "a in (,b,,c)": true,
		"a in": false, "a in (": false, "a in (b": false, "a in b": false, "a in (b c)": false, "a in (b))": false, "a in (b=c)": false,
		"in in (in,notin)": true, "in": true, "notin=in": true, "a in(b)": true, "a inn (b)": false, "a in (b),c": true, "a in (b) c": false,
		"!a in (b)": false, "!a=b": false,
		"a>1": true, "a<12": true, "a>": false, "a>b": false, "a>-1": false, "a>1.5": false, "a>9223372036854775808": false, "a>=1": false,
		"x.io/a=b": true, "x.io/a.b_c-d=b": true, "X.io/a=b": false, "x..io/a=b": false, "/a=b": false, "x/y/z": false, "x/": false,
		"-a=b": false, "a-=b": false, "a=-b": false, "a=b_": false, "a=b.c": true, "a=b/c": false, "é": false, "a=é": false,
		long: true, long + "x": false, "a=" + long: true, "a=" + long + "x": false,
		strings.Repeat("d.", 126) + "d/a": true, strings.Repeat("d.", 127) + "d/a": false,
		"a\t=\r\nb": true, "a)": false, "(a)": false,
		"a\x00": true, "a=\x00b": true, "\x00((": true, "a\x00b": false, "a,\x00b": true, "a\x00\x00((": true,
	} {
		if got := validLabels(selector); got != want {
			t.Errorf("%q: %v", selector, got)
		}
	}
}
