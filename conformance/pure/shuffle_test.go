package pure

import (
	"slices"
	"testing"

	"k8s.io/apiserver/pkg/util/shufflesharding"

	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// TestDealerEqualsUpstream deals by random hashes for every size that a level may
// have, and compares what is refused around the limits.
func TestDealerEqualsUpstream(t *testing.T) {
	r := random(t, 10)
	decks := []int{-1, 0, 1<<26 - 1, 1 << 26, 1<<26 + 1, 10_000_000}
	for d := 1; d <= 70; d++ {
		decks = append(decks, d)
	}
	for range 300 {
		decks = append(decks, 1+r.IntN(1<<pick(r, 8, 12, 20, 26)))
	}
	dealers := 0
	for _, deck := range decks {
		for hand := -1; hand <= 17; hand++ {
			want, wantErr := shufflesharding.NewDealer(deck, hand)
			got, gotErr := shuffle.NewDealer(deck, hand)
			if (wantErr == nil) != (gotErr == nil) {
				t.Fatalf("NewDealer(%d, %d): error %v, want %v", deck, hand, gotErr, wantErr)
			}
			if wantErr != nil {
				continue
			}
			dealers++
			for i := range uint64(400 * *times) {
				hash := r.Uint64()
				if i < 4 { // the smallest and the largest hashes
					hash = i - 2
				}
				compareHands(t, want, got, hash)
			}
		}
	}
	if dealers < 1000 {
		t.Errorf("only %d pairs of sizes were legal", dealers)
	}
}

func compareHands(t *testing.T, want *shufflesharding.Dealer, got shuffle.Dealer, hash uint64) {
	t.Helper()
	var backWant [15]int
	var backGot [15]int32
	wantHand := want.DealIntoHand(hash, backWant[:])
	gotHand := got.Deal(hash, backGot[:])
	if !slices.EqualFunc(wantHand, gotHand, func(w int, g int32) bool { return w == int(g) }) {
		t.Fatalf("%d of %d, hash %#x: %v, want %v", got.HandSize(), got.Queues(), hash, gotHand, wantHand)
	}
}

func TestFlowHashEqualsUpstream(t *testing.T) {
	r := random(t, 11)
	text := func() string {
		b := make([]byte, r.IntN(pick(r, 4, 40, 300)))
		for i := range b {
			b[i] = pick(r, 'a', ':', 0, byte(r.IntN(256)))
		}
		return string(b)
	}
	for range 100_000 * *times {
		schema, distinguisher := text(), text()
		if got, want := shuffle.FlowHash(schema, distinguisher), hashFlowID(schema, distinguisher); got != want {
			t.Fatalf("FlowHash(%q, %q) = %#x, want %#x", schema, distinguisher, got, want)
		}
	}
}
