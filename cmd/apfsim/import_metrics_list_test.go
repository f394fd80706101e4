package main

import "time"

// What is not reproduced, and why.
const (
	mixed    = "rejected: of one flow schema a part comes steadily and a part at once, both again after rejections"
	few      = "rejected or the p99: there are too few for what chance makes of them"
	pauses   = "rejected or the p99: six LISTs of one client make it, and what it does between them is not known"
	tooMany  = "all: two million requests in a run are too many to try"
	present  = "rejected: requests are there when the server starts, of which no scrape tells"
	restarts = "all: the server does not live from one scrape to the next"
)

// worstMinutes are those of the library's scenarios in which most is rejected and waited for, of those that begin with a
// whole minute. Of several servers it is the one of which that is true. What is not reproduced can only
// become less. docs/import-metrics.md explains the reasons.
var worstMinutes = map[string]minute{
	"agent-sandbox-burst":                  {0, "", "", "seed fewer more"},
	"agent-sandbox-burst-cured":            {0, "", "", "seed fewer more"},
	"connectors-start-at-once":             {0, "", mixed, ""},
	"connectors-start-at-once-cured":       {0, "", mixed, ""},
	"daemonset-restart":                    {0, "", "", "seed fewer"},
	"daemonset-restart-cured":              {0, "", "", "seed"},
	"daemonset-restart-thirsty":            {0, "", mixed, ""},
	"elephants-and-mice":                   {time.Minute, "", "", ""},
	"event-flood":                          {2 * time.Minute, "", "", "seed more"},
	"event-flood-cured":                    {time.Minute, "", "", "seed more"},
	"events-on-catch-all":                  {0, "", "", "seed fewer more"},
	"events-on-catch-all-thirsty":          {0, "", "", "seed fewer more"},
	"leader-election":                      {time.Minute, "", "", "seed"},
	"leases-behind-a-firewall":             {0, "", "", "seed fewer more"},
	"list-storm":                           {0, "", "", ""},
	"lists-never-finish":                   {time.Minute, "", "", "seed fewer more"},
	"lists-never-finish-cured":             {0, "", "", "seed fewer more"},
	"lists-never-read":                     {time.Minute, "", "", "fewer"},
	"lists-never-read-cured":               {time.Minute, "", "", ""},
	"lists-never-read-idle":                {0, "", "", "seed fewer more"},
	"lists-never-read-seventh":             {time.Minute, "", "", "more"},
	"lists-never-read-thirsty":             {time.Minute, "", "", "fewer"},
	"lists-never-read-thirsty-cured":       {time.Minute, "", pauses, ""},
	"low-levels-larger-share":              {0, "", "", "seed fewer more"},
	"low-levels-larger-share-allocation":   {0, "", tooMany, ""},
	"low-levels-larger-share-cured":        {0, "", "", "fewer"},
	"new-level-under-load":                 {2 * time.Minute, "", "", ""},
	"nine-hundred-at-once":                 {0, "", "", "seed fewer more"},
	"nine-hundred-at-once-one-flow":        {0, "", "", "seed fewer more"},
	"nodes-retry-after-a-second":           {0, "", "", "seed"},
	"nodes-retry-at-once":                  {0, "", "", "seed"},
	"nodes-retry-at-once-cured":            {0, "", "", "seed"},
	"nodes-retry-at-once-more-seats":       {0, "", "", "seed"},
	"one-server-of-three":                  {time.Minute, "apiserver-0", "", "seed"},
	"one-server-of-three-balanced":         {0, "apiserver-0", "", "seed fewer more"},
	"one-server-of-three-from-cache":       {0, "apiserver-0", "", "seed fewer more"},
	"one-server-of-three-namespaces":       {0, "apiserver-0", "", "seed fewer more"},
	"one-server-of-three-unpinned":         {0, "apiserver-0", "", "seed fewer more"},
	"one-user-floods-global-default":       {0, "", "", "seed"},
	"one-user-floods-global-default-cured": {0, "", "", "seed fewer more"},
	"one-user-floods-live-dump":            {0, "", present, ""},
	"relist-after-restart":                 {-1, "", restarts, ""},
	"relist-after-restart-cured":           {2 * time.Minute, "", "", "seed fewer more"},
	"relist-after-restart-paced":           {2 * time.Minute, "", "", "seed fewer more"},
	"slow-backend":                         {time.Minute, "", few, ""},
	"slow-backend-cured":                   {0, "", "", "seed fewer more"},
	"slow-backend-more-shares":             {time.Minute, "", "", ""},
	"slow-backend-stall":                   {3 * time.Minute, "", few, ""},
	"telemetry-rollout":                    {0, "", "", "seed fewer more"},
	"telemetry-rollout-cured":              {4 * time.Minute, "", "", "seed fewer"},
	"telemetry-rollout-staging":            {0, "", "", "seed fewer more"},
	"three-servers-one-hot":                {0, "apiserver-0", "", "seed"},
	"three-servers-one-hot-cured":          {0, "apiserver-0", "", "seed"},
	"webhook-deadlock":                     {0, "", "", ""},
	"webhook-deadlock-cured":               {0, "", "", "seed fewer"},
	"zero-shares-jail":                     {0, "", "", "seed fewer more"},
	"zero-shares-jail-cured":               {0, "", "", "seed fewer more"},
}
