// Package yaml writes as YAML what package reports writes as JSON: the same fields in the same
// order, the same numbers in the same digits. Lists of numbers and words take one line each.
package yaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// Write writes a value by way of its JSON form. The same value gives the same bytes.
func Write(w io.Writer, v any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("writing a result as YAML: %w", err)
	}
	d := json.NewDecoder(&text)
	d.UseNumber()
	root, err := read(d)
	if err != nil {
		return fmt.Errorf("writing a result as YAML: %w", err)
	}
	out := yaml.NewEncoder(w)
	out.SetIndent(2)
	if err := out.Encode(root); err != nil {
		return fmt.Errorf("writing a result as YAML: %w", err)
	}
	return out.Close()
}

// read turns the next JSON value into a node.
func read(d *json.Decoder) (*yaml.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		return readAll(d, token)
	case string:
		return text(token), nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: numberTag(token), Value: token.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(token)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}

// readAll reads the rest of an object or list, in which keys are values too.
func readAll(d *json.Decoder, begin json.Delim) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if begin == '[' {
		n = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
	}
	for d.More() {
		inner, err := read(d)
		if err != nil {
			return nil, err
		}
		if inner.Kind != yaml.ScalarNode || inner.Style == yaml.LiteralStyle {
			n.Style &^= yaml.FlowStyle
		}
		n.Content = append(n.Content, inner)
	}
	_, err := d.Token() // the end
	return n, err
}

// ambiguous are texts that some reader or version of YAML takes for a boolean or a number: those
// of YAML 1.1, and whatever has only the characters of numbers.
var ambiguous = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|[-+.0-9][-+.0-9a-fox_:]*)$`)

// text makes the node of a string. What has several lines is written as it is, line by line,
// where YAML can do so without a change.
func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	switch {
	case strings.Contains(s, "\n") && strings.TrimLeft(s[:1], " \t\r\n") != "":
		n.Style = yaml.LiteralStyle
	case strings.Contains(s, "\n"): // the library loses what a block begins with
		n.Style = yaml.DoubleQuotedStyle
	case ambiguous.MatchString(s):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// numberTag tells a whole number from another one.
func numberTag(n json.Number) string {
	if strings.ContainsAny(n.String(), ".eE") {
		return "!!float"
	}
	return "!!int"
}
