package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/memory/mask"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Part is what an actor did, in a session of its own.
type Part struct {
	Actor string
	*Composed
}

// Join makes one trail with actors of what each of them did, in the order in which it was done. What one remembered and
// another used later is named by its token.
func Join(title string, parts []Part) *Composed {
	type step struct {
		trail.Step
		at   time.Time
		part *Part
	}
	out := &Composed{Classifier: parts[0].Classifier, Trail: &trail.Trail{Format: trail.Unified}}
	cfg := &out.Trail.Config
	cfg.Title = title
	var steps []step
	for i := range parts {
		p := &parts[i]
		cfg.Actors = append(cfg.Actors, trail.Actor{Name: p.Actor, Device: p.Classifier})
		for name, v := range p.Trail.Config.Memory {
			if cfg.Memory == nil {
				cfg.Memory = map[string]string{}
			}
			cfg.Memory[p.Actor+"."+name] = v
		}
		cfg.Args = append(cfg.Args, p.Trail.Config.Args...)
		for name, v := range p.Trail.Config.Metadata {
			if cfg.Metadata == nil {
				cfg.Metadata = map[string]string{}
			}
			cfg.Metadata[name] = v
		}
		for n, s := range p.Trail.Steps {
			s.On = p.Actor
			steps = append(steps, step{s, p.began[n], p})
		}
		for _, w := range p.Warnings {
			out.Warnings = append(out.Warnings, p.Actor+": "+w)
		}
		out.Left = Left{out.Left.Failed + p.Left.Failed, out.Left.Looks + p.Left.Looks, out.Left.Repeated + p.Left.Repeated}
		out.Steps, out.Actions = out.Steps+p.Steps, out.Actions+p.Actions
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	for _, s := range steps {
		tokens := map[string]string{}
		for i := range parts {
			for _, k := range parts[i].remembered {
				if parts[i].Actor != s.part.Actor && k.at.Before(s.at) {
					tokens[k.value] = "{{" + parts[i].Actor + "." + k.name + "}}"
				}
			}
		}
		s.Recordings = maps.Clone(s.Recordings)
		for class, calls := range s.Recordings {
			calls = slices.Clone(calls)
			for i := range calls {
				calls[i].Call.Args = lift(calls[i].Call.Args, tokens)
			}
			s.Recordings[class] = calls
		}
		out.Trail.Steps = append(out.Trail.Steps, s.Step)
	}
	return out
}

// remembered is a value that an action put into memory.
type remembered struct {
	name, value string
	at          time.Time
}

// values returns what the actions of the trail put into memory, and what is there now.
func (c *composer) values() []remembered {
	if c.plan.Memory == nil {
		return nil
	}
	known := c.plan.Memory.Public()
	var out []remembered
	for _, a := range c.kept {
		e := c.spec(a).Effects
		if e == nil {
			continue
		}
		name := tool.Args(meaning(a.Call.Args)).Text(e.Remembers)
		now, ok := known[name]
		value := strings.TrimSpace(fmt.Sprint(now))
		if ok && utf8.RuneCountInString(value) >= leastLifted && !strings.Contains(value, mask.Masked) {
			out = append(out, remembered{name, value, a.At})
		}
	}
	return out
}
