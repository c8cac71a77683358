package skill

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// Agent is a family of coding agents and the folder in which they look for skills, below a project or the user's home.
type Agent struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	Reads  string `json:"reads"` // the agents that read it
}

// Agents lists the families. The first two cover most.
func Agents() []Agent {
	return []Agent{
		{"claude", ".claude/skills", "Claude Code"},
		{"agents", ".agents/skills", "what follows the common standard: Codex, Gemini CLI, Copilot, OpenCode, Goose"},
		{"cursor", ".cursor/skills", "Cursor"},
		{"codex", ".codex/skills", "Codex"},
		{"gemini", ".gemini/skills", "Gemini CLI"},
	}
}

// Path is the skill's file for an agent below root.
func (a Agent) Path(root string) string {
	return PathIn(filepath.Join(root, filepath.FromSlash(a.Folder)))
}

// PathIn is the skill's file in a folder of skills.
func PathIn(skills string) string { return filepath.Join(skills, Name, "SKILL.md") }

// State is the state of an installed skill.
type State string

// The states.
const (
	Absent   State = "absent"
	Current  State = "current"
	Outdated State = "outdated" // of another version of trailblaze, as it was installed
	Changed  State = "changed"  // ours, edited since
	Foreign  State = "foreign"  // a file of the same name that is not ours
)

const maxFile = 1 << 20

// Look returns the state of the skill at a path, and its version.
func Look(path string) (State, string, error) {
	const op = "read skill"
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Absent, "", nil
	case err != nil:
		return "", "", fault.Wrap(err, fault.Invalid, op)
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return Foreign, "", nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", "", fault.Wrap(err, fault.Invalid, op)
	}
	version, intact := versionOf(string(data))
	switch {
	case version == "":
		return Foreign, "", nil
	case !intact:
		return Changed, version, nil
	case version == Version():
		return Current, version, nil
	}
	return Outdated, version, nil
}

// Install writes the skill. It replaces an edited or foreign file only when forced. It returns the
// state before.
func Install(path string, force bool) (State, error) {
	const op = "install skill"
	was, _, err := Look(path)
	if err != nil {
		return was, err
	}
	switch was {
	case Current:
		return was, nil
	case Changed, Foreign:
		if !force {
			why := map[State]string{Changed: "has been edited", Foreign: "is not ours"}[was]
			return was, fault.New(fault.Conflict, op, "%s %s", path, why).WithHint("--force replaces it.")
		}
	case Absent, Outdated:
	}
	return was, fault.Wrap(file.ReplaceAs(cmp.Or(resolved(path), path), 0o644, []byte(Text())), fault.Unavailable, op)
}

// resolved returns the target of a link, "" when there is none.
func resolved(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return real
}
