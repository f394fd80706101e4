package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apfsim/apfsim/scenarios"
)

// SARIF 2.1.0, the part of it that code hosts show (OASIS, sarif-v2.1.0; GitHub's
// documentation of SARIF support for code scanning).

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string        `json:"id"`
	ShortDescription sarifText     `json:"shortDescription"`
	FullDescription  *sarifText    `json:"fullDescription,omitempty"`
	Help             *sarifText    `json:"help,omitempty"`
	Configuration    sarifSeverity `json:"defaultConfiguration"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifSeverity struct {
	Level string `json:"level"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             sarifText         `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	PhysicalLocation sarifPlace `json:"physicalLocation"`
}

type sarifPlace struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int        `json:"startLine"`
	StartColumn int        `json:"startColumn"`
	EndColumn   int        `json:"endColumn,omitempty"`
	Snippet     *sarifText `json:"snippet,omitempty"`
}

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/apfsim/apfsim"
	// fingerprintName says how the fingerprints are made; another way takes another name.
	fingerprintName = "apfsimLine/v1"
)

// WriteSARIF writes the result as a SARIF log, with the version of the program that made
// it ("" for none).
func WriteSARIF(w io.Writer, r *Result, program string) error {
	rules := sarifRules(r.Diagnostics)
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "apfsim", Version: program, InformationURI: homepage, Rules: rules}},
		// Columns are counted in characters, which here are not the UTF-16 units that a log
		// without this would mean.
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	seen := map[string]int{}
	for _, d := range r.Diagnostics {
		run.Results = append(run.Results, sarifResult{
			RuleID:    string(d.Code),
			RuleIndex: slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == string(d.Code) }),
			Level:     string(d.Severity),
			Message:   sarifText{Text: annotation(d)},
			Locations: []sarifLocation{{sarifPlace{sarifArtifact{uri(d.File)}, region(d)}}},
			PartialFingerprints: map[string]string{
				fingerprintName: fingerprint(d, seen),
			},
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifRules describes all rules of the catalogue, and the other codes that occur.
func sarifRules(ds scenarios.Diagnostics) []sarifRule {
	var out []sarifRule
	for _, r := range Catalogue() {
		text := r.plain()
		out = append(out, sarifRule{
			ID: string(r.Code), ShortDescription: sarifText{Text: r.Title}, FullDescription: &sarifText{Text: text},
			Help:          &sarifText{Text: text, Markdown: r.Markdown()},
			Configuration: sarifSeverity{string(r.Severity)},
		})
	}
	for _, e := range scenarios.Explanations() {
		i := slices.IndexFunc(ds, func(d scenarios.Diagnostic) bool { return d.Code == e.Code })
		if i >= 0 {
			out = append(out, sarifRule{ID: string(e.Code), ShortDescription: sarifText{Text: e.Text},
				Configuration: sarifSeverity{string(ds[i].Severity)}})
		}
	}
	return out
}

// plain is the text of a rule with each paragraph on one line.
func (r Rule) plain() string {
	paragraphs := strings.Split(r.Text, "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(p, "\n", " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

// Markdown is the text of a rule with its examples.
func (r Rule) Markdown() string {
	return fmt.Sprintf("%s\n\nBad:\n\n```yaml\n%s```\n\nGood:\n\n```yaml\n%s```\n", r.Text, r.Bad, r.Good)
}

// uri is the reference to a file: relative to where the command ran, unless its name is
// absolute.
func uri(file string) string {
	u := url.URL{Path: filepath.ToSlash(filepath.Clean(file))}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}

// region is the rest of the line from the place of a diagnostic on.
func region(d scenarios.Diagnostic) sarifRegion {
	r := sarifRegion{StartLine: d.Line, StartColumn: d.Column}
	if d.Snippet != "" {
		r.EndColumn = max(d.Column, utf8.RuneCountInString(d.Snippet)) + 1
		r.Snippet = &sarifText{Text: d.Snippet}
	}
	return r
}

// fingerprint recognises a finding after lines were added above it: it is made of the
// code, the file, the line's text, and how many of the kind came before.
func fingerprint(d scenarios.Diagnostic, seen map[string]int) string {
	key := strings.Join([]string{string(d.Code), d.File, strings.TrimSpace(d.Snippet)}, "\x00")
	seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
	return hex.EncodeToString(sum[:16])
}
