package trail

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// Actor is one of the devices of a trail that is played on several.
type Actor struct {
	Name        string
	Device      string   // a platform, or the id of a device: web, android, android/<serial>
	Classifiers []string // of the opened device; nil: the platform of Device
	Pos         Pos
}

var actorName = regex.Lazy(`^[a-z][A-Za-z0-9_]*$`)

// actorTaken are the beginnings of tokens that are no names of actors.
var actorTaken = []string{"args", "memory", "params"}

// Actor returns the actor of a name, nil when there is none.
func (c *Config) Actor(name string) *Actor {
	i := slices.IndexFunc(c.Actors, func(a Actor) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Actors[i]
}

// ActorNames returns the names of the actors.
func (c *Config) ActorNames() (names []string) {
	for _, a := range c.Actors {
		names = append(names, a.Name)
	}
	return names
}

// On returns the trail for opened devices: the steps of each actor are those of its classifiers.
func (t *Trail) On(classifiers map[string][]string) *Trail {
	on := *t
	on.Config.Actors = slices.Clone(t.Config.Actors)
	for i := range on.Config.Actors {
		on.Config.Actors[i].Classifiers = classifiers[on.Config.Actors[i].Name]
	}
	return &on
}

// platform returns the platform of the actor's device.
func (a *Actor) platform() string {
	platform, _, _ := strings.Cut(a.Device, "/")
	return platform
}

// Class returns the device class that the steps of an actor are recorded for; one in a trail without actors.
func (c *Config) Class(actor, one string) string {
	if a := c.Actor(actor); a != nil {
		return a.platform()
	}
	return one
}

// Classes returns the device classes that a trail is recorded for at once: those of its actors, or one.
func (c *Config) Classes(one string) []string {
	if len(c.Actors) == 0 {
		return []string{one}
	}
	var out []string
	for _, a := range c.Actors {
		out = append(out, a.platform())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// chain returns the keys of recordings for a step of the actor.
func (a *Actor) chain() []string {
	if len(a.Classifiers) > 0 {
		return Chain(a.Classifiers)
	}
	return Chain([]string{a.platform()})
}

// actors reads the devices of a trail.
func (d *decoder) actors(n *node, where string) {
	for _, e := range d.mapping(n, where, where) {
		w := at(where, e.key)
		a := Actor{Name: e.key, Pos: e.pos}
		if !actorName().MatchString(e.key) || slices.Contains(actorTaken, e.key) {
			d.errorf(e.pos, w, "Begin with a small letter: alice, driver, admin.", "%q cannot name an actor", e.key)
			continue
		}
		if e.value.kind != kindMapping {
			d.errorf(e.value.pos, w, `Write "`+e.key+`: {device: web}".`, "actor %q must be a mapping with device, not %s",
				e.key, e.value.describe())
			continue
		}
		for _, f := range e.value.entries {
			if f.key == "device" {
				a.Device = d.text(f.value, at(w, f.key), "the device of actor "+quote(e.key))
			} else {
				d.unknown(f, at(w, f.key), "", []string{"device"})
			}
		}
		if a.Device == "" {
			d.errorf(e.pos, w, `Write "`+e.key+`: {device: web}".`, "actor %q has no device", e.key)
			continue
		}
		d.trail.Config.Actors = append(d.trail.Config.Actors, a)
	}
}

// cast checks that each step of a trail with actors is of one of them, and no other step of any.
func (d *decoder) cast() {
	c := &d.trail.Config
	var group []string
	names := c.ActorNames()
	if len(names) > 0 && d.trail.Trailhead != nil {
		d.errorf(d.trail.Trailhead.Pos, "trailhead", "Make it the first step of each actor.",
			"a trail with actors has no trailhead")
	}
	if len(names) > 0 && len(c.Requires) > 0 {
		d.errorf(c.Actors[0].Pos, "config.requires", "Name the device of the actor: android/<serial>.",
			"a trail with actors has no requires")
	}
	for i := range d.trail.Steps {
		s := &d.trail.Steps[i]
		w := item("trail", i)
		if !s.Together {
			group = nil
		}
		switch {
		case s.On == "" && len(names) > 0:
			d.errorf(s.Pos, w, "Say whose step it is: on: "+names[0]+".", "a step of a trail with actors has no on")
		case s.On != "" && !slices.Contains(names, s.On):
			hint := didYouMean(s.On, names)
			if hint == "" {
				hint = "Name it in the head: config: {actors: {" + s.On + ": {device: web}}}."
			}
			d.errorf(s.Pos, w, hint, "%q is no actor of this trail", s.On)
		case s.Together && i == 0:
			d.errorf(s.Pos, w, "Remove it.", "together is for a step with one before it")
		case s.Together && s.On == "":
			d.errorf(s.Pos, w, "Remove it, or give the trail actors.", "together is for steps on several devices")
		case slices.Contains(group, s.On):
			d.errorf(s.Pos, w, `Remove "together: true": it begins when the other is over.`,
				"%s already has a step of those that run together", s.On)
		}
		group = append(group, s.On)
	}
}
