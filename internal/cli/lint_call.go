package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// tokens tells of a token that can never be replaced, such as {{args.a + 1}}. What a token names is not known yet.
func (l *linter) tokens(c trail.Recorded) {
	if _, _, err := memory.New().Expand(c.Args); err != nil {
		l.add(c.Pos, trail.SeverityError, c.Name, fmt.Sprintf("%s: %v", c.Name, err), "Write {{args.name}} or {{args.name.field}}; nothing is ever evaluated.")
	}
}

// target warns of an element that is named by a snapshot's ref alone: the ref means nothing in the session of a replay.
func (l *linter) target(c trail.Recorded) {
	var args struct {
		Ref          string          `json:"ref"`
		NodeSelector json.RawMessage `json:"nodeSelector"`
	}
	if json.Unmarshal(c.Args, &args) != nil || len(args.NodeSelector) > 0 {
		return
	}
	if ref, ok := screen.RefOf(args.Ref); ok {
		l.add(c.Pos, trail.SeverityWarning, c.Name+".ref", fmt.Sprintf("%s: %s is a ref of a snapshot, and names nothing when the trail is replayed", c.Name, ref),
			`Name the element by role and name (ref: 'button "Save"') or by a nodeSelector.`)
	}
}

// called looks for the trail that runTrail plays.
func (l *linter) called(c trail.Recorded) {
	var args replay.RunTrailInput
	if c.Name != replay.RunTrailTool || json.Unmarshal(c.Args, &args) != nil || args.Path == "" || strings.ContainsAny(args.Path, "{$") {
		return
	}
	if _, err := loadTrailIn(l.root, args.Path); err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		l.add(c.Pos, trail.SeverityError, c.Name+".path", fmt.Sprintf("%s: %s", c.Name, text), "The path is relative to the workspace, "+l.root+".")
	}
}

// class warns of a device class that is no platform's and looks like a slip of the finger.
func (l *linter) class(s *trail.Step, classifier string) {
	head, _, _ := strings.Cut(classifier, "-")
	if platformOf(classifier) != "" {
		return
	}
	for _, p := range []driver.Platform{driver.WebPlatform, driver.AndroidPlatform, driver.IOSPlatform} {
		if slip(head, string(p)) {
			l.add(s.Pos, trail.SeverityWarning, "recording."+classifier, fmt.Sprintf("the step %q has a recording for %q, which is no platform", s.Text, classifier),
				fmt.Sprintf("Did you mean %q?", strings.Replace(classifier, head, string(p), 1)))
		}
	}
}

// slip reports whether a word is another one with one letter too many, too few, wrong, or two swapped.
func slip(got, want string) bool {
	if got == want {
		return false
	}
	i, j := 0, 0 // letters that agree at the beginning and at the end
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	for j < min(len(got), len(want))-i && got[len(got)-1-j] == want[len(want)-1-j] {
		j++
	}
	a, b := got[i:len(got)-j], want[i:len(want)-j]
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
