package indexedjob

import (
	"encoding/json"
	"fmt"
)

// fetchImage has a shell and tar, which the image of apfsim has not, and which kubectl cp needs.
const fetchImage = "busybox:stable"

// Fetch are the commands that bring the results of the Job here, for a shell.
func (s *Sweep) Fetch() []string {
	flag := ""
	if s.Namespace != "" {
		flag = " -n " + s.Namespace
	}
	pod := s.Name + "-fetch"
	return []string{
		fmt.Sprintf("kubectl wait%s job/%s --for=condition=Complete --timeout=24h", flag, s.Name),
		fmt.Sprintf("kubectl run%s %s --image=%s --restart=Never --overrides='%s'", flag, pod, fetchImage, s.overrides(pod)),
		fmt.Sprintf("kubectl wait%s pod/%s --for=condition=Ready", flag, pod),
		fmt.Sprintf("kubectl cp%s %s:%s %s", flag, pod, s.Results(), s.Name),
		fmt.Sprintf("kubectl delete%s pod %s", flag, pod),
		"apfsim merge " + s.Name,
	}
}

// overrides make the Pod that kubectl run makes one that sees the results.
func (s *Sweep) overrides(name string) string {
	spec := s.pod()
	spec.Volumes = spec.Volumes[:1]
	c := &spec.Containers[0]
	c.Name, c.Image, c.WorkingDir, c.Args = name, fetchImage, "", nil
	c.Command, c.VolumeMounts = []string{"sleep", "3600"}, c.VolumeMounts[:1]
	c.Resources = resources{}
	text, err := json.Marshal(struct {
		APIVersion string  `json:"apiVersion"`
		Spec       podSpec `json:"spec"`
	}{"v1", spec})
	if err != nil {
		panic(fmt.Sprintf("indexedjob: %v", err))
	}
	return string(text)
}
