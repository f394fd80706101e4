package html

import (
	"slices"
	"testing"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/reports"
)

// A table leaves out its rows of zeros, a broad one its columns of zeros, and says so.
func TestTablesWithoutZeros(t *testing.T) {
	b := &builder{result: &reports.Result{}, limits: ladder[0]}
	narrow := table.New(1, "level", "arrivals", "rejected")
	narrow.Add("busy", "7", "0")
	narrow.Add("idle", "0", "-")
	g := b.grid("levels", narrow)
	if len(g.Rows) != 1 || len(g.Heading) != 3 || g.Left != "Without 1 row of zeros." {
		t.Errorf("got %d rows of %q, and %q", len(g.Rows), g.Heading, g.Left)
	}

	broad := table.New(1, "server", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	broad.Group(2, 4, "of three")
	broad.Add("0", "1", "0", "2", "0%", "3", "4", "5", "6", "7", "8")
	broad.Add("1", "1", "-", "2", "0%", "3", "4", "5", "6", "7", "8")
	g = b.grid("servers", broad)
	if want := []string{"server", "a", "c", "e", "f", "g", "h", "i", "j"}; !slices.Equal(g.Heading, want) {
		t.Errorf("got the columns %q, want %q", g.Heading, want)
	}
	if want := []span{{2, ""}, {1, "of three"}, {6, ""}}; !slices.Equal(g.Spans, want) {
		t.Errorf("got the groups %v, want %v", g.Spans, want)
	}
	if g.Left != "Nothing to tell in: b, d." || g.Rows[1][2].Text != "2" {
		t.Errorf("got %q and %q", g.Left, g.Rows[1][2].Text)
	}

	nothing := table.New(1, "level", "arrivals")
	nothing.Add("idle", "0")
	if g = b.grid("levels", nothing); len(g.Rows) != 1 {
		t.Errorf("a table of nothing else has %d rows, want its only one", len(g.Rows))
	}
}
