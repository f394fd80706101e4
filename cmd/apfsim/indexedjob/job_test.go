package indexedjob

import (
	"bytes"
	"io"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// example is a sweep with a text file and a binary one.
func example() *Sweep {
	return &Sweep{
		Name: "apfsim-small", Namespace: "load", Image: "registry.example/apfsim:v1", Shards: 12, Parallelism: 4,
		CPU: "1500m", Memory: "512Mi", Workers: 2, AccessMode: "ReadWriteMany", StorageClass: "nfs", StorageSize: "1Gi",
		Args: []string{"sweep", "small.yaml", "--vary", "server.maxRequestsInflight=1,2", "--set", "a=yes"}, Folder: "files",
		Files: []File{
			{"files/small.yaml", []byte("a: 1\n\n# a comment\nb: [yes]\n")},
			{"files/apf/a b.yaml", []byte("x: 'y'\r\n")},
			{"files/apf_a_b.yaml", []byte("\t")},
			{"files/t.gz", []byte{0x1f, 0x8b, 0, 0xff}},
		},
		Header: []string{"A line.", "", "Another."},
	}
}

// objects reads what is written strictly into the official types.
func objects(t *testing.T, text []byte) (list []runtime.Object) {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{batchv1.AddToScheme, corev1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
	documents := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(text)))
	buffer := make([]byte, 4<<20)
	for {
		n, err := documents.Read(buffer)
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		o, _, err := decoder.Decode(buffer[:n], nil, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, buffer[:n])
		}
		list = append(list, o)
	}
}

// written writes and reads a sweep.
func written(t *testing.T, s *Sweep) []runtime.Object {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "# A line.\n#\n# Another.\n") {
		t.Errorf("the comments are not first: %q", b.String()[:40])
	}
	return objects(t, b.Bytes())
}

// TestOfficialTypes holds that the official types take every field, and what they then say.
func TestOfficialTypes(t *testing.T) {
	s := example()
	list := written(t, s)
	if len(list) != 3 {
		t.Fatalf("%d objects", len(list))
	}
	files, claim, job := list[0].(*corev1.ConfigMap), list[1].(*corev1.PersistentVolumeClaim), list[2].(*batchv1.Job)
	for _, o := range []interface{ GetNamespace() string }{files, claim, job} {
		if o.GetNamespace() != "load" {
			t.Errorf("the namespace is %q", o.GetNamespace())
		}
	}
	if got := claim.Spec.Resources.Requests.Storage().String(); got != "1Gi" || *claim.Spec.StorageClassName != "nfs" || claim.Spec.AccessModes[0] != corev1.ReadWriteMany {
		t.Errorf("the claim is %+v", claim.Spec)
	}
	spec := job.Spec
	if *spec.CompletionMode != batchv1.IndexedCompletion || *spec.Completions != 12 || *spec.Parallelism != 4 || *spec.BackoffLimitPerIndex < 1 {
		t.Errorf("the Job is %+v", spec)
	}
	if rule := spec.PodFailurePolicy.Rules[0]; rule.Action != batchv1.PodFailurePolicyActionIgnore || rule.OnPodConditions[0].Type != corev1.DisruptionTarget {
		t.Errorf("the first rule is %+v", rule)
	}
	checkSecure(t, &spec.Template.Spec)
	c := spec.Template.Spec.Containers[0]
	if got := strings.Join(c.Args, " "); got != "sweep small.yaml --vary server.maxRequestsInflight=1,2 --set a=yes "+
		"--workers 2 --results /results/apfsim-small --shard auto/12" {
		t.Errorf("the arguments are %s", got)
	}
	if c.WorkingDir != "/inputs/files" || c.Resources.Requests.Cpu().MilliValue() != 1500 || c.Resources.Limits.Memory().Value() != 512<<20 {
		t.Errorf("the container is %+v", c)
	}
	if name := *spec.PodFailurePolicy.Rules[1].OnExitCodes.ContainerName; name != c.Name {
		t.Errorf("the policy is about the container %s", name)
	}
}

// checkSecure holds that a Pod keeps the restricted standard, and writes nowhere but in its volumes.
func checkSecure(t *testing.T, p *corev1.PodSpec) {
	t.Helper()
	if p.RestartPolicy != corev1.RestartPolicyNever || *p.AutomountServiceAccountToken {
		t.Errorf("the Pod is %+v", p)
	}
	if s := p.SecurityContext; !*s.RunAsNonRoot || *s.RunAsUser == 0 || *s.FSGroup == 0 || s.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("the security of the Pod is %+v", s)
	}
	for _, c := range p.Containers {
		if s := c.SecurityContext; *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || s.Capabilities.Drop[0] != "ALL" {
			t.Errorf("the security of the container is %+v", s)
		}
	}
}

// TestFiles holds that each file appears at its path with its bytes, under a legal key.
func TestFiles(t *testing.T) {
	s := example()
	list := written(t, s)
	files, job := list[0].(*corev1.ConfigMap), list[2].(*batchv1.Job)
	got := map[string]string{}
	for _, v := range job.Spec.Template.Spec.Volumes {
		if v.ConfigMap == nil {
			continue
		}
		if v.ConfigMap.Name != files.Name {
			t.Errorf("the volume is of %s", v.ConfigMap.Name)
		}
		for _, item := range v.ConfigMap.Items {
			if faults := validation.IsConfigMapKey(item.Key); len(faults) > 0 {
				t.Errorf("%q: %q", item.Key, faults)
			}
			got[item.Path] = files.Data[item.Key] + string(files.BinaryData[item.Key])
		}
	}
	if len(got) != len(s.Files) {
		t.Errorf("there are %d files, want %d", len(got), len(s.Files))
	}
	for _, f := range s.Files {
		if got[f.Path] != string(f.Text) {
			t.Errorf("%s is %q, want %q", f.Path, got[f.Path], f.Text)
		}
	}
}

// TestFilesOnAVolume holds that nothing is copied where a volume holds the files.
func TestFilesOnAVolume(t *testing.T) {
	s := example()
	s.FilesClaim = "traces"
	list := written(t, s)
	if len(list) != 2 {
		t.Fatalf("%d objects", len(list))
	}
	pod := list[1].(*batchv1.Job).Spec.Template.Spec
	if v := pod.Volumes[1]; v.PersistentVolumeClaim.ClaimName != "traces" || !v.PersistentVolumeClaim.ReadOnly {
		t.Errorf("the volume is %+v", v)
	}
}

// TestFetch holds that the Pod that fetches the results is one of the official type, and sees them.
func TestFetch(t *testing.T) {
	s := example()
	commands := s.Fetch()
	_, text, _ := strings.Cut(commands[1], "--overrides='")
	text = strings.TrimSuffix(text, "'")
	pod := objects(t, []byte(strings.Replace(text, "{", `{"kind":"Pod",`, 1)))[0].(*corev1.Pod)
	checkSecure(t, &pod.Spec)
	c := pod.Spec.Containers[0]
	if c.Name != "apfsim-small-fetch" || c.VolumeMounts[0].MountPath != "/results" || pod.Spec.Volumes[0].PersistentVolumeClaim.ClaimName != s.ResultsClaim() {
		t.Errorf("the Pod is %+v", pod.Spec)
	}
	if want := "kubectl cp -n load apfsim-small-fetch:/results/apfsim-small apfsim-small"; commands[3] != want {
		t.Errorf("got %q, want %q", commands[3], want)
	}
}
