// Package release knows the releases of Kubernetes and how API Priority and Fairness
// differs between them.
package release

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a release of Kubernetes 1.x. Patch is Newest where only the minor release
// is known, and stands for the last patch of it.
type Version struct {
	Minor, Patch int
}

// Newest is the Patch of a version that tells none. It is above all patches there are.
const Newest = 1 << 20

// The releases that are known.
var (
	First = Version{Minor: 20}
	Last  = Version{Minor: 37, Patch: Newest}
)

// versionText accepts what tools print: a v in front, and what a vendor appends.
var versionText = regexp.MustCompile(`^v?1\.(\d{1,3})(?:\.(\d{1,4})(?:[-+].*)?)?$`)

// Parse reads a version as people and tools write it: 1.28, 1.28.4, v1.28.4-eks-5e0fdde.
func Parse(text string) (Version, error) {
	m := versionText.FindStringSubmatch(text)
	if m == nil {
		return Version{}, fmt.Errorf("%q is no version of Kubernetes", text)
	}
	v := Version{Patch: Newest}
	v.Minor, _ = strconv.Atoi(m[1]) // digits, and few of them
	if m[2] != "" {
		v.Patch, _ = strconv.Atoi(m[2])
	}
	if v.Less(First) || Last.Less(v) {
		return Version{}, fmt.Errorf("the release %s is not known", v)
	}
	return v, nil
}

// Compare orders versions, as cmp.Compare does.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// Less tells whether v is older than w.
func (v Version) Less(w Version) bool { return v.Compare(w) < 0 }

// String returns "1.28.4", or "1.28" if the patch is not told.
func (v Version) String() string {
	if v.Patch == Newest {
		return fmt.Sprintf("1.%d", v.Minor)
	}
	return fmt.Sprintf("1.%d.%d", v.Minor, v.Patch)
}
