package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler/release"
)

// apiRelease is what a release makes of the objects of flow control: which versions of
// the API it serves, which fields exist, what validation refuses, and what it does by
// itself to the objects that it made. It holds up to the next row of apiReleases.
type apiRelease struct {
	from release.Version
	// builtin is the file of the objects that the server makes by itself
	// (pkg/apis/flowcontrol/bootstrap in apiserver).
	builtin string
	// served are the versions of the API that are served without any flag, oldest first.
	served []string
	apiTraits
}

// apiTraits are yes or no in a release.
type apiTraits struct {
	// keepsSuggested tells that the server looks after its suggested objects, by their
	// annotation; before, it made them once (pkg/registry/flowcontrol/ensurer).
	keepsSuggested bool
	// borrowing tells that levels have lendablePercent and borrowingLimitPercent.
	borrowing bool
	// freeExempt tells that spec.exempt exists, and may be set for the level exempt.
	freeExempt bool
	// tellsZero tells that shares of 0 can be told from absent ones in v1, and by an
	// annotation in v1beta3. Before, the defaults of what is stored make 30 of them.
	tellsZero bool
	// takesZero tells that validation accepts shares of 0.
	takesZero bool
	// declares tells that rules marked on the types are checked besides: they find more
	// where a type is wrong.
	declares bool
}

// apiReleases are the rows in order. What holds from 1.20 on is in none of them: the
// rest of validation and of the defaults reads the same in all releases.
var apiReleases = []apiRelease{
	{release.Version{Minor: 20}, "1.20.0", []string{"v1beta1"}, apiTraits{}},
	{release.Version{Minor: 20, Patch: 7}, "1.20.7", []string{"v1beta1"}, apiTraits{}},
	{release.Version{Minor: 21}, "1.20.0", []string{"v1beta1"}, apiTraits{}},
	{release.Version{Minor: 21, Patch: 1}, "1.20.7", []string{"v1beta1"}, apiTraits{}},
	{release.Version{Minor: 22}, "1.22", []string{"v1beta1"}, keeping},
	{release.Version{Minor: 23}, "1.22", []string{"v1beta1", "v1beta2"}, keeping},
	{release.Version{Minor: 24}, "1.24", []string{"v1beta1", "v1beta2"}, keeping},
	{release.Version{Minor: 26}, "1.26", []string{"v1beta2", "v1beta3"}, lending},
	{release.Version{Minor: 28}, "1.28", []string{"v1beta2", "v1beta3"}, lendingExempt},
	{release.Version{Minor: 29}, "1.28", []string{"v1beta3", "v1"}, tellingZero},
	{release.Version{Minor: 30}, "1.28", []string{"v1beta3", "v1"}, takingZero},
	{release.Version{Minor: 32}, "1.28", []string{"v1"}, takingZero},
	{release.Version{Minor: 34}, "1.34", []string{"v1"}, takingZero},
	{release.Version{Minor: 37}, "1.34", []string{"v1"}, declaring},
}

// The traits were added one after the other, and none was taken back.
var (
	keeping       = apiTraits{keepsSuggested: true}
	lending       = apiTraits{keepsSuggested: true, borrowing: true}
	lendingExempt = apiTraits{keepsSuggested: true, borrowing: true, freeExempt: true}
	tellingZero   = apiTraits{keepsSuggested: true, borrowing: true, freeExempt: true, tellsZero: true}
	takingZero    = apiTraits{keepsSuggested: true, borrowing: true, freeExempt: true, tellsZero: true, takesZero: true}
	declaring     = apiTraits{keepsSuggested: true, borrowing: true, freeExempt: true, tellsZero: true, takesZero: true, declares: true}
)

// apiOf returns the row of a release.
func apiOf(v release.Version) *apiRelease {
	for i := len(apiReleases) - 1; i >= 0; i-- {
		if row := &apiReleases[i]; !v.Less(row.from) {
			return row
		}
	}
	panic("scenarios: no API of the release " + v.String())
}

// newFields are the fields that releases before some do not know, by their paths, and
// the first release that does.
func (a *apiRelease) newFields() map[string]string {
	out := map[string]string{}
	if !a.borrowing {
		first := firstWith(func(t apiTraits) bool { return t.borrowing })
		out["spec.limited.lendablePercent"], out["spec.limited.borrowingLimitPercent"] = first, first
	}
	if !a.freeExempt {
		out["spec.exempt"] = firstWith(func(t apiTraits) bool { return t.freeExempt })
	}
	return out
}

// firstWith returns the first release with a trait, "1.26".
func firstWith(has func(apiTraits) bool) string {
	i := slices.IndexFunc(apiReleases, func(a apiRelease) bool { return has(a.apiTraits) })
	return minorText(apiReleases[i].from.Minor)
}

func minorText(minor int) string { return fmt.Sprintf("1.%d", minor) }

// servedBy says which releases serve a version of the API: "1.23 to 1.28". It is empty
// for v1alpha1, which none of them serves unless it is told to.
func servedBy(version string) string {
	first, last := 0, 0
	for i, row := range apiReleases {
		if !slices.Contains(row.served, version) {
			continue
		}
		if first == 0 {
			first = row.from.Minor
		}
		last = release.Last.Minor
		if i+1 < len(apiReleases) {
			last = max(row.from.Minor, apiReleases[i+1].from.Minor-1)
		}
	}
	switch {
	case first == 0:
		return ""
	case last == release.Last.Minor:
		return minorText(first) + " and later"
	}
	return minorText(first) + " to " + minorText(last)
}

// Serves tells whether a release serves a version of the API without any flag. The
// version is written as objects have it: flowcontrol.apiserver.k8s.io/v1beta3.
func Serves(v release.Version, apiVersion string) bool {
	version, ok := strings.CutPrefix(apiVersion, flowGroup+"/")
	return ok && slices.Contains(apiOf(v).served, version)
}

// servedText lists the versions that the release serves as they stand in a file.
func (a *apiRelease) servedText() string {
	full := make([]string, len(a.served))
	for i, v := range a.served {
		full[i] = flowGroup + "/" + v
	}
	return strings.Join(full, ", ")
}
