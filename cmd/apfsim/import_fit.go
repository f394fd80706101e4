package main

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/scenarios/fit"
	"github.com/apfsim/apfsim/workload/recording"
)

// fitFlags are the flags about -o scenario.
type fitFlags struct {
	config      string
	populations int
}

// fitted is a scenario that is fitted to what is imported.
type fitted struct {
	*fit.Fitter
	text        fit.Text
	populations int
	to          io.Writer
	file        string
	account     *recording.Account
	// servers is how many the scenario of --config has, 0 without it.
	servers int
}

// register adds the flags to a command.
func (f *fitFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.config, "config", "", "`scenario` whose servers, flow control and stored objects the one of -o scenario takes")
	c.Flags().IntVar(&f.populations, "populations", 0, "the most populations that the scenario of -o scenario has; 0 is 16")
}

// prepare reads what the scenario takes from another one.
func (f *fitFlags) prepare(p *Process, to *fitted) error {
	switch {
	case to == nil && (f.config != "" || f.populations != 0):
		return usagef("add -o scenario=FILE", "--config and --populations have no meaning without -o scenario")
	case f.populations < 0:
		return usagef("", "--populations %d: legal is 1 or more", f.populations)
	case to == nil:
		return nil
	}
	to.populations = f.populations
	if f.config == "" {
		return nil
	}
	loaded, err := loadAll(p, []string{f.config})
	if err != nil {
		return err
	}
	if loaded[0].InLibrary && len(loaded[0].Manifests()) > 0 {
		return inputf("save it and its manifests as files, and name that", "--config %s: its manifests are in the library and not in files", f.config)
	}
	to.servers = max(loaded[0].Config.Servers, 1)
	text, err := loaded[0].ServerPart(func(manifest string) string {
		return relativeTo(to.file, filepath.Join(filepath.Dir(f.config), manifest))
	})
	if err != nil {
		return err
	}
	to.text.Server = "# The servers, flow control and stored objects are those of " + filepath.Base(f.config) + ".\n" + string(text)
	return nil
}

// begin makes the fitter, once the period of the record is known.
func (f *fitted) begin(start int64, account *recording.Account, sources []string) {
	if f == nil {
		return
	}
	f.Fitter = fit.New(fit.Options{Start: start, End: account.Last, Populations: f.populations})
	f.account, f.text.Name = account, "fitted"
	if f.file != "" {
		f.text.Name = strings.TrimSuffix(filepath.Base(f.file), filepath.Ext(f.file))
	}
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = filepath.Base(s)
	}
	f.text.Source = strings.Join(names, ", ")
}

// write writes the scenario.
func (f *fitted) write() error {
	if f == nil {
		return nil
	}
	made := f.Fit()
	servers := f.servers
	if servers == 0 {
		servers = max(made.Servers, 1)
	}
	var operations strings.Builder
	writeOperations(&operations, made.Start, made.Duration, servers, f.account.Stops)
	f.text.Operations = operations.String()
	if err := made.Write(f.to, f.text); err != nil {
		return cannotWrite(inputName(f.file), err)
	}
	return nil
}

// relativeTo is the name of a file in another one: relative to its folder, if it can be.
func relativeTo(from, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	if relative, err := filepath.Rel(filepath.Dir(from), name); err == nil {
		return filepath.ToSlash(relative)
	}
	return name
}

// over hands each request that goes by to the fitter, too.
func (f *fitted) over(from recording.Requests) recording.Requests {
	if f == nil {
		return from
	}
	return watched{from, f.Add}
}

// watched shows requests to somebody on their way.
type watched struct {
	recording.Requests
	see func(*recording.Request)
}

// Next gives the next request.
func (w watched) Next(r *recording.Request) (bool, error) {
	more, err := w.Requests.Next(r)
	if more && err == nil {
		w.see(r)
	}
	return more, err
}

// drain reads all requests, which somebody else sees.
func drain(from recording.Requests) error {
	var r recording.Request
	for {
		if more, err := from.Next(&r); !more || err != nil {
			return err
		}
	}
}
