package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// header fills in the head of the trail. The driver is always named, because the shape of selectors depends on it.
func (c *composer) header(cfg *trail.Config) {
	cfg.ID, cfg.Title = c.plan.ID, c.plan.Title
	if d := c.Session.Driver; d != "" {
		cfg.Devices = map[string]string{c.plan.Classifier: d}
	}
	c.declare(cfg)
}

// sign writes which models carried out a step, and whether the judge agreed. Nothing is written of a step that no model
// carried out.
func (g *Group) sign(cfg *trail.Config, text string) {
	if len(g.Models) == 0 {
		return
	}
	judged := "no judge was asked"
	if g.Ruling != "" {
		judged = "the judge says " + g.Ruling
	}
	if cfg.Metadata == nil {
		cfg.Metadata = map[string]string{}
	}
	cfg.Metadata["blazed: "+text] = strings.Join(g.Models, " and ") + "; " + judged
}

// token finds what the calls read from memory: {{name}}, {{memory.name}}, ${name}, {{args.name}}.
var token = regex.Lazy(`\{\{\s*(memory\.|args\.)?([A-Za-z_][\w.-]*)\s*\}\}|\$\{([A-Za-z_][\w.-]*)\}`)

// declare names the values that the trail needs from outside. A value that is no secret is declared with its value in
// the session; a secret's value goes nowhere, it is given to each run.
func (c *composer) declare(cfg *trail.Config) {
	made := map[string]bool{}
	for _, a := range c.kept {
		for _, m := range token().FindAllStringSubmatch(string(a.Call.Args), -1) {
			name := m[2] + m[3]
			switch {
			case made[name]:
			case m[1] == "args.":
				c.arg(cfg, name)
			default:
				c.memory(cfg, name)
			}
		}
		for name := range a.Kept {
			made[name] = true
		}
		if e := c.spec(a).Effects; e != nil {
			args := tool.Args(meaning(a.Call.Args))
			if name := args.Text(e.Recalls); name != "" {
				c.memory(cfg, name) // named without a token
			}
			if name := args.Text(e.Remembers); name != "" {
				made[name] = true
			}
		}
	}
}

func (c *composer) arg(cfg *trail.Config, name string) {
	name, _, _ = strings.Cut(name, ".")
	if slices.ContainsFunc(cfg.Args, func(a trail.Arg) bool { return a.Name == name }) {
		return
	}
	a := trail.Arg{Name: name, Type: "string"}
	if v, ok := c.Values["args."+name]; ok && !strings.Contains(v, mask.Masked) {
		a.Default, _ = json.Marshal(v)
	} else {
		c.warn(fmt.Sprintf("The argument %s is declared without a default: each run has to give it (--arg %s=…).",
			name, name))
	}
	cfg.Args = append(cfg.Args, a)
}

func (c *composer) memory(cfg *trail.Config, name string) {
	if _, done := cfg.Memory[name]; done {
		return
	}
	v, known := c.Values[name]
	secret := strings.Contains(v, mask.Masked)
	if m := c.plan.Memory; m != nil {
		secret = secret || m.IsSecret(name)
		if now, ok := m.Public()[name]; ok && !known {
			v, known = fmt.Sprint(now), true
		}
	}
	switch {
	case secret:
		c.warn(fmt.Sprintf("The secret {{%s}} is not in the file: give it to each run (TRAILBLAZE_SECRET_%s or --secret "+
			"%s=…).", name, strings.ToUpper(name), name))
	case known:
		if cfg.Memory == nil {
			cfg.Memory = map[string]string{}
		}
		cfg.Memory[name] = v
	default:
		c.warn(fmt.Sprintf("{{%s}} is not declared in the file: give it to each run (--memory %s=… or --secret %s=…).", name,
			name, name))
	}
}

// opening makes the trail begin where the session began, unless its first action goes somewhere itself, or is of a tool
// whose first action did.
func (c *composer) opening(first Action) {
	if c.spec(first).Purpose == tool.PlayTrail || c.opens(first) ||
		first.Began != nil && c.opens(Action{Call: *first.Began}) {
		return
	}
	url := c.Session.Labels[LabelURL]
	if url == "" || strings.HasPrefix(url, "about:") {
		if c.plan.Classifier == string(driver.WebPlatform) {
			c.warn("The trail does not begin by opening a page: it starts on whatever the device shows.")
		}
		return
	}
	args, err := json.Marshal(map[string]string{"url": url})
	open := c.plan.Tools.For(tool.OpenPage, driver.Platform(c.Session.Platform))
	if err != nil || open == nil {
		return
	}
	a := Action{Call: tool.Call{Name: open.Name, Args: args}, Kind: tool.Action}
	c.add(trail.Step{Kind: trail.ActionStep, Text: c.sentence(a), Recordable: true}, []Action{a})
}

// opens reports whether an action opens a page that it names.
func (c *composer) opens(a Action) bool {
	s := c.spec(a)
	return s.Kind == tool.Action && s.Effects != nil && len(tool.Args(meaning(a.Call.Args)).Texts(s.Effects.Opens...)) > 0
}

// suspicions warns of parts that may not hold when the trail is played again.
func (c *composer) suspicions() {
	c.signs()
	for _, a := range c.kept {
		args := meaning(a.Call.Args)
		text := c.sentence(a)
		if ref, ok := args["ref"].(string); ok && args["nodeSelector"] == nil && ephemeral().MatchString(ref) {
			c.warn(fmt.Sprintf("%s: the element had no durable selector; the ref %s means nothing in another run.", text, ref))
		}
		if counted(args) {
			c.warn(text + byPosition)
		}
		if c.spec(a).Purpose == tool.TapPoint {
			c.warn(fmt.Sprintf("%s: it is a place on the screen, whatever stands there.", text))
		}
		if origin, ok := args[evidence.OriginArg].(string); ok {
			c.warn(fmt.Sprintf("%s: it leads to another site, %s.", text, origin))
		}
		if strings.Contains(string(a.Call.Args), mask.Masked) {
			c.warn(fmt.Sprintf("%s: the value of a secret was spelled out and is not in the file; write its token, such as "+
				"{{password}}, in its place.", text))
		}
	}
}

// signs warns of calls that are not in the trail although they acted, and of those that show no sign of it.
func (c *composer) signs() {
	for _, name := range c.Unkept {
		c.warn(name + " acted, and what it did is not in the trail: it is not recordable. If a replay needs it, let it be " +
			"recorded, or have it return the calls to make in its place.")
	}
	for _, intent := range c.Declined {
		c.warn(fmt.Sprintf("%q: the judge did not agree that it was done, so what was done for it is not in the trail.",
			intent))
	}
	for _, a := range c.kept {
		if a.Effect.Nothing {
			c.warn(fmt.Sprintf("%s: %s made no call and kept no value, so nothing shows that it did anything, and a replay "+
				"of it is inconclusive.", c.sentence(a), a.Call.Name))
		}
	}
}

const byPosition = ": the element is found by its position only, because nothing else tells it apart; a name, a " +
	"text or a test id of its own would last. Where it looks like others, a replay is inconclusive."

// counted reports whether a call identifies an element by a number.
func counted(args map[string]any) bool {
	for key, v := range args {
		if (key == "nodeSelector" || strings.HasSuffix(key, "NodeSelector")) && positional(v) {
			return true
		}
	}
	return false
}

var ephemeral = regex.Lazy(`^e\d+$`)

// positional reports whether a selector counts elements, or rests on an id that does.
func positional(v any) bool {
	raw, err := json.Marshal(v)
	if err != nil {
		return false
	}
	sel, _, err := screen.ParseSelector(raw)
	return err == nil && sel.Counts()
}
