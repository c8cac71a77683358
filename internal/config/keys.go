package config

import "slices"

// Key is a setting.
type Key struct {
	Name    string // as in a file, under "defaults:"
	Env     string // TRAILBLAZE_…
	Default string
	Kind    string // string, int, bool, duration, time (a duration, or 0), size
	Help    string
}

// Keys lists every setting there is.
func Keys() []Key {
	return []Key{
		{"device", "TRAILBLAZE_DEVICE", "web", "string", "device to run on"},
		{"target", "TRAILBLAZE_TARGET", "", "string", "the app under test: the id of a target, a package id or a URL"},
		{"platform", "TRAILBLAZE_PLATFORM", "", "string", "web, android or ios: device to run on where none is named"},
		{"trails-dir", "TRAILBLAZE_TRAILS_DIR", "trails", "string", "folder of the trails, relative to the project"},
		{"browser", "TRAILBLAZE_BROWSER", "", "string", "path or name of the browser"},
		{"headless", "TRAILBLAZE_HEADLESS", "true", "bool", "run the browser without a window"},
		{"viewport", "TRAILBLAZE_VIEWPORT", "1280x800", "size", "size of the page"},
		{"base-url", "TRAILBLAZE_BASE_URL", "", "string", "remembered as baseUrl"},
		{"jobs", "TRAILBLAZE_JOBS", "1", "int", "trails at once"},
		{"retries", "TRAILBLAZE_RETRIES", "0", "int", "further attempts for a trail that fails"},
		{"timeout", "TRAILBLAZE_TIMEOUT", "10m", "duration", "of one attempt at a trail"},
		{"step-timeout", "TRAILBLAZE_STEP_TIMEOUT", "60s", "duration", "of one step"},
		{"policy", "TRAILBLAZE_POLICY", "", "string", "policy file, default trails/config/policy.yaml"},
		{"screenshots", "TRAILBLAZE_SCREENSHOTS", "failure", "string", "failure, steps or off"},
		{"llm", "TRAILBLAZE_LLM", "", "string",
			"language model: provider/model, provider or none; default: the first provider with a key"},
		{"max-llm-calls", "TRAILBLAZE_MAX_LLM_CALLS", "50", "int", "questions to the model for one step"},
		{"job-after", "TRAILBLAZE_JOB_AFTER", "45s", "duration",
			"when a call over MCP goes on as a job, before its client gives it up; in the user's own file"},
		{"answer-timeout", "TRAILBLAZE_ANSWER_TIMEOUT", "2m", "duration",
			"how long the model of an MCP client may take for an answer; in the user's own file"},
		{"idle", "TRAILBLAZE_IDLE", "30m", "time",
			"when an unused daemon ends, 0 never; in the user's own file, for the daemon serves every project"},
		{"reports", "TRAILBLAZE_REPORTS_DIR", "", "string", "folder for reports, default <home>/reports"},
		{"sessions", "TRAILBLAZE_LOGS_DIR", "", "string", "folder for session logs, default <home>/sessions"},
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
