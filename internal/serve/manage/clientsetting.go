package manage

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// clientSetting is a setting that belongs to one client. Every way to change one (config, the set…
// tools, configureSession) goes through here.
type clientSetting struct {
	key     string
	help    string
	choices []string
	get     func(clients.State) string
	set     func(*clients.State, string) error
}

// The keys of the settings of a client.
const (
	keyMode       = "mode"
	keyTarget     = "targetApp"
	keyScreenshot = "screenshotFormat"
	keyAuto       = "autoIncludeScreenshot"
	keyPicture    = "pictureFormat"
	keyQuality    = "pictureQuality"
	keySize       = "pictureMaxDimension"
	keyVerbosity  = "viewHierarchyVerbosity"
	keyStrategy   = "llmCallStrategy"
	keyMaxTokens  = "maxTokens"
	keyPrefix     = "toolPrefix"
	keyToolsets   = "toolsets"
)

// choicesOf are the values of a type that has a closed set.
func choicesOf[E tool.Enumerated]() []string {
	var zero E
	var out []string
	for _, v := range zero.Enum() {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

var clientSettings = []clientSetting{
	{
		keyMode, "who decides and who thinks", choicesOf[toolset.Mode](),
		func(st clients.State) string { return string(st.Mode) },
		func(st *clients.State, v string) error { st.Mode = toolset.Mode(v); return nil },
	},
	{
		keyTarget, "the app under test; its tools are added", nil,
		func(st clients.State) string { return st.Target },
		func(st *clients.State, v string) error { st.Target = v; return nil },
	},
	{
		keyScreenshot, "how pictures come with results", choicesOf[toolset.ScreenshotFormat](),
		func(st clients.State) string { return string(st.ScreenshotFormat) },
		func(st *clients.State, v string) error { st.ScreenshotFormat = toolset.ScreenshotFormat(v); return nil },
	},
	{
		keyAuto, "a picture after every action", []string{"true", "false"},
		func(st clients.State) string { return strconv.FormatBool(st.AutoScreenshot) },
		func(st *clients.State, v string) error { st.AutoScreenshot = v == "true"; return nil },
	},
	{
		keyPicture, "of pictures that come by themselves", []string{"JPEG", "PNG", "WEBP"},
		func(st clients.State) string { return strings.ToUpper(cmp.Or(st.Picture.Format, "jpeg")) },
		func(st *clients.State, v string) error { st.Picture.Format = strings.ToLower(v); return nil },
	},
	{
		keyQuality, "of JPEG and WEBP, 1 to 100; 0 is the default", nil,
		func(st clients.State) string { return strconv.Itoa(st.Picture.Quality) },
		func(st *clients.State, v string) (err error) {
			st.Picture.Quality, err = number(keyQuality, v, 100)
			return err
		},
	},
	{
		keySize, "px of the longer side; 0 is the default", nil,
		func(st clients.State) string { return strconv.Itoa(st.Picture.MaxSize) },
		func(st *clients.State, v string) (err error) {
			st.Picture.MaxSize, err = number(keySize, v, 1<<14)
			return err
		},
	},
	{
		keyVerbosity, "how much of the screen is told", choicesOf[toolset.Verbosity](),
		func(st clients.State) string { return string(st.Verbosity) },
		func(st *clients.State, v string) error { st.Verbosity = toolset.Verbosity(v); return nil },
	},
	{
		keyStrategy, "whose model is asked, in the modes that think", choicesOf[toolset.Strategy](),
		func(st clients.State) string { return string(st.Strategy) },
		func(st *clients.State, v string) error { st.Strategy = toolset.Strategy(v); return nil },
	},
	{
		keyMaxTokens, "bound of the text about the screen; 0 is the default", nil,
		func(st clients.State) string { return strconv.Itoa(st.MaxTokens) },
		func(st *clients.State, v string) (err error) {
			st.MaxTokens, err = number(keyMaxTokens, v, math.MaxInt32)
			return err
		},
	},
	{
		keyPrefix, "only tools whose name begins so, besides the management tools", nil,
		func(st clients.State) string { return st.Prefix },
		func(st *clients.State, v string) error { st.Prefix = v; return nil },
	},
	{
		keyToolsets, "ids of toolsets that are listed besides, with commas; also of those that are off", nil,
		func(st clients.State) string { return strings.Join(st.Toolsets, ", ") },
		func(st *clients.State, v string) error { st.Toolsets = listOf(v); return nil },
	},
}

// listOf reads a list of ids.
func listOf(v string) []string {
	return strings.FieldsFunc(v, func(c rune) bool { return c == ',' || c == ' ' })
}

// number reads the value of a setting that counts something.
func number(key, v string, most int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > most {
		return 0, fault.New(fault.Invalid, "set "+key, "%q is not a number from 0 to %d", v, most)
	}
	return n, nil
}

// clientSettingOf finds a setting by its key, whatever the case and separators it is written with.
func clientSettingOf(key string) (clientSetting, bool) {
	for _, s := range clientSettings {
		if plain(s.key) == plain(key) {
			return s, true
		}
	}
	return clientSetting{}, false
}

func plain(key string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key))
}

// schema returns the schema of a value.
func (s clientSetting) schema(help string) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "string", Description: help}
	switch {
	case s.key == keyMaxTokens:
		out.Type, out.Minimum = "integer", new(float64)
	case slices.Contains(s.choices, "true"):
		out.Type = "boolean"
	default:
		for _, c := range s.choices {
			out.Enum = append(out.Enum, c)
		}
	}
	return out
}

// change sets a value in the state of a client.
func (s clientSetting) change(st *clients.State, value string) error {
	value = strings.TrimSpace(value)
	if len(s.choices) > 0 {
		i := slices.IndexFunc(s.choices, func(c string) bool { return strings.EqualFold(c, value) })
		if i < 0 {
			return fault.New(fault.Invalid, "set "+s.key, "%q is not one of %s", value, strings.Join(s.choices, ", "))
		}
		value = s.choices[i]
	}
	return s.set(st, value)
}
