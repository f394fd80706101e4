package explain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// subjectText shows a subject of a rule.
func subjectText(s *scheduler.SubjectRule) string {
	name := quotedIfEmpty(s.Name)
	if s.Kind == scheduler.ServiceAccount {
		name = s.Namespace + "/" + name
	}
	return s.Kind.String() + " " + name
}

// subjectMiss says what a user is not whom a subject does not accept.
func subjectMiss(s *scheduler.SubjectRule) string {
	switch name := quotedIfEmpty(s.Name); {
	case s.Kind == scheduler.Group:
		return "not in the group " + name
	case s.Kind == scheduler.User:
		return "not " + name
	case s.Name == "*":
		return "no service account of the namespace " + s.Namespace
	default:
		return "not the service account " + s.Namespace + "/" + name
	}
}

// durationText shows a duration without the parts that are zero: 1m and not 1m0s.
func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// resourceLineText shows one of the resourceRules.
func resourceLineText(r *scheduler.ResourceRule) string {
	text := fmt.Sprintf("verbs %s, apiGroups %s, resources %s", list(r.Verbs), list(r.APIGroups), list(r.Resources))
	if len(r.Namespaces) > 0 {
		text += ", namespaces " + list(r.Namespaces)
	}
	if r.ClusterScope {
		text += ", clusterScope"
	}
	return text
}

// pathLineText shows one of the nonResourceRules.
func pathLineText(r *scheduler.NonResourceRule) string {
	return fmt.Sprintf("verbs %s, nonResourceURLs %s", list(r.Verbs), list(r.URLs))
}

// listMax is how many values of a list are shown.
const listMax = 6

// list shows a list of strings. What is not a plain word is quoted.
func list(values []string) string {
	var shown []string
	for i, v := range values {
		if i == listMax && len(values) > listMax+1 {
			shown = append(shown, fmt.Sprintf("and %d more", len(values)-i))
			break
		}
		shown = append(shown, quotedIfEmpty(v))
	}
	return "[" + strings.Join(shown, ", ") + "]"
}

// shortened joins texts, of which it shows a few.
func shortened(texts []string) string {
	const most = 4
	if len(texts) > most+1 {
		texts = append(append([]string{}, texts[:most]...), fmt.Sprintf("%d more", len(texts)-most))
	}
	return strings.Join(texts, ", ")
}

func quotedIfEmpty(s string) string {
	if s == "" || strings.ContainsAny(s, " ,[]\"") {
		return strconv.Quote(s)
	}
	return s
}

// count says how many of something there are.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(int64(n)) + " " + what + "s"
}

// grouped shows a whole number with commas between the thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}
