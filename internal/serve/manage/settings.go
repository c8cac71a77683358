package manage

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

func (d *manager) settings() []tool.Tool {
	own := func(name, title string) tool.Spec { return spec(name, title, tool.Action, "session") }
	return []tool.Tool{
		tool.Define(own("config", "Config").With(tool.Facts{Purpose: tool.ChangeSetting}), d.config),
		tool.Define(spec("getSessionConfig", "Session settings", tool.Query, "session").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"},
		}), d.sessionConfig),
		tool.Define(own("configureSession", "Configure session").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"}, Idempotent: true,
		}), d.configureSession),
		setter(d, own("setMode", "Set mode").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"}, Purpose: tool.ChooseMode, Idempotent: true,
		}), func(in modeIn) change { return change{keyMode, string(in.Mode)} }),
		setter(d, own("setScreenshotFormat", "Set screenshot format").With(tool.Facts{
			Idempotent: true,
		}), func(in formatIn) change { return change{keyScreenshot, string(in.Format)} }),
		setter(d, own("setAutoIncludeScreenshot", "Set auto screenshot").With(tool.Facts{
			Idempotent: true,
		}), func(in autoIn) change { return change{keyAuto, strconv.FormatBool(in.Enabled)} }),
		setter(d, own("setViewHierarchyVerbosity", "Set verbosity").With(tool.Facts{
			Idempotent: true,
		}), func(in verbosityIn) change { return change{keyVerbosity, string(in.Verbosity)} }),
		setter(d, own("setLlmCallStrategy", "Set LLM strategy").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"}, Purpose: tool.ChooseModel, Idempotent: true,
		}), func(in strategyIn) change { return change{keyStrategy, string(in.Strategy)} }),
		setter(d, own("setTargetApp", "Set target app").With(tool.Facts{
			Categories: []string{"SESSION", "DEVICE", "AGENT"}, Purpose: tool.ChooseTarget, Idempotent: true,
		}), func(in targetIn) change { return change{keyTarget, in.ID} }),
		setter(d, own("switchTargetApp", "Switch target app").With(tool.Facts{
			Categories: []string{"SESSION", "DEVICE"}, Idempotent: true,
		}), func(in targetIn) change { return change{keyTarget, in.ID} }),
	}
}

// change is a new value of a setting of the client.
type change struct{ key, value string }

type modeIn struct {
	Mode toolset.Mode `json:"mode" jsonschema:"who decides what to do, and whose model thinks"`
}

type formatIn struct {
	Format toolset.ScreenshotFormat `json:"format" jsonschema:"how pictures come with results"`
}

type autoIn struct {
	Enabled bool `json:"enabled" jsonschema:"add a picture to the result of every action"`
}

type verbosityIn struct {
	Verbosity toolset.Verbosity `json:"verbosity" jsonschema:"how much of the screen is told after an action"`
}

type strategyIn struct {
	Strategy toolset.Strategy `json:"strategy" jsonschema:"whose model is asked, in the modes that think"`
}

type targetIn struct {
	ID string `json:"appTargetId" jsonschema:"the app under test: a target's id, a package id or URL; empty for none"`
}

// setter makes the tool that changes one setting.
func setter[In any](d *manager, s tool.Spec, of func(In) change) tool.Tool {
	return tool.Define(s, func(ctx context.Context, _ tool.Env, in In) (settingsOut, error) {
		c, err := callerOf(ctx)
		if err != nil {
			return settingsOut{}, err
		}
		return d.apply(c, of(in))
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
func (d *manager) apply(s *clients.Client, changes ...change) (settingsOut, error) {
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
			said = append(said, set.key+" is "+shown(set.get(*st)))
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
func (d *manager) knownToolsets(s *clients.Client, list string) error {
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

func shown(v string) string {
	if v == "" {
		return "not set"
	}
	return v
}

func (d *manager) sessionConfig(ctx context.Context, _ tool.Env, _ noArgs) (settingsOut, error) {
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

type configureIn struct {
	Mode           *toolset.Mode             `json:"mode,omitempty"`
	Format         *toolset.ScreenshotFormat `json:"screenshotFormat,omitempty"`
	AutoScreenshot *bool                     `json:"autoIncludeScreenshot,omitempty"`
	Verbosity      *toolset.Verbosity        `json:"viewHierarchyVerbosity,omitempty"`
	Strategy       *toolset.Strategy         `json:"llmCallStrategy,omitempty"`
	MaxTokens      *int                      `json:"maxTokens,omitempty" minimum:"0" jsonschema:"bound of the text about the screen"`
	Target         *string                   `json:"targetApp,omitempty" jsonschema:"the app under test"`
	Prefix         *string                   `json:"toolPrefix,omitempty" jsonschema:"list only tools whose name begins so"`
}

func (d *manager) configureSession(ctx context.Context, _ tool.Env, in configureIn) (settingsOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return settingsOut{}, err
	}
	var changes []change
	add := func(key string, v any, given bool) {
		if given {
			changes = append(changes, change{key, fmt.Sprint(v)})
		}
	}
	add(keyMode, deref(in.Mode), in.Mode != nil)
	add(keyScreenshot, deref(in.Format), in.Format != nil)
	add(keyAuto, deref(in.AutoScreenshot), in.AutoScreenshot != nil)
	add(keyVerbosity, deref(in.Verbosity), in.Verbosity != nil)
	add(keyStrategy, deref(in.Strategy), in.Strategy != nil)
	add(keyMaxTokens, deref(in.MaxTokens), in.MaxTokens != nil)
	add(keyTarget, deref(in.Target), in.Target != nil)
	add(keyPrefix, deref(in.Prefix), in.Prefix != nil)
	if len(changes) == 0 {
		return settingsOut{Settings: clientLines(s.State())}, nil
	}
	return d.apply(s, changes...)
}

func deref[V any](p *V) V {
	if p == nil {
		var zero V
		return zero
	}
	return *p
}
