// Package suggest finds the word that somebody probably meant, for the hints of
// diagnostics and of the command line.
package suggest

import "strings"

// wordMax bounds the work: no legal word is anywhere near as long.
const wordMax = 100

// Nearest returns the candidate with the fewest edits from word, ignoring case, if they
// are at most a third of the longer word's length (and at least one). Of equally near
// ones the first wins.
func Nearest(word string, candidates []string) (best string, ok bool) {
	lower := []rune(strings.ToLower(word))
	if len(lower) == 0 || len(lower) > wordMax {
		return "", false
	}
	least := -1
	for _, c := range candidates {
		other := []rune(strings.ToLower(c))
		d := Distance(lower, other)
		if d > max(1, max(len(lower), len(other))/3) {
			continue
		}
		if least < 0 || d < least {
			least, best, ok = d, c, true
		}
	}
	return best, ok
}

// Distance counts the insertions, deletions, replacements and swaps of neighbours that
// turn a into b, no letter being edited twice (optimal string alignment).
func Distance(a, b []rune) int {
	before := make([]int, len(b)+1)
	above := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
