package trail

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/memory"
)

// tokens warns of {{args.x}} tokens whose argument the trail does not declare: they would stay as they are and be
// typed into the app.
func (d *decoder) tokens() {
	if d.trail == nil {
		return
	}
	var declared []string
	for _, a := range d.trail.Config.Args {
		declared = append(declared, a.Name)
	}
	check := func(s *Step) {
		for _, k := range sortedKeys(s.Recordings) {
			for _, c := range s.Recordings[k] {
				d.callTokens(c, declared)
			}
		}
	}
	if d.trail.Trailhead != nil {
		check(d.trail.Trailhead)
	}
	for i := range d.trail.Steps {
		check(&d.trail.Steps[i])
	}
}

func (d *decoder) callTokens(c Recorded, declared []string) {
	for _, name := range memory.ArgsIn(c.Args) {
		if slices.Contains(declared, name) {
			continue
		}
		hint := didYouMean(name, declared)
		if hint == "" {
			hint = `Declare it under "config.args:".`
		}
		d.warnf(c.Pos, "", hint, "%s uses {{args.%s}}, which the trail does not declare", c.Name, name)
	}
}
