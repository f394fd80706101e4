package recording

import (
	"io"
	"strings"
	"testing"
)

// TestPlain holds that what is neither text nor gzip is told by its name, with what to do.
func TestPlain(t *testing.T) {
	for _, c := range []struct{ text, name, command string }{
		{"\x28\xb5\x2f\xfd\x04", "zstd", "zstd -dc FILE"},
		{"\xfd7zXZ\x00", "xz", "xz -dc FILE"},
		{"BZh91AY", "bzip2", "bzip2 -dc FILE"},
		{"PK\x03\x04\x14", "zip", "unzip -p FILE"},
		{"\xff\xfe{\x00", "UTF-16", "iconv -f UTF-16"},
		{"\xfe\xff\x00{", "UTF-16", "iconv -f UTF-16"},
	} {
		_, err := Plain(strings.NewReader(c.text))
		if problem := Damage(err); !strings.Contains(problem, c.name) || !strings.Contains(problem, c.command) {
			t.Errorf("%q: %q", c.text, problem)
		}
	}
	for _, text := range []string{"", "P", "BZ", "\xef\xbb\xbf{}", "{}"} {
		plain, err := Plain(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got, err := io.ReadAll(plain); err != nil || string(got) != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
