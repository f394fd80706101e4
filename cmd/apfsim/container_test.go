package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestContainerfile holds that the image has a static program alone, which runs as the user that the Pods of
// a Job have, and that it is told which version it is.
func TestContainerfile(t *testing.T) {
	text, err := os.ReadFile("../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	stages := strings.Split(string(text), "\nFROM ")
	if len(stages) != 3 {
		t.Fatalf("there are %d stages", len(stages)-1)
	}
	build, image := stages[1], stages[2]
	for _, part := range []string{"ENV CGO_ENABLED=0", "-X main.version=${VERSION}", "-X main.revision=${REVISION}", "\nARG VERSION", "\nARG REVISION"} {
		if !strings.Contains(build, part) {
			t.Errorf("the build lacks %q", part)
		}
	}
	if !strings.HasPrefix(image, "scratch\n") {
		t.Errorf("the image is made from %.20q", image)
	}
	user := regexp.MustCompile(`\nUSER ([0-9]+):`).FindStringSubmatch(image)
	if user == nil || user[1] == "0" {
		t.Fatalf("the user is %q", user)
	}
	p := newProcess(nil, "sweep", "lists-never-read", "--vary", "server.count=1,2", "--emit-job", "--image", "x")
	p.want(t, exitOK, "runAsUser: "+user[1]+"\n", "")
	if !strings.Contains(image, "COPY --from=build /out/apfsim /usr/local/bin/apfsim\n") || !strings.Contains(image, `ENTRYPOINT ["/usr/local/bin/apfsim"]`) {
		t.Error("the image does not run the program that was built")
	}
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	language := regexp.MustCompile(`(?m)^go ([0-9]+\.[0-9]+)`).FindStringSubmatch(string(module))[1]
	if !strings.HasPrefix(build, "docker.io/library/golang:"+language) {
		t.Errorf("go.mod needs Go %s, and the image is built with %.40q", language, build)
	}
}
