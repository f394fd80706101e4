package scenarios

import (
	"embed"
	"sync"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// builtinFiles hold the mandatory and suggested objects of each release as kubectl
// would print them (pkg/apis/flowcontrol/bootstrap in apiserver).
//
//go:embed builtin/*.yaml
var builtinFiles embed.FS

// builtin reads the built-in objects of the release.
var builtin = sync.OnceValue(func() flowObjects {
	const file = "builtin/1.37.yaml"
	text, err := builtinFiles.ReadFile(file)
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	r := manifestReader{c: newCollector()}
	r.readManifest(file, text)
	if len(r.c.list) > 0 {
		panic("scenarios: faulty built-in objects:\n" + r.c.list.String())
	}
	return r.objects
})

// mandatorySchema tells whether every server has the schema, and keeps its spec.
func mandatorySchema(name string) bool {
	return name == flowcontrolv1.FlowSchemaNameExempt || name == flowcontrolv1.FlowSchemaNameCatchAll
}

// mandatoryLevel tells whether every server has the level, and keeps its spec, but for
// the shares of the level exempt.
func mandatoryLevel(name string) bool {
	return name == flowcontrolv1.PriorityLevelConfigurationNameExempt || name == flowcontrolv1.PriorityLevelConfigurationNameCatchAll
}
