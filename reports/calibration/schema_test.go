package calibration

import (
	"testing"

	"github.com/apfsim/apfsim/internal/jsonschema"
)

// TestSchemasTellOfEveryField holds that each type and each field has a text.
func TestSchemasTellOfEveryField(t *testing.T) {
	for _, s := range []*jsonschema.Schema{Schema()} {
		if len(s.Definitions) < 5 {
			t.Errorf("%s has only %d types", s.Title, len(s.Definitions))
		}
		for _, d := range s.Definitions {
			if d.Schema.Description == "" {
				t.Errorf("%s has no comment", d.Name)
			}
			for _, f := range d.Schema.Properties {
				if f.Schema.Description == "" {
					t.Errorf("%s.%s has no comment, nor an entry in the table of plain fields", d.Name, f.Name)
				}
			}
		}
	}
}
