package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/cmd/apfsim/indexedjob"
	"github.com/spf13/pflag"
)

// emitJobFlag asks for the objects in place of a run.
const emitJobFlag = "emit-job"

// jobFlags are the flags of what runs the shards on a cluster.
type jobFlags struct {
	file string
	job  indexedjob.Sweep
	// given tells whether a flag was given.
	given func(string) bool
	// names are those that have no meaning without --emit-job.
	names []string
}

func (f *jobFlags) register(flags *pflag.FlagSet) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.StringVar(&f.job.Image, "image", "", "`image` of apfsim that the Job runs")
	own.IntVar(&f.job.Shards, "shards", 16, "`number` of shards of the Job, each a Pod")
	own.IntVar(&f.job.Parallelism, "parallelism", 0, "`number` of Pods at the same time (default: all)")
	own.StringVar(&f.job.Name, "job-name", "", "`name` of the Job, and of its ConfigMap (default: apfsim- and the name of the scenario)")
	own.StringVar(&f.job.Namespace, "namespace", "", "`namespace` of the objects (default: that of kubectl)")
	own.StringVar(&f.job.CPU, "cpu", "1", "`quantity` of processor time that a Pod requests; for each whole one a run is made")
	own.StringVar(&f.job.Memory, "memory", "512Mi", "`quantity` of memory that a Pod may take")
	own.StringVar(&f.job.StorageClass, "storage-class", "", "`class` of the volume for results (default: that of the cluster)")
	own.StringVar(&f.job.StorageSize, "storage-size", "1Gi", "`quantity` that the volume for results holds")
	own.StringVar(&f.job.AccessMode, "access-mode", accessModes[0], "`mode` of the volume for results: "+strings.Join(accessModes, " or "))
	own.StringVar(&f.job.FilesClaim, "files-claim", "", "`name` of the claim of a volume with the files that are read, in place of a ConfigMap")
	own.VisitAll(func(flag *pflag.Flag) { f.names = append(f.names, flag.Name) })
	flags.AddFlagSet(own)
	flags.StringVar(&f.file, emitJobFlag, "", "print the objects that run it in shards on a Kubernetes cluster, as YAML, or write them to\n"+
		"the `file` of --emit-job=FILE; nothing is run")
	flags.Lookup(emitJobFlag).NoOptDefVal = "-"
	f.given = flags.Changed
}

// accessModes are those of a volume that several Pods write. With the second they all run on one node.
var accessModes = []string{"ReadWriteMany", "ReadWriteOnce"}

// quantities are those that Kubernetes takes, in the usual way of writing them.
var (
	cpuQuantity    = regexp.MustCompile(`^([0-9]+|[0-9]*\.[0-9]+)(m?)$`)
	memoryQuantity = regexp.MustCompile(`^([0-9]+|[0-9]*\.[0-9]+)([KMGT]i|[kMGT])?$`)
	label          = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
)

// wanted tells whether the objects are wanted in place of a run.
func (f *jobFlags) wanted() bool { return f.given(emitJobFlag) }

// check checks the flags that need no file.
func (f *jobFlags) check(given func(string) bool) error {
	if !f.wanted() {
		for _, name := range f.names {
			if given(name) {
				return usagef("give both, or leave it out", "--%s has no meaning without --%s", name, emitJobFlag)
			}
		}
		return nil
	}
	for _, name := range []string{"shard", "results", "workers", "output"} {
		if given(name) {
			return usagef("leave it out", "--%s has no meaning with --%s: the Job says it", name, emitJobFlag)
		}
	}
	j := &f.job
	switch {
	case f.file == "":
		return usagef("as in --emit-job=job.yaml", "--%s: the file has no name", emitJobFlag)
	case j.Image == "":
		return usagef("--image registry.example/apfsim:v1, made from the Containerfile of the repository",
			"--%s needs --image: what do the Pods run?", emitJobFlag)
	case j.Shards < 1 || j.Shards > indexedjob.MaxShards:
		return usagef("", "--shards %d: legal are 1 to %d", j.Shards, indexedjob.MaxShards)
	case given("parallelism") && (j.Parallelism < 1 || j.Parallelism > j.Shards):
		return usagef("", "--parallelism %d: legal are 1 to %d, the number of shards", j.Parallelism, j.Shards)
	case !slices.Contains(accessModes, j.AccessMode):
		return usagef(didYouMean(j.AccessMode, accessModes), "--access-mode %s: no such mode for a volume that many Pods write", j.AccessMode)
	}
	return f.checkTexts(given)
}

// checkTexts checks names and quantities.
func (f *jobFlags) checkTexts(given func(string) bool) error {
	for _, n := range []struct{ flag, value string }{{"job-name", f.job.Name}, {"namespace", f.job.Namespace}} {
		if given(n.flag) && (!label.MatchString(n.value) || len(n.value) > indexedjob.MaxName) {
			return usagef("", "--%s %q: legal are lower case letters, digits and - between them, at most %d", n.flag, n.value, indexedjob.MaxName)
		}
	}
	if f.cpus() <= 0 {
		return usagef("", "--cpu %q: legal are quantities above 0, such as 1, 0.5 or 1500m", f.job.CPU)
	}
	for _, q := range []struct{ flag, value string }{{"memory", f.job.Memory}, {"storage-size", f.job.StorageSize}} {
		if parts := memoryQuantity.FindStringSubmatch(q.value); parts == nil || strings.Trim(parts[1], "0.") == "" {
			return usagef("", "--%s %q: legal are quantities above 0, such as 512Mi or 2Gi", q.flag, q.value)
		}
	}
	return nil
}

// cpus is the processor time that a Pod has, in processors; 0 if the flag is no quantity.
func (f *jobFlags) cpus() float64 {
	parts := cpuQuantity.FindStringSubmatch(f.job.CPU)
	if parts == nil {
		return 0
	}
	n, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return 0
	}
	if parts[2] == "m" {
		return n / 1000
	}
	return n
}

// emit prints the objects that run a command in shards. Words makes the command, for the names that
// files have in the Pods.
func (f *jobFlags) emit(p *Process, verb string, sources []*studied, runs int, inputs *jobInputs, words func(inside func(string) string) []string) error {
	j := f.job
	if j.Name == "" {
		j.Name = jobName(sources[0].id.Name)
	}
	j.Shards = min(j.Shards, runs)
	if j.Parallelism = min(j.Parallelism, j.Shards); j.Parallelism == 0 {
		j.Parallelism = j.Shards
	}
	j.Workers = max(1, int(math.Floor(f.cpus())))
	j.Args = words(inputs.inside)[1:]
	j.Folder = inputs.folder()
	j.Files = inputs.files()
	if err := inputs.check(j.FilesClaim); err != nil {
		return err
	}
	j.Header = f.header(&j, verb, runs)
	files := newOutputs(p)
	to := target{form: formYAML, file: f.file}
	if f.file == "-" {
		to.file = ""
	}
	writers, err := openTargets(p, files, []target{to})
	if err == nil {
		err = j.Write(writers[0])
	}
	if err != nil {
		return withCleanup(err, files)
	}
	return files.commit()
}

// header says what the objects do and how one gets at the results.
func (f *jobFlags) header(j *indexedjob.Sweep, verb string, runs int) []string {
	file := f.file
	if file == "-" {
		file = "job.yaml"
	}
	out := []string{
		fmt.Sprintf("apfsim %s in %d shards, which share %d runs and a folder for results.", verb, j.Shards, runs),
		"", "Run it:", "",
		"  kubectl apply --server-side -f " + shellWord(file), "",
	}
	if j.FilesClaim != "" && len(j.Files) > 0 {
		out = append(out, "Before that, these files have to be on the volume of "+j.FilesClaim+":", "")
		for _, file := range j.Files {
			out = append(out, "  "+file.Path)
		}
		out = append(out, "")
	}
	out = append(out, "When it is done, fetch the results and see them:", "")
	for _, line := range j.Fetch() {
		out = append(out, "  "+line)
	}
	return append(out, "",
		"If it fails, look at its Pods, delete the Job alone and apply it again: it goes on where it was.", "")
}

// notLabel is what the name of a Job may not have.
var notLabel = regexp.MustCompile(`[^a-z0-9]+`)

// jobName is a name for the Job of a scenario.
func jobName(scenario string) string {
	name := "apfsim-" + strings.Trim(notLabel.ReplaceAllString(strings.ToLower(scenario), "-"), "-")
	return strings.Trim(name[:min(len(name), indexedjob.MaxName)], "-")
}
