// Package indexedjob writes the Kubernetes objects that run a command in shards on a cluster: an
// indexed Job, a claim of a volume for its results, and a ConfigMap with the files that it reads.
package indexedjob

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/apfsim/apfsim/reports/yaml"
)

// Where volumes are, and who runs.
const (
	inputsPath  = "/inputs"
	resultsPath = "/results"
	// nobody is the user of the image, and the one to whose group the results belong.
	nobody = 65532
	// retries is how often a shard may fail. It goes on where it was.
	retries = 6
)

// The exit codes of the program that its Job knows.
const (
	// wrongCommand is of an image that does not know the command.
	wrongCommand = 2
	// ownFault is a fault of the program, which would come again.
	ownFault = 70
)

// MaxName is the most that a name may have, in bytes: the names of Pods and volumes begin with it.
const MaxName = 50

// MaxShards is how many shards there may be. Kubernetes allows so many at the same time.
const MaxShards = 10_000

// MaxFiles is how many bytes a ConfigMap holds.
const MaxFiles = 1 << 20

// Sweep is what is run, and where.
type Sweep struct {
	Name, Namespace, Image string
	// Shards is how many parts there are, and Parallelism how many of them run at the same time.
	Shards, Parallelism int
	// CPU and Memory are quantities. Workers is how many runs are made side by side in a Pod.
	CPU, Memory string
	Workers     int
	// AccessMode, StorageClass and StorageSize are of the claim for results. The class may be "".
	AccessMode, StorageClass, StorageSize string
	// Args are the arguments of the program but for its results and shard, with the names of files as
	// seen from the folder Folder of the inputs.
	Args   []string
	Folder string
	// Files are what it reads. They are in a ConfigMap, unless there is a claim of a volume that
	// holds them.
	Files      []File
	FilesClaim string
	// Header are lines of comments before all.
	Header []string
}

// File is one that is read, and its path among the inputs.
type File struct {
	Path string
	Text []byte
}

// Write writes the objects as YAML.
func (s *Sweep) Write(w io.Writer) error {
	var b strings.Builder
	for _, line := range s.Header {
		b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
	objects := []any{s.claim(), s.job()}
	if len(s.Files) > 0 && s.FilesClaim == "" {
		objects = append([]any{s.configMap()}, objects...)
	}
	for i, o := range objects {
		if i > 0 {
			b.WriteString("---\n")
		}
		if err := yaml.Write(&b, o); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Results is the folder of the results on their volume, in which all shards work, and ResultsClaim the name of
// the claim.
func (s *Sweep) Results() string { return path.Join(resultsPath, s.Name) }

// ResultsClaim is the name of the claim for results.
func (s *Sweep) ResultsClaim() string { return s.Name + "-results" }

func (s *Sweep) labels() map[string]string {
	return map[string]string{"app.kubernetes.io/name": "apfsim", "app.kubernetes.io/instance": s.Name}
}

func (s *Sweep) object(version, kind, name string) object {
	return object{version, kind, meta{name, s.Namespace, s.labels()}}
}

func (s *Sweep) configMap() configMap {
	c := configMap{object: s.object("v1", "ConfigMap", s.Name)}
	for i, key := range s.keys() {
		if text, ok := s.Files[i].text(); ok {
			if c.Data == nil {
				c.Data = map[string]string{}
			}
			c.Data[key] = text
			continue
		}
		if c.BinaryData == nil {
			c.BinaryData = map[string][]byte{}
		}
		c.BinaryData[key] = s.Files[i].Text
	}
	return c
}

// text is the file as text, if it is some.
func (f *File) text() (string, bool) {
	text := string(f.Text)
	return text, strings.ToValidUTF8(text, "") == text && !strings.ContainsRune(text, 0)
}

// notKey are the characters that the key of a ConfigMap may not have.
var notKey = regexp.MustCompile(`[^-._a-zA-Z0-9]`)

// keyMost is how long a key may be, with room for a number.
const keyMost = 240

// keys are names for the files in the ConfigMap, which knows no folders.
func (s *Sweep) keys() []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range s.Files {
		key := notKey.ReplaceAllString(f.Path, "_")
		key = key[max(0, len(key)-keyMost):]
		for base, n := key, 2; seen[key]; n++ {
			key = fmt.Sprintf("%d_%s", n, base)
		}
		seen[key] = true
		out = append(out, key)
	}
	return out
}

func (s *Sweep) claim() claim {
	return claim{s.object("v1", "PersistentVolumeClaim", s.ResultsClaim()), claimSpec{
		AccessModes:      []string{s.AccessMode},
		StorageClassName: s.StorageClass,
		Resources:        resources{Requests: map[string]string{"storage": s.StorageSize}},
	}}
}

func (s *Sweep) job() job {
	return job{s.object("batch/v1", "Job", s.Name), jobSpec{
		CompletionMode:       "Indexed",
		Completions:          s.Shards,
		Parallelism:          s.Parallelism,
		BackoffLimitPerIndex: retries,
		PodFailurePolicy: failurePolicy{[]failureRule{
			// A Pod that had to go, such as from a node that is drained, has not failed.
			{Action: "Ignore", OnPodConditions: []podCondition{{"DisruptionTarget", "True"}}},
			{Action: "FailJob", OnExitCodes: &onExitCodes{"apfsim", "In", []int{wrongCommand}}},
			{Action: "FailIndex", OnExitCodes: &onExitCodes{"apfsim", "In", []int{ownFault}}},
		}},
		Template: template{meta{Labels: s.labels()}, s.pod()},
	}}
}

func (s *Sweep) pod() podSpec {
	p := podSpec{
		RestartPolicy:   "Never",
		SecurityContext: podSecurity{true, nobody, nobody, nobody, "OnRootMismatch", profile{"RuntimeDefault"}},
		Volumes:         []volume{{Name: "results", PersistentVolumeClaim: &claimVolume{ClaimName: s.ResultsClaim()}}},
	}
	c := container{
		Name: "apfsim", Image: s.Image, Args: s.args(),
		Resources:       resources{map[string]string{"cpu": s.CPU, "memory": s.Memory}, map[string]string{"memory": s.Memory}},
		SecurityContext: containerSecurity{false, true, capabilities{[]string{"ALL"}}},
		VolumeMounts:    []mount{{Name: "results", MountPath: resultsPath}},
	}
	if len(s.Files) > 0 {
		c.WorkingDir = path.Join(inputsPath, s.Folder)
		c.VolumeMounts = append(c.VolumeMounts, mount{"inputs", inputsPath, true})
		p.Volumes = append(p.Volumes, s.inputs())
	}
	p.Containers = []container{c}
	return p
}

// args are the arguments of all shards.
func (s *Sweep) args() []string {
	return append(s.Args[:len(s.Args):len(s.Args)],
		"--workers", fmt.Sprint(s.Workers), "--results", s.Results(), "--shard", fmt.Sprintf("auto/%d", s.Shards))
}

func (s *Sweep) inputs() volume {
	if s.FilesClaim != "" {
		return volume{Name: "inputs", PersistentVolumeClaim: &claimVolume{s.FilesClaim, true}}
	}
	v := &configMapVolume{Name: s.Name}
	for i, key := range s.keys() {
		v.Items = append(v.Items, configMapKey{key, s.Files[i].Path})
	}
	return volume{Name: "inputs", ConfigMap: v}
}
