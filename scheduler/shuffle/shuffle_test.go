package shuffle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The reference values are from sha256sum, the first eight bytes of each reversed.
func TestFlowHash(t *testing.T) {
	for _, c := range []struct {
		schema, distinguisher string
		want                  uint64
	}{
		{"", "", 0x987ab3ff9c0b346e},
		{"service-accounts", "system:serviceaccount:ci:bot-0", 0x47c2a29022b5290f},
		{"kube-scheduler", "", 0x65449dc4908c79fe},
		{strings.Repeat("x", 300), "é", 0x97524fce14cdcfb1},
	} {
		if got := FlowHash(c.schema, c.distinguisher); got != c.want {
			t.Errorf("FlowHash(%.20q, %q) = %#x, want %#x", c.schema, c.distinguisher, got, c.want)
		}
	}
}

func TestFlowHashSeparatesSchemaFromDistinguisher(t *testing.T) {
	if FlowHash("ab", "c") == FlowHash("a", "bc") {
		t.Error("ab+c and a+bc have the same hash")
	}
}

func TestNewDealerRefusesWhatItCannotDeal(t *testing.T) {
	for _, c := range []struct {
		queues, handSize int
		message          string // "" if it can
	}{
		{-100, 8, "-100 queues: at least 1 is needed"},
		{0, 1, "0 queues: at least 1 is needed"},
		{100, 0, "hand size 0: at least 1 is needed"},
		{100, -3, "hand size -3: at least 1 is needed"},
		{100, 101, "hand size 101 exceeds the 100 queues"},
		{1 << 26, 2, ""},
		{1<<26 + 1, 2, "67108865 queues exceed the limit of 67108864"},
		{512, 8, "hands of 8 of 512 queues take 72 bits of the hash, more than the limit of 60"},
		{1024, 6, ""},
		{1025, 6, "hands of 6 of 1025 queues take 61 bits of the hash, more than the limit of 60"},
	} {
		_, err := NewDealer(c.queues, c.handSize)
		if got := fmt.Sprint(err); err == nil && c.message != "" || err != nil && got != c.message {
			t.Errorf("NewDealer(%d, %d): %v, want %q", c.queues, c.handSize, err, c.message)
		}
	}
}

// The largest hands, from the entropy that they take.
func TestLargestHands(t *testing.T) {
	for queues, largest := range map[int]int{
		1: 1, 2: 2, 4: 4, 8: 8, 15: 15, 16: 15, 17: 14, 32: 12, 64: 10, 128: 8, 256: 7, 512: 6, 1024: 6, 4096: 5, 10_000_000: 2,
	} {
		if _, err := NewDealer(queues, largest); err != nil {
			t.Errorf("NewDealer(%d, %d): %v", queues, largest, err)
		}
		if _, err := NewDealer(queues, largest+1); err == nil {
			t.Errorf("NewDealer(%d, %d) is possible", queues, largest+1)
		}
	}
}

// drawDealer draws a dealer of any legal sizes.
func drawDealer(t *rapid.T) Dealer {
	queues := rapid.OneOf(rapid.IntRange(1, 20), rapid.IntRange(1, 1024), rapid.IntRange(1, MaxQueues)).Draw(t, "queues")
	d, err := NewDealer(queues, rapid.IntRange(1, maxHandSize).Draw(t, "handSize"))
	if err != nil {
		t.Skip(err)
	}
	return d
}

// The definition in words: lay the queues out in order, and draw at the place that
// the next digit of the hash tells, again and again without putting back.
func TestDealDrawsWithoutPuttingBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queues := rapid.IntRange(1, 300).Draw(t, "queues")
		d, err := NewDealer(queues, rapid.IntRange(1, maxHandSize).Draw(t, "handSize"))
		if err != nil {
			t.Skip(err)
		}
		hash := rapid.Uint64().Draw(t, "hash")
		var deck, want []int32
		for q := range queues {
			deck = append(deck, int32(q))
		}
		for rest := hash; len(want) < d.HandSize(); {
			place := rest % uint64(len(deck))
			rest /= uint64(len(deck))
			want = append(want, deck[place])
			deck = slices.Delete(deck, int(place), int(place)+1)
		}
		if got := d.Deal(hash, nil); !slices.Equal(got, want) {
			t.Fatalf("hand %v, want %v", got, want)
		}
	})
}

func TestDealGivesDifferentQueuesInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDealer(t)
		hand := d.Deal(rapid.Uint64().Draw(t, "hash"), nil)
		if len(hand) != d.HandSize() {
			t.Fatalf("%d cards, want %d", len(hand), d.HandSize())
		}
		slices.Sort(hand)
		if hand[0] < 0 || int(hand[len(hand)-1]) >= d.Queues() || len(slices.Compact(hand)) != d.HandSize() {
			t.Fatalf("hand %v of %d queues", hand, d.Queues())
		}
	})
}

// Counting through as many hashes as there are ordered hands deals each of them once.
func TestDealIsUniform(t *testing.T) {
	d, err := NewDealer(9, 4)
	if err != nil {
		t.Fatal(err)
	}
	const ordered = 9 * 8 * 7 * 6
	seen := make(map[[4]int32]bool)
	for hash := range uint64(ordered) {
		seen[[4]int32(d.Deal(hash, nil))] = true
	}
	if len(seen) != ordered {
		t.Errorf("%d of %d ordered hands", len(seen), ordered)
	}
}

func TestDealIntoAHandThatIsLargeEnoughAllocatesNothing(t *testing.T) {
	d, err := NewDealer(16, 15)
	if err != nil {
		t.Fatal(err)
	}
	hand := make([]int32, 3, 15)
	first := &hand[0]
	if n := testing.AllocsPerRun(100, func() { hand = d.Deal(0x123456789abcdef, hand) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if first != &hand[0] {
		t.Error("the hand has moved")
	}
	if got := d.Deal(7, make([]int32, 40)); len(got) != 15 {
		t.Errorf("%d cards dealt into a longer hand", len(got))
	}
}

// The odds are for hands that are drawn independently; the dealer draws them from
// hashes of names. 40,000 mice against 3 elephants of an 8-queue deck show the odds
// within four standard errors.
func TestDealtHandsAreCoveredAsOftenAsTheOdds(t *testing.T) {
	const queues, handSize, elephants, trials = 8, 3, 3, 40_000
	d, err := NewDealer(queues, handSize)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	deal := func() (set uint) {
		for _, q := range d.Deal(FlowHash("schema", fmt.Sprint(random.Uint64())), nil) {
			set |= 1 << q
		}
		return set
	}
	squished := 0
	for range trials {
		var union uint
		for range elephants {
			union |= deal()
		}
		if deal()&^union == 0 {
			squished++
		}
	}
	p, _ := Covered(queues, handSize, elephants).Float64()
	off := float64(squished)/trials - p
	if variance := p * (1 - p) / trials; off*off > 16*variance {
		t.Errorf("%d of %d mice squished, want a part of %v", squished, trials, p)
	}
}

func BenchmarkDeal(b *testing.B) {
	d, err := NewDealer(128, 6)
	if err != nil {
		b.Fatal(err)
	}
	hand := make([]int32, 0, 6)
	for i := 0; b.Loop(); i++ {
		hand = d.Deal(uint64(i)*0x9e3779b97f4a7c15, hand)
	}
}
