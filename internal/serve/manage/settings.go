package manage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

func (d *settingTools) settings() []tool.Tool {
	own := func(name, title string) tool.Spec { return spec(name, title, tool.Action, "session") }
	target := settingArg{"appTargetId", keyTarget,
		"the app under test: a target's id, a package id or URL; empty for none"}
	return []tool.Tool{
		tool.Define(own("config", "Config").With(tool.Facts{Purpose: tool.ChangeSetting}), d.config),
		tool.Define(spec("getSessionConfig", "Session settings", tool.Query, "session").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"},
		}), d.sessionConfig),
		d.changer(own("configureSession", "Configure session").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"}, Idempotent: true,
		}), settingArg{keyMode, keyMode, ""}, settingArg{keyScreenshot, keyScreenshot, ""}, settingArg{keyAuto, keyAuto, ""},
			settingArg{keyVerbosity, keyVerbosity, ""}, settingArg{keyStrategy, keyStrategy, ""},
			settingArg{keyMaxTokens, keyMaxTokens, "bound of the text about the screen"},
			settingArg{keyTarget, keyTarget, "the app under test"},
			settingArg{keyPrefix, keyPrefix, "list only tools whose name begins so"}),
		d.changer(own("setMode", "Set mode").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"}, Purpose: tool.ChooseMode, Idempotent: true,
		}), settingArg{"mode", keyMode, "who decides what to do, and whose model thinks"}),
		d.changer(own("setScreenshotFormat", "Set screenshot format").With(tool.Facts{Idempotent: true}),
			settingArg{"format", keyScreenshot, "how pictures come with results"}),
		d.changer(own("setAutoIncludeScreenshot", "Set auto screenshot").With(tool.Facts{Idempotent: true}),
			settingArg{"enabled", keyAuto, "add a picture to the result of every action"}),
		d.changer(own("setViewHierarchyVerbosity", "Set verbosity").With(tool.Facts{Idempotent: true}),
			settingArg{"verbosity", keyVerbosity, "how much of the screen is told after an action"}),
		d.changer(own("setLlmCallStrategy", "Set LLM strategy").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"}, Purpose: tool.ChooseModel, Idempotent: true,
		}), settingArg{"strategy", keyStrategy, "whose model is asked, in the modes that think"}),
		d.changer(own("setTargetApp", "Set target app").With(tool.Facts{
			Categories: []string{"SESSION", "DEVICE", "AGENT"}, Purpose: tool.ChooseTarget, Idempotent: true,
		}), target),
		d.changer(own("switchTargetApp", "Switch target app").With(tool.Facts{
			Categories: []string{"SESSION", "DEVICE"}, Idempotent: true,
		}), target),
	}
}

// change is a new value of a setting of the client.
type change struct{ key, value string }

// settingArg is the argument of a tool that sets a setting of the client.
type settingArg struct{ name, key, help string }

// changer makes a tool that changes the settings of its arguments: the one that it has, or those that are given of
// several. Without any it shows all settings.
func (d *settingTools) changer(s tool.Spec, args ...settingArg) tool.Tool {
	s.Input = sync.OnceValue(func() *jsonschema.Schema {
		in := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{},
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
		for _, a := range args {
			set, _ := clientSettingOf(a.key)
			in.Properties[a.name], in.PropertyOrder = set.schema(a.help), append(in.PropertyOrder, a.name)
			if len(args) == 1 {
				in.Required = []string{a.name}
			}
		}
		return in
	})
	return tool.Define(s, func(ctx context.Context, _ tool.Env, in map[string]json.RawMessage) (settingsOut, error) {
		c, err := callerOf(ctx)
		if err != nil {
			return settingsOut{}, err
		}
		var changes []change
		for _, a := range args {
			if raw, given := in[a.name]; given {
				value, err := argument.Decode(raw)
				if err != nil {
					return settingsOut{}, fault.Wrap(err, fault.Invalid, "read "+a.name)
				}
				changes = append(changes, change{a.key, fmt.Sprint(value)})
			}
		}
		if len(changes) == 0 {
			return settingsOut{Settings: clientLines(c.State())}, nil
		}
		return d.apply(c, changes...)
	})
}

// settingLine is a setting and where its value comes from.
type settingLine struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source" jsonschema:"session, a file, a variable or default"`
}

type settingsOut struct {
	Done     string        `json:"done,omitempty"`
	ClientID string        `json:"clientId,omitempty" jsonschema:"names this session at the daemon"`
	Settings []settingLine `json:"settings"`
	Warnings []string      `json:"warnings,omitempty"`
}

// Text implements tool.Texter.
func (o settingsOut) Text() string {
	var lines []string
	if o.Done != "" {
		lines = append(lines, o.Done)
	}
	if o.ClientID != "" {
		lines = append(lines, "session: "+o.ClientID)
	}
	for _, s := range o.Settings {
		line := s.Key + ": " + s.Value
		if s.Source != "session" && s.Source != "default" {
			line += "  (" + s.Source + ")"
		}
		if o.Done == "" || len(o.Settings) > 1 {
			lines = append(lines, line)
		}
	}
	for _, w := range o.Warnings {
		lines = append(lines, "Note: "+w)
	}
	return strings.Join(lines, "\n")
}

// apply changes settings of a client, all or none. A watcher of the client is called once.
func (d *settingTools) apply(s *clients.Client, changes ...change) (settingsOut, error) {
	out := settingsOut{Settings: []settingLine{}}
	var said []string
	for i, c := range changes {
		if c.key == keyToolsets {
			if err := d.knownToolsets(s, c.value); err != nil {
				return out, err
			}
		}
		if c.key != keyTarget {
			continue
		}
		id, err := d.hub.KnownTarget(s, c.value)
		if err != nil {
			return out, err
		}
		changes = slices.Clone(changes)
		changes[i].value = id
	}
	err := s.Update(func(st *clients.State) error {
		for _, c := range changes {
			set, ok := clientSettingOf(c.key)
			if !ok {
				return fault.New(fault.NotFound, "configure session", "there is no setting %q", c.key)
			}
			if err := set.change(st, c.value); err != nil {
				return err
			}
			out.Settings = append(out.Settings, settingLine{set.key, set.get(*st), "session"})
			said = append(said, set.key+" is "+orNotSet(set.get(*st)))
		}
		return nil
	})
	if err != nil {
		return settingsOut{}, err
	}
	out.Done = "For this session " + strings.Join(said, ", ") + "."
	if st := s.State(); st.Mode.Thinks() && d.hub.Model(context.Background(), s) == nil {
		for _, c := range changes {
			if c.key == keyMode {
				out.Warnings = append(out.Warnings,
					fmt.Sprintf("%s needs a language model, and none is configured: runPrompt will say so. %s", st.Mode, noModel()))
			}
		}
	}
	return out, nil
}

// knownToolsets checks that there is each toolset of a list.
func (d *settingTools) knownToolsets(s *clients.Client, list string) error {
	known := d.hub.Toolsets(s)
	for _, id := range listOf(list) {
		if slices.Contains(known, id) {
			continue
		}
		err := fault.New(fault.NotFound, "set "+keyToolsets, "there is no toolset %q", id)
		if near := argument.Near(id, known, 1); len(near) > 0 {
			err = err.WithHint("Did you mean %s?", near[0])
		}
		return err
	}
	return nil
}

func orNotSet(v string) string {
	if v == "" {
		return "not set"
	}
	return v
}

func (d *settingTools) sessionConfig(ctx context.Context, _ tool.Env, _ noArgs) (settingsOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return settingsOut{}, err
	}
	out := settingsOut{ClientID: s.ID(), Settings: clientLines(s.State())}
	st := s.State()
	out.Settings = append(out.Settings,
		settingLine{"toolCategories", strings.Join(names(st.Categories), ", "), "session"},
		settingLine{"device", st.Device, "session"},
		settingLine{"workspace", st.Workspace, "session"})
	return out, nil
}

func clientLines(st clients.State) []settingLine {
	var out []settingLine
	for _, s := range clientSettings {
		out = append(out, settingLine{s.key, s.get(st), "session"})
	}
	return out
}
