package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
)

// outputVersion is the version of the JSON that the small verbs print. It changes when
// a field changes its meaning, and not when one is added.
const outputVersion = "apfsim.dev/v1alpha1"

// writeJSON writes a value with an indent that people can read.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// writeCSV writes rows, the first being the names of the columns.
func writeCSV(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	if err := c.WriteAll(rows); err != nil {
		return err
	}
	return c.Error()
}
