package manage

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// maxArtifacts bounds a listing: a long session has a capture per step.
const maxArtifacts = 200

// artifact is a file that a session left.
type artifact struct {
	Kind string `json:"kind" jsonschema:"log, snapshot or screenshot"`
	File string `json:"file"`
	MIME string `json:"mime,omitempty"`
	Why  string `json:"why,omitempty"`
	Step int    `json:"step,omitempty" jsonschema:"number of the step it shows"`
	Size int64  `json:"size,omitempty"`
}

func (a artifact) text() string {
	text := a.Kind + " " + a.File
	if a.Step > 0 {
		text += fmt.Sprintf(", step %d", a.Step)
	}
	if a.Why != "" {
		text += ", " + a.Why
	}
	return text
}

func sessionDir(root, id string) string { return filepath.Join(root, id) }

// artifacts lists the files of a session: its log, and the captures and pictures that the log points at.
func (d *sessionTools) artifacts(s *clients.Client, id string) (sessionOut, error) {
	t, err := d.read(s, id)
	if err != nil {
		return sessionOut{}, err
	}
	if t.dir == "" {
		return sessionOut{}, fault.New(fault.NotFound, "list artifacts", "the session %s keeps nothing on disk", t.id)
	}
	out := sessionOut{Artifacts: []artifact{{Kind: "log", File: filepath.Join(t.dir, event.File),
		MIME: "application/x-ndjson", Size: size(filepath.Join(t.dir, event.File))}}}
	seen := map[string]bool{}
	for e, err := range event.Read(t.dir) {
		if err != nil {
			return sessionOut{}, err
		}
		if e.Screen == nil || seen[e.Screen.Blob] || !event.ValidBlob(e.Screen.Blob) {
			continue
		}
		seen[e.Screen.Blob] = true
		if len(out.Artifacts) == maxArtifacts {
			out.Warnings = append(out.Warnings,
				fmt.Sprintf("only the first %d are listed; the rest is in %s", maxArtifacts, filepath.Join(t.dir, event.BlobDir)))
			break
		}
		file := filepath.Join(t.dir, event.BlobDir, e.Screen.Blob)
		out.Artifacts = append(out.Artifacts, artifact{
			Kind: string(e.Type), File: file, MIME: e.Screen.MIME, Why: e.Screen.Why, Step: max(e.Screen.Step+1, 0),
			Size: size(file),
		})
	}
	return out, nil
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}
