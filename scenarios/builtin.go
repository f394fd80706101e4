package scenarios

import (
	"embed"
	"sync"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// builtinFiles hold the mandatory and suggested objects as kubectl would print them
// (pkg/apis/flowcontrol/bootstrap in apiserver). The name of a file is that of the first
// release with these objects, and they are in the version that it stores.
//
//go:embed builtin/*.yaml
var builtinFiles embed.FS

// builtins are the objects of each file, read when they are first needed.
var builtins = func() map[string]func() flowObjects {
	out := map[string]func() flowObjects{}
	for i := range apiReleases {
		row := &apiReleases[i]
		if out[row.builtin] == nil {
			out[row.builtin] = sync.OnceValue(func() flowObjects { return readBuiltin(row) })
		}
	}
	return out
}()

// builtinFolder is where the places of built-in objects seem to lie.
const builtinFolder = "builtin/"

func readBuiltin(row *apiRelease) flowObjects {
	file := builtinFolder + row.builtin + ".yaml"
	text, err := builtinFiles.ReadFile(file)
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	r := manifestReader{reading: reading{release: row.from, api: row}, c: newCollector()}
	r.readManifest(file, text)
	if len(r.c.list) > 0 {
		panic("scenarios: faulty built-in objects:\n" + r.c.list.String())
	}
	return r.objects
}

// builtinObjects returns the objects that the release makes by itself.
func (a *apiRelease) builtinObjects() flowObjects { return builtins[a.builtin]() }

// mandatorySchema tells whether every server has the schema, and keeps its spec.
func mandatorySchema(name string) bool {
	return name == flowcontrolv1.FlowSchemaNameExempt || name == flowcontrolv1.FlowSchemaNameCatchAll
}

// mandatoryLevel tells whether every server has the level, and keeps its spec, but for
// the shares of the level exempt.
func mandatoryLevel(name string) bool {
	return name == flowcontrolv1.PriorityLevelConfigurationNameExempt || name == flowcontrolv1.PriorityLevelConfigurationNameCatchAll
}
