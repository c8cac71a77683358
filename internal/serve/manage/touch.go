package manage

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// The files of calls whose arguments do not hold them plainly. Policy decides about them before a tool runs.

// stateFile is the login state that a device starts with, unless the argument is that state itself.
func stateFile(a tool.Args) (reads, writes []string) {
	if s := a.Text("storageState"); s != "" && !strings.HasPrefix(strings.TrimSpace(s), "{") {
		reads = []string{s}
	}
	return reads, nil
}

func savedSession(a tool.Args) (reads, writes []string) {
	if a.Is("action", "SAVE") {
		writes = []string{belowTrails(a.Text("path"))}
	}
	return nil, writes
}

func savedTrail(a tool.Args) (reads, writes []string) {
	if a.Is("action", "SAVE") || a.Is("action", "START") {
		writes = []string{belowTrails(a.Text("file"))}
	}
	return nil, writes
}

func editedTrail(a tool.Args) (reads, writes []string) {
	if !a.Is("op", "GET") {
		writes = []string{belowTrails("")}
	}
	return nil, writes
}

// belowTrails is a file below the workspace's trails, where these tools write.
func belowTrails(name string) string { return "trails/" + strings.TrimPrefix(name, "trails/") }
