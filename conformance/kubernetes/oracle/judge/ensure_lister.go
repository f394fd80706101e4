//go:build ensurer_lister

package judge

import (
	"slices"

	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/ensurer"
)

// pass does what the server does at its start and each minute
// (pkg/registry/flowcontrol/rest), in 1.24 to 1.27.
func (c cluster) pass() error {
	if err := ensurer.NewSuggestedPriorityLevelEnsurerEnsurer(c.levels, levelCache{c.levels}).Ensure(bootstrap.SuggestedPriorityLevelConfigurations); err != nil {
		return err
	}
	if err := ensurer.NewSuggestedFlowSchemaEnsurer(c.schemas, schemaCache{c.schemas}).Ensure(bootstrap.SuggestedFlowSchemas); err != nil {
		return err
	}
	if err := ensurer.NewMandatoryPriorityLevelEnsurer(c.levels, levelCache{c.levels}).Ensure(bootstrap.MandatoryPriorityLevelConfigurations); err != nil {
		return err
	}
	if err := ensurer.NewMandatoryFlowSchemaEnsurer(c.schemas, schemaCache{c.schemas}).Ensure(bootstrap.MandatoryFlowSchemas); err != nil {
		return err
	}
	unwanted, err := ensurer.GetFlowSchemaRemoveCandidates(schemaCache{c.schemas}, slices.Concat(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas))
	if err != nil {
		return err
	}
	if err := ensurer.NewFlowSchemaRemover(c.schemas, schemaCache{c.schemas}).RemoveAutoUpdateEnabledObjects(unwanted); err != nil {
		return err
	}
	unwanted, err = ensurer.GetPriorityLevelRemoveCandidates(levelCache{c.levels}, slices.Concat(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations))
	if err != nil {
		return err
	}
	return ensurer.NewPriorityLevelRemover(c.levels, levelCache{c.levels}).RemoveAutoUpdateEnabledObjects(unwanted)
}
