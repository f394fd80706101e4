package reports

import "testing"

// The bar of the largest amount has the whole room, and no amount is invisible.
func TestBar(t *testing.T) {
	for _, c := range []struct {
		n, most int64
		room    int
		want    string
	}{
		{0, 10, 10, ""}, {10, 10, 10, "##########"}, {5, 10, 10, "#####"}, {1, 1000, 10, "."},
		{44, 100, 10, "####"}, {45, 100, 10, "#####"}, {1 << 50, 1 << 50, 3, "###"}, {1, 2, 0, "#"},
	} {
		if got := bar(c.n, c.most, c.room); got != c.want {
			t.Errorf("bar(%d, %d, %d) = %q, want %q", c.n, c.most, c.room, got, c.want)
		}
	}
}
