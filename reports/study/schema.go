package study

import (
	"embed"
	"io/fs"
	"reflect"

	"github.com/apfsim/apfsim/internal/jsonschema"
	"github.com/apfsim/apfsim/reports"
)

// Sources are the files with the types of the documents, for the comments in them.
//
//go:embed model.go table.go growth.go goal.go
var Sources embed.FS

// TableSchema returns the JSON Schema of the table of a sweep.
func TableSchema() *jsonschema.Schema {
	return reports.DocumentSchema(&reports.DocumentType{
		Name: "sweep", Title: "Sweep of apfsim", Text: "What apfsim sweep -o json and apfsim merge -o json write: what each point showed.",
		APIVersion: APIVersion, Kind: SweepKind, Type: reflect.TypeFor[Table](),
		Inner:   []reports.DocumentType{{APIVersion: APIVersion, Kind: StudyKind, Type: reflect.TypeFor[Study]()}},
		Sources: map[string]fs.FS{"study": Sources},
	})
}

// GrowthSchema returns the JSON Schema of a plan.
func GrowthSchema() *jsonschema.Schema {
	return reports.DocumentSchema(&reports.DocumentType{
		Name: "growth", Title: "Growth of apfsim", Text: "What apfsim plan -o json writes: which goals break when, and what it takes.",
		APIVersion: APIVersion, Kind: GrowthKind, Type: reflect.TypeFor[Growth](), Sources: map[string]fs.FS{"study": Sources},
	})
}
