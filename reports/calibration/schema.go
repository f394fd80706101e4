package calibration

import (
	"embed"
	"io/fs"
	"reflect"

	"github.com/apfsim/apfsim/internal/jsonschema"
	"github.com/apfsim/apfsim/reports"
)

// sources are the files with the types of a calibration, for the comments in them.
//
//go:embed model.go reasons.go
var sources embed.FS

// Schema returns the JSON Schema of a calibration.
func Schema() *jsonschema.Schema {
	return reports.DocumentSchema(&reports.DocumentType{
		Name: "calibration", Title: "Calibration of apfsim", Text: "What apfsim calibrate -o json writes: a scenario held against a record.",
		APIVersion: reports.APIVersion, Kind: DocumentKind, Type: reflect.TypeFor[Calibration](),
		Sources: map[string]fs.FS{"calibration": sources},
	})
}
