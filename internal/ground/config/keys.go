package config

import "slices"

// Key is a setting.
type Key struct {
	Name    string // as in a file, under "defaults:"
	Env     string // TRAILBLAZE_…
	Default string
	Kind    string // string, int, bool, duration, time (a duration, or 0), size, path
	Owner   Owner
	Help    string
}

// Owner says whose value holds for a setting. A project is cloned before it has been read.
type Owner string

// The owners. A setting that names a program, a folder outside of the project, a host for our own traffic, or the
// daemon that serves every project is the user's.
const (
	UserOnly       Owner = "user only"          // a project's value is not used
	ProjectNarrows Owner = "project may narrow" // a project's value holds beside the user's, and undoes nothing of it
	ProjectSets    Owner = "project may set"
)

// Keys lists every setting there is.
func Keys() []Key {
	return []Key{
		{"device", "TRAILBLAZE_DEVICE", "web", "string", ProjectSets, "device to run on"},
		{"target", "TRAILBLAZE_TARGET", "", "string", ProjectSets,
			"the app under test: the id of a target, a package id or a URL"},
		{"platform", "TRAILBLAZE_PLATFORM", "", "string", ProjectSets,
			"web, android or ios: device to run on where none is named"},
		{"trails-dir", "TRAILBLAZE_TRAILS_DIR", "trails", "path", ProjectSets,
			"folder of the trails, relative to the project"},
		{"browser", "TRAILBLAZE_BROWSER", "", "string", UserOnly, "path or name of the browser"},
		{"headless", "TRAILBLAZE_HEADLESS", "true", "bool", ProjectSets, "run the browser without a window"},
		{"viewport", "TRAILBLAZE_VIEWPORT", "1280x800", "size", ProjectSets, "size of the page"},
		{"base-url", "TRAILBLAZE_BASE_URL", "", "string", ProjectSets, "remembered as baseUrl"},
		{"jobs", "TRAILBLAZE_JOBS", "1", "int", ProjectSets, "trails at once"},
		{"retries", "TRAILBLAZE_RETRIES", "0", "int", ProjectSets, "further attempts for a trail that fails"},
		{"timeout", "TRAILBLAZE_TIMEOUT", "10m", "duration", ProjectSets, "of one attempt at a trail"},
		{"step-timeout", "TRAILBLAZE_STEP_TIMEOUT", "60s", "duration", ProjectSets, "of one step"},
		{"policy", "TRAILBLAZE_POLICY", "", "path", ProjectNarrows,
			"policy file, default trails/config/policy.yaml"},
		{"screenshots", "TRAILBLAZE_SCREENSHOTS", "failure", "string", ProjectSets, "failure, steps or off"},
		{"llm", "TRAILBLAZE_LLM", "", "string", ProjectSets,
			"language model: provider/model, provider or none; default: the first provider with a key"},
		{"max-llm-calls", "TRAILBLAZE_MAX_LLM_CALLS", "50", "int", ProjectNarrows,
			"questions to the model for one step"},
		{"job-after", "TRAILBLAZE_JOB_AFTER", "45s", "duration", UserOnly,
			"when a call over MCP goes on as a job, before its client gives it up"},
		{"answer-timeout", "TRAILBLAZE_ANSWER_TIMEOUT", "2m", "duration", UserOnly,
			"how long the model of an MCP client may take for an answer"},
		{"idle", "TRAILBLAZE_IDLE", "30m", "time", UserOnly,
			"when an unused daemon ends, 0 never; the daemon serves every project"},
		{"max-browsers", "TRAILBLAZE_MAX_BROWSERS", "32", "int", UserOnly,
			"browsers that the daemon has open at once, 0 for any number"},
		{"reports", "TRAILBLAZE_REPORTS_DIR", "", "string", UserOnly, "folder for reports, default <home>/reports"},
		{"sessions", "TRAILBLAZE_LOGS_DIR", "", "string", UserOnly,
			"folder for session logs, default <home>/sessions"},
		{"releases", "TRAILBLAZE_RELEASES",
			"https://api.github.com/repos/trailblaze-dev/trailblaze/releases/latest", "string", UserOnly,
			"the address that `trailblaze upgrade --check` asks; nothing else does"},
	}
}

// choices are the values of settings that have only a few.
var choices = map[string][]string{
	"screenshots": {"failure", "steps", "off"},
	"platform":    {"", "web", "android", "ios"},
}

// Choices lists the values a setting may have, nil when any will do.
func (k Key) Choices() []string {
	if k.Kind == "bool" {
		return []string{"true", "false"}
	}
	return slices.Clone(choices[k.Name])
}

// topSettings are settings that a file may also have at its top, in the spelling of a project's trailblaze.yaml.
var topSettings = map[string]string{"target": "target", "platform": "platform", "trailsDir": "trails-dir"}

// roots are the keys that a file may have at its top.
var roots = []string{
	"defaults", "targets", "llm", "toolsets", "tools", "providers", "mcpServers", "mcp_servers",
	"target", "platform", "trailsDir",
}
