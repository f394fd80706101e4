package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/cmd/apfsim/kubectl"
	"github.com/apfsim/apfsim/scheduler"
)

// storedFlags say what the server stores, and who watches it.
type storedFlags struct{ objects, watches []string }

// register adds the flags to a command.
func (s *storedFlags) register(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.objects, "objects", nil, "stored objects for the width of a LIST, `RESOURCE=COUNTxBYTES`, as in pods=50000x4000; may repeat")
	c.Flags().StringArrayVar(&s.watches, "watches", nil, "open watches for the width of a write, `[NAMESPACE/]RESOURCE=COUNT`; may repeat")
}

var (
	objectsText = regexp.MustCompile(`^([^=]+)=(\d{1,13})(?:x(\d{1,10}))?$`)
	watchesText = regexp.MustCompile(`^(?:([^=/]+)/)?([^=/]+)=(\d{1,10})$`)
)

// fill puts what the flags say into the configuration of a server. A flag replaces what
// is known of its resource.
func (s *storedFlags) fill(cfg *scheduler.Config) error {
	for _, text := range s.objects {
		m := objectsText.FindStringSubmatch(text)
		if m == nil {
			return usagef("as in --objects pods=50000x4000: how many, and their average size in bytes", "--objects %s is not RESOURCE=COUNTxBYTES", text)
		}
		name, group, err := resourceWord(m[1])
		if err != nil {
			return err
		}
		o := scheduler.ObjectCount{Resource: name, Group: group}
		o.Count, _ = strconv.ParseInt(m[2], 10, 64) // digits, and few of them
		if m[3] != "" {
			o.AverageBytes, _ = strconv.ParseInt(m[3], 10, 64)
		}
		kept := cfg.Objects[:0]
		for _, known := range cfg.Objects {
			if known.Resource != name || known.Group != group {
				kept = append(kept, known)
			}
		}
		cfg.Objects = append(kept, o)
	}
	for _, text := range s.watches {
		m := watchesText.FindStringSubmatch(text)
		if m == nil {
			return usagef("as in --watches pods=35 or --watches prod/pods=35", "--watches %s is not [NAMESPACE/]RESOURCE=COUNT", text)
		}
		name, group, err := resourceWord(m[2])
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(m[3]) // digits, and few of them
		cfg.Watches = append(cfg.Watches, scheduler.WatchCount{Resource: name, Group: group, Namespace: m[1], Count: n})
	}
	return nil
}

// resourceWord finds the resource and group of a word. One that is not known is split at
// its first dot.
func resourceWord(word string) (name, group string, err error) {
	if r, _, err := kubectl.Find(word); err == nil {
		return r.Name, r.Group, nil
	}
	name, group, _ = strings.Cut(word, ".")
	if name == "" {
		return "", "", usagef("as in pods or deployments.apps", "%q is no resource", word)
	}
	return name, group, nil
}
