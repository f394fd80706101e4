//go:build !ensurer_none && !ensurer_client && !ensurer_lister

package judge

import (
	"context"
	"slices"

	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/ensurer"
)

// pass does what the server does at its start and each minute
// (pkg/registry/flowcontrol/rest, ensure), from 1.28 on.
func (c cluster) pass() error {
	ctx := context.Background()
	levels := ensurer.NewPriorityLevelConfigurationOps(c.levels, levelCache{c.levels})
	schemas := ensurer.NewFlowSchemaOps(c.schemas, schemaCache{c.schemas})
	steps := []func() error{
		func() error {
			return ensurer.EnsureConfigurations(ctx, levels, bootstrap.SuggestedPriorityLevelConfigurations, ensurer.NewSuggestedEnsureStrategy[*priorityLevel]())
		},
		func() error {
			return ensurer.EnsureConfigurations(ctx, schemas, bootstrap.SuggestedFlowSchemas, ensurer.NewSuggestedEnsureStrategy[*flowSchema]())
		},
		func() error {
			return ensurer.EnsureConfigurations(ctx, levels, bootstrap.MandatoryPriorityLevelConfigurations, ensurer.NewMandatoryEnsureStrategy[*priorityLevel]())
		},
		func() error {
			return ensurer.EnsureConfigurations(ctx, schemas, bootstrap.MandatoryFlowSchemas, ensurer.NewMandatoryEnsureStrategy[*flowSchema]())
		},
		func() error {
			return ensurer.RemoveUnwantedObjects(ctx, schemas, slices.Concat(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas))
		},
		func() error {
			return ensurer.RemoveUnwantedObjects(ctx, levels, slices.Concat(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations))
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
