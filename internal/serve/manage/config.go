package manage

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type configIn struct {
	Action string `json:"action" enum:"GET,SET,LIST" jsonschema:"what to do"`
	Key    string `json:"key,omitempty" jsonschema:"a setting that LIST shows"`
	Value  string `json:"value,omitempty" jsonschema:"SET: the new value"`
}

// config reads and changes settings: those of this session, which end with it, and those of the user's file, which hold
// for everything that starts later.
func (d *settingTools) config(ctx context.Context, _ tool.Env, in configIn) (settingsOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return settingsOut{}, err
	}
	act := action(in.Action)
	if act != "LIST" && in.Key == "" {
		return settingsOut{}, missing("read setting", "key", keyMode)
	}
	set, ofClient := clientSettingOf(in.Key)
	switch {
	case act == "LIST":
		return d.allSettings(s)
	case act == "GET" && ofClient:
		return settingsOut{Settings: []settingLine{{set.key, set.get(s.State()), "session"}}}, nil
	case act == "GET":
		return d.fileSetting(s, in.Key)
	case ofClient:
		return d.apply(s, change{set.key, in.Value})
	default:
		return d.setInFile(s, in.Key, in.Value)
	}
}

func (d *settingTools) loaded(s *clients.Client) (*config.Config, error) {
	if d.Config == nil {
		return nil, fault.New(fault.Unavailable, "read settings", "no settings files are read here")
	}
	return d.Config(s.State().Workspace)
}

func (d *settingTools) allSettings(s *clients.Client) (settingsOut, error) {
	out := settingsOut{Settings: clientLines(s.State())}
	if d.Config == nil {
		return out, nil
	}
	cfg, err := d.loaded(s)
	if err != nil {
		return settingsOut{}, err
	}
	for _, v := range cfg.Settings() {
		out.Settings = append(out.Settings, settingLine{v.Key, v.Value, v.Source})
	}
	out.Warnings = cfg.Warnings
	return out, nil
}

func (d *settingTools) fileSetting(s *clients.Client, key string) (settingsOut, error) {
	cfg, err := d.loaded(s)
	if err != nil {
		return settingsOut{}, err
	}
	v, err := cfg.Get(key)
	if err != nil {
		return settingsOut{}, unknownKey(key, err)
	}
	return settingsOut{Settings: []settingLine{{v.Key, v.Value, v.Source}}}, nil
}

// setInFile changes the user's file; comments in it stay.
func (d *settingTools) setInFile(s *clients.Client, key, value string) (settingsOut, error) {
	cfg, err := d.loaded(s)
	if err != nil {
		return settingsOut{}, err
	}
	if key == "llm" {
		if err := llm.CheckName(value, cfg.Project.LLM); err != nil {
			return settingsOut{}, err
		}
	}
	file := cfg.UserFile()
	k, err := config.Lookup(key)
	if err != nil {
		return settingsOut{}, unknownKey(key, err)
	}
	if k.Owner != config.ProjectSets { // a page or a project may speak through whoever calls
		return settingsOut{}, fault.New(fault.Denied, "change configuration", "%s is for a person alone to set", k.Name).
			WithHint("Ask the person to run: trailblaze config set %s <value>", k.Name)
	}
	if err := cfg.Set(file, key, value); err != nil {
		return settingsOut{}, unknownKey(key, err)
	}
	if cfg, err = d.loaded(s); err != nil {
		return settingsOut{}, err
	}
	v, err := cfg.Get(key)
	if err != nil {
		return settingsOut{}, err
	}
	out := settingsOut{
		Done: fmt.Sprintf("%s is %s in %s, for everything that starts from now on; open devices stay as they are.",
			v.Key, orNotSet(value), file),
		Settings: []settingLine{{v.Key, v.Value, v.Source}},
	}
	if v.Source != file {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s says %q and wins.", v.Source, v.Value))
	}
	return out, nil
}

// unknownKey adds the settings of the session to the suggestions.
func unknownKey(key string, err error) error {
	if fault.KindOf(err) != fault.Invalid && fault.KindOf(err) != fault.NotFound {
		return err
	}
	if _, known := config.Lookup(key); known == nil {
		return err
	}
	var keys []string
	for _, s := range clientSettings {
		keys = append(keys, s.key)
	}
	hint := fault.HintOf(err)
	if hint != "" {
		hint += " "
	}
	return fault.New(fault.KindOf(err), "find setting", "there is no setting %q", key).
		WithHint("%sOf this session there are %s; %s shows all.", hint, strings.Join(keys, ", "),
			fault.Action{Tool: "config", Action: "LIST"})
}
