package main

import (
	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/shuffle"
	"github.com/apfsim/apfsim/workload/recording"
)

// anonymizeFlags are the flags about names, and about the configuration that names are hashed
// under.
type anonymizeFlags struct {
	anonymize     bool
	configuration configurationFlags
	// needed tells that the configuration has another use, too.
	needed bool
}

// register adds the flags to a command.
func (f *anonymizeFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.anonymize, "anonymize", false, "replace the names of users, groups, namespaces, objects and clients; queues stay the same under the configuration of the next three flags")
	flags.StringArrayVarP(&f.configuration.filenames, "filename", "f", nil, "`file` or folder of manifests that the server had, for --anonymize; may repeat")
	flags.StringVar(&f.configuration.version, "kubernetes-version", scenarios.DefaultVersion, "`release` of the server, for --anonymize")
	flags.BoolVar(&f.configuration.noDefaults, "no-defaults", false, "the server had none of the suggested objects of its release, for --anonymize")
	f.configuration.changed = flags.Changed
}

// flags of the configuration, which mean nothing without --anonymize.
var anonymizeOnly = []string{"filename", "kubernetes-version", "no-defaults"}

// over gives requests with their names replaced, if that is wanted.
func (f *anonymizeFlags) over(p *Process, from recording.Requests) (recording.Requests, error) {
	if !f.anonymize {
		for _, name := range anonymizeOnly {
			if !f.needed && f.configuration.changed(name) {
				return nil, usagef("add --anonymize, or leave it out", "--%s has no meaning without --anonymize", name)
			}
		}
		return from, nil
	}
	loaded, err := f.configuration.load(p)
	if err != nil {
		return nil, err
	}
	return recording.Anonymized{Requests: from, Anonymizer: newAnonymizer(loaded.Compile())}, nil
}

// newAnonymizer makes what replaces names for a configuration.
func newAnonymizer(cfg scheduler.Config) *recording.Anonymizer {
	keep := map[string]bool{}
	for i := range cfg.FlowSchemas {
		mentioned(&cfg.FlowSchemas[i], keep)
	}
	classifier := classify.New(schemasInForce(cfg))
	return &recording.Anonymizer{Keep: keep, Flow: func(r *recording.Request) (string, uint64) {
		return flowOf(classifier, r)
	}}
}

// schemasInForce lists the FlowSchemas whose priority level there is.
func schemasInForce(cfg scheduler.Config) []classify.FlowSchema {
	levels := map[string]bool{}
	for i := range cfg.PriorityLevels {
		levels[cfg.PriorityLevels[i].Name] = true
	}
	var inForce []classify.FlowSchema
	for i := range cfg.FlowSchemas {
		if s := &cfg.FlowSchemas[i]; levels[s.PriorityLevel] {
			inForce = append(inForce, *s)
		}
	}
	return inForce
}

// flowOf returns the schema that takes a request and the hash of its flow; "" where flow control
// is not concerned, or where all requests of the schema are one flow.
func flowOf(c *classify.Classifier, r *recording.Request) (schema string, hash uint64) {
	t := classify.Target{
		Verb: r.Verb, APIGroup: r.APIGroup, Resource: r.Resource, Subresource: r.Subresource, Namespace: r.Namespace, Path: r.Path,
	}
	at := c.Find(r.User, r.Groups, &t)
	if at < 0 || classify.LongRunning(t) {
		return "", 0
	}
	s := &c.Schemas()[at]
	switch s.Distinguisher {
	case classify.ByUser:
		return s.Name, shuffle.FlowHash(s.Name, r.User)
	case classify.ByNamespace:
		return s.Name, shuffle.FlowHash(s.Name, r.Namespace)
	}
	return "", 0
}

// mentioned notes the names of users, groups, namespaces and service accounts of a FlowSchema.
func mentioned(s *classify.FlowSchema, keep map[string]bool) {
	for i := range s.Rules {
		for _, who := range s.Rules[i].Subjects {
			keep[who.Name] = true
			if who.Namespace != "" {
				keep[who.Namespace] = true
			}
			if who.Kind == classify.ServiceAccount {
				keep["system:serviceaccount:"+who.Namespace+":"+who.Name] = true
			}
		}
		for _, rule := range s.Rules[i].Resources {
			for _, namespace := range rule.Namespaces {
				keep[namespace] = true
			}
		}
	}
}
