package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/cmd/apfsim/kubectl"
	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/explain"
	"github.com/spf13/cobra"
)

// codeText is what a code looks like.
var codeText = regexp.MustCompile(`^(?i:sc|fc|apf)\d+$`)

// word explains a field or a code.
func (f *explainFlags) word(p *Process, c *cobra.Command, word, form string) error {
	field := scenarios.IsFieldPath(word)
	if !field && !codeText.MatchString(word) {
		return unknownWord(word)
	}
	if given := otherFlag(c.Flags(), "output", "help"); given != "" {
		return usagef("a field and a code are the same for all requests and servers", "%s has no meaning with %s", given, word)
	}
	if field {
		return explainField(p, word, form)
	}
	return explainCode(p, word, form)
}

// fieldExplanation is a field as JSON.
type fieldExplanation struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	*scenarios.Field
}

// explainField explains the field at a path.
func explainField(p *Process, path, form string) error {
	field, err := scenarios.ExplainField(path)
	var f *scenarios.FieldError
	switch {
	case errors.As(err, &f) && len(f.Legal) == 0:
		return usagef("see apfsim explain "+f.Within, "%s", f)
	case errors.As(err, &f):
		return usagef(didYouMean(f.Word, f.Legal), "%s", f)
	case form == formJSON:
		return writeJSON(p.Stdout, fieldExplanation{outputVersion, "FieldExplanation", field})
	}
	return explain.WriteField(p.Stdout, field)
}

// codeExplanation is a code as JSON.
type codeExplanation struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	explain.Code
}

// explainCode explains the code of a diagnostic.
func explainCode(p *Process, name, form string) error {
	code, ok := explain.FindCode(name)
	switch {
	case !ok:
		return unknownWord(name)
	case form == formJSON:
		return writeJSON(p.Stdout, codeExplanation{outputVersion, "CodeExplanation", code})
	}
	return code.WriteText(p.Stdout)
}

// unknownWord is the fault of a word that nothing is known of.
func unknownWord(word string) error {
	switch {
	case strings.HasPrefix(word, "/"):
		return usagef("give it as a request: --verb get --path "+word, "%s is a path", word)
	case kubectl.Knows(word):
		return usagef("did you mean apfsim explain kubectl "+word+"?", "%q is a verb of kubectl", word)
	}
	if _, _, err := kubectl.Find(word); err == nil {
		return usagef("a request needs a verb too: apfsim explain kubectl get "+word, "%q is a resource", word)
	}
	legal := append([]string{"kubectl"}, scenarios.FieldRoots()...)
	for _, c := range explain.Codes() {
		legal = append(legal, string(c.Code))
	}
	first, rest, dotted := strings.Cut(word, ".")
	if near, ok := suggest.Nearest(first, legal); ok {
		if dotted {
			near += "." + rest
		}
		return usagef("did you mean "+near+"?", "nothing is known of %q", word)
	}
	if _, err := scenarios.ExplainField("scenario." + word); err == nil {
		return usagef("did you mean scenario."+word+"?", "nothing is known of %q", word)
	}
	return usagef("a field begins with "+strings.Join(scenarios.FieldRoots(), ", ")+"; a code is one such as FC004", "nothing is known of %q", word)
}

// completeExplained completes the first word: kubectl, a field, or a code.
func completeExplained(_ *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault // what follows is kubectl's
	}
	words := append([]string{"kubectl"}, scenarios.FieldRoots()...)
	for _, c := range explain.Codes() {
		words = append(words, string(c.Code))
	}
	if i := strings.LastIndexByte(prefix, '.'); i >= 0 {
		if f, err := scenarios.ExplainField(prefix[:i]); err == nil {
			for _, inner := range f.Fields {
				words = append(words, inner.Path)
			}
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, prefix) })
	return words, cobra.ShellCompDirectiveNoFileComp
}
