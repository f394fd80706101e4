package tuning

import (
	"embed"
	"io/fs"
	"reflect"

	"github.com/apfsim/apfsim/internal/jsonschema"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
)

// sources are the files with the types of a proposal, for the comments in them.
//
//go:embed model.go
var sources embed.FS

// Schema returns the JSON Schema of a proposal.
func Schema() *jsonschema.Schema {
	return reports.DocumentSchema(&reports.DocumentType{
		Name: "proposal", Title: "Proposal of apfsim", Text: "What apfsim tune -o json writes: what is proposed, why, and how sure that is.",
		APIVersion: study.APIVersion, Kind: Kind, Type: reflect.TypeFor[Proposal](),
		Sources: map[string]fs.FS{"study": study.Sources, "tuning": sources},
	})
}
