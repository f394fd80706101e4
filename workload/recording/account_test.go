package recording

import "testing"

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"workload-low":       "workload-low",
		"größer λ 統":         "größer λ 統",
		"a\nb: c\r\td":       "a b: c  d",
		"\x7forkload":        " orkload",
		"\u0085\u2028\u2029": "   ",
		"\ufeff\ufffe\xff":   "   ",
	} {
		if got := OneLine(in); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", in, got, want)
		}
	}
}
