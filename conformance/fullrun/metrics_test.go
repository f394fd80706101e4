package fullrun

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// scrapeFolder makes TestOneScraped scrape the real server over the trace of a folder.
var (
	scrapeFolder = flag.String("scrape", "", "folder with a scenario whose run is scraped")
	scrapeTo     = flag.String("scrape-to", "", "file for what was scraped")
)

// TestOneScraped is what TestMetrics runs in a process of its own, and nothing without its flags.
func TestOneScraped(t *testing.T) {
	if *scrapeFolder == "" {
		return
	}
	v := loadVector(t, *scrapeFolder)
	text, err := json.Marshal(ReplayScraped(t, v.scenario, v.trace, ScrapeTimes(v.trace)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*scrapeTo, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// scrapeReal scrapes the real server over the trace of a folder.
func scrapeReal(t *testing.T, folder string) []Scrape {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "scrapes.json")
	c := exec.CommandContext(t.Context(), program, "-test.run=^TestOneScraped$", "-scrape="+folder, "-scrape-to="+file)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []Scrape
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestMetrics compares what the simulator and the real server tell Prometheus: names, types, help texts,
// labels, buckets and values.
func TestMetrics(t *testing.T) {
	names := []string{"small", "watch", "reject", "timeouts", "options", "custom"}
	if !testing.Short() {
		names = append(names, "mutating", "liststorm", "trim2", "borrow", "crush")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(vectorFolder, name)
			v := loadVector(t, folder)
			theirs := scrapeReal(t, folder)
			config, err := LoadOurs(folder)
			if err != nil {
				t.Fatal(err)
			}
			ours, err := ScrapeOurs(config, ScrapeTimes(v.trace))
			if err != nil {
				t.Fatal(err)
			}
			d, err := CompareScrapes(theirs, ours, AnyTarget)
			if err != nil || d != "" {
				t.Error(d, err)
			}
		})
	}
}
