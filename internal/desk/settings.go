package desk

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func (d *desk) settings() []tool.Tool {
	seat := func(name, title string) tool.Spec { return spec(name, title, tool.Action, "session") }
	return []tool.Tool{
		tool.Define(seat("config", "Config"), d.config),
		tool.Define(spec("getSessionConfig", "Session settings", tool.Query, "session"), d.sessionConfig),
		tool.Define(seat("configureSession", "Configure session"), d.configureSession),
		setter(d, seat("setMode", "Set mode"), func(in modeIn) change { return change{keyMode, string(in.Mode)} }),
		setter(d, seat("setScreenshotFormat", "Set screenshot format"), func(in formatIn) change { return change{keyScreenshot, string(in.Format)} }),
		setter(d, seat("setAutoIncludeScreenshot", "Set auto screenshot"), func(in autoIn) change { return change{keyAuto, strconv.FormatBool(in.Enabled)} }),
		setter(d, seat("setViewHierarchyVerbosity", "Set verbosity"), func(in verbosityIn) change { return change{keyVerbosity, string(in.Verbosity)} }),
		setter(d, seat("setLlmCallStrategy", "Set LLM strategy"), func(in strategyIn) change { return change{keyStrategy, string(in.Strategy)} }),
		setter(d, seat("setTargetApp", "Set target app"), func(in targetIn) change { return change{keyTarget, in.ID} }),
		setter(d, seat("switchTargetApp", "Switch target app"), func(in targetIn) change { return change{keyTarget, in.ID} }),
	}
}

// change is a new value of a setting of the seat.
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
func setter[In any](d *desk, s tool.Spec, of func(In) change) tool.Tool {
	return tool.Define(s, func(ctx context.Context, _ tool.Env, in In) (settingsOut, error) {
		seat, err := seated(ctx)
		if err != nil {
			return settingsOut{}, err
		}
		return d.apply(seat, of(in))
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
	Handle   string        `json:"handle,omitempty" jsonschema:"names this session at the daemon"`
	Settings []settingLine `json:"settings"`
	Warnings []string      `json:"warnings,omitempty"`
}

// Text implements tool.Texter.
func (o settingsOut) Text() string {
	var lines []string
	if o.Done != "" {
		lines = append(lines, o.Done)
	}
	if o.Handle != "" {
		lines = append(lines, "session: "+o.Handle)
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

// apply changes settings of a seat, all or none. Who watches the seat hears of it once.
func (d *desk) apply(s *hub.Seat, changes ...change) (settingsOut, error) {
	out := settingsOut{Settings: []settingLine{}}
	var said []string
	err := s.Update(func(st *hub.SeatState) error {
		for _, c := range changes {
			set, ok := seatSettingOf(c.key)
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
	if st := s.State(); st.Mode.Thinks() && d.hub.Thinker() == nil {
		for _, c := range changes {
			if c.key == keyMode {
				out.Warnings = append(out.Warnings, fmt.Sprintf("%s needs a language model, and none is configured: runPrompt will say so. %s", st.Mode, noModel))
			}
		}
	}
	return out, nil
}

func shown(v string) string {
	if v == "" {
		return "not set"
	}
	return v
}

func (d *desk) sessionConfig(ctx context.Context, _ tool.Env, _ noArgs) (settingsOut, error) {
	s, err := seated(ctx)
	if err != nil {
		return settingsOut{}, err
	}
	out := settingsOut{Handle: s.Handle(), Settings: seatLines(s.State())}
	st := s.State()
	out.Settings = append(out.Settings, settingLine{"toolCategories", strings.Join(names(st.Categories), ", "), "session"}, settingLine{"device", st.Device, "session"},
		settingLine{"workspace", st.Workspace, "session"})
	return out, nil
}

func seatLines(st hub.SeatState) []settingLine {
	var out []settingLine
	for _, s := range seatSettings {
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

func (d *desk) configureSession(ctx context.Context, _ tool.Env, in configureIn) (settingsOut, error) {
	s, err := seated(ctx)
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
		return settingsOut{Settings: seatLines(s.State())}, nil
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
