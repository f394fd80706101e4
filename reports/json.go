package reports

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes the result as indented JSON. The same result gives the same bytes.
func WriteJSON(w io.Writer, r *Result) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the result as JSON: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ReadJSON reads what WriteJSON wrote, and nothing else: an unknown field, another
// version and trailing data are errors.
func ReadJSON(r io.Reader) (*Result, error) {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	result := &Result{}
	if err := decoder.Decode(result); err != nil {
		return nil, fmt.Errorf("reading a result: %w", err)
	}
	if result.APIVersion != APIVersion || result.Kind != Kind {
		return nil, fmt.Errorf("reading a result: apiVersion %q and kind %q, but only %q and %q are known",
			result.APIVersion, result.Kind, APIVersion, Kind)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("reading a result: there is more after its end, at byte %d", decoder.InputOffset())
	}
	return result, nil
}
