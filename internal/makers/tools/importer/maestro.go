package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/sequence"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Maestro reads a flow. The problems are those of its YAML; with an error among them there is no flow.
func Maestro(file, source string, o Options) (*Flow, trail.Problems) {
	head, body := splitDocuments(source)
	config := trail.ReadDocument(file, []byte(head))
	commands := config
	if body != "" {
		commands = trail.ReadDocument(file, []byte(body))
	}
	problems := commands.Problems()
	if body != "" {
		problems = append(config.Problems(), problems...)
	}
	if len(problems.Errors()) > 0 || commands.Root.Zero() {
		return nil, problems
	}
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	platform := cmp.Or(o.Platform, driver.AndroidPlatform)
	if o.Platform == "" && body != "" && !config.Root.Get("url").Zero() {
		platform = driver.WebPlatform
	}
	m := &maestro{builder: newBuilder(o, platform, base), platform: platform}
	if body != "" {
		m.header(config.Root)
	}
	m.commands(config.Root.Get("onFlowStart").Items())
	m.commands(commands.Root.Items())
	if last := config.Root.Get("onFlowComplete"); body != "" && len(last.Items()) > 0 {
		m.note(last.Pos(), "onFlowComplete", "its commands are the last steps: they are not made after a failure")
		m.commands(last.Items())
	}
	return m.flow, problems
}

// splitDocuments separates the head of a flow from its commands. Lines keep their numbers.
func splitDocuments(source string) (head, body string) {
	lines := strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	for i, line := range lines {
		if strings.TrimRight(line, " \t") != "---" {
			continue
		}
		if head = strings.Join(lines[:i], "\n"); strings.TrimSpace(head) == "" {
			continue
		}
		return head, strings.Repeat("\n", i+1) + strings.Join(lines[i+1:], "\n")
	}
	return source, ""
}

// maestro makes calls of the commands of a flow.
type maestro struct {
	*builder
	platform driver.Platform
	app      string // the app id, or the address of a flow for the web
	random   int    // texts that were made up so far
}

// header reads the first document.
func (m *maestro) header(v trail.Value) {
	c := &m.flow.Trail.Config
	for _, e := range v.Entries() {
		text := scalarOf(e.Value)
		switch e.Key {
		case "appId", "url":
			m.app = tokensOf(text)
		case "name":
			c.Title, m.flow.Title = text, text
		case "tags":
			for _, it := range e.Value.Items() {
				c.Tags = append(c.Tags, scalarOf(it))
			}
		case "env":
			for _, p := range e.Value.Entries() {
				if c.Memory == nil {
					c.Memory = map[string]string{}
				}
				switch value := scalarOf(p.Value); {
				case javaScript(value) != "":
					m.flow.Commands++
					m.leave(p.Pos, "env", p.Key+": "+value, "it computes with JavaScript")
				case value != "${"+p.Key+"}":
					c.Memory[p.Key] = tokensOf(value)
				}
			}
		}
	}
}

// scalarOf is a scalar as a text, "" for what is none.
func scalarOf(v trail.Value) string {
	if v.Zero() || v.IsNull() || v.IsMapping() || v.Items() != nil {
		return ""
	}
	if s, ok := v.Text(); ok {
		return s
	}
	return strings.Trim(string(v.JSON()), `"`)
}

// commands translates a list, each command to steps.
func (m *maestro) commands(list []trail.Value) {
	for _, v := range list {
		name, arg := nameOf(v)
		label := scalarOf(arg.Get("label"))
		if name == "runFlow" || name == "retry" {
			if inner := arg.Get("commands"); !inner.Zero() && arg.Get("when").Zero() {
				if name == "retry" {
					m.flow.Commands++
					m.leave(v.Pos(), name, "", "a trail is tried again as a whole, by run --retries; its commands are made once")
				}
				m.set(arg.Get("env"))
				m.commands(inner.Items())
				continue
			}
		}
		m.flow.Commands++
		calls, err := m.calls(name, arg)
		switch {
		case err != nil:
			m.leave(v.Pos(), name, name+": "+jsonOf(arg), reasonOf(err))
		case len(calls) > 0:
			m.add(v.Pos(), label, calls...)
		case name == "assertWithAI":
			m.flow.Trail.Steps = append(m.flow.Trail.Steps, trail.Step{Kind: trail.VerifyStep, Recordable: true, Pos: v.Pos(),
				Text: scalarOf(arg.Get("assertion"))})
		}
	}
}

func reasonOf(err error) string {
	text := err.Error()
	if hint := fault.HintOf(err); hint != "" {
		text += ". " + strings.TrimSuffix(hint, ".")
	}
	return text
}

// set remembers the values that a flow is given.
func (m *maestro) set(env trail.Value) {
	for _, e := range env.Entries() {
		if value := scalarOf(e.Value); javaScript(value) != "" {
			m.flow.Commands++
			m.leave(e.Pos, "env", e.Key+": "+value, "it computes with JavaScript")
			continue
		}
		m.add(e.Pos, "Remember "+e.Key, made{tool: "remember",
			args: map[string]any{"variable": e.Key, "value": tokensOf(scalarOf(e.Value))}})
	}
}

// nameOf is the name of a command, and what it is given.
func nameOf(v trail.Value) (string, trail.Value) {
	if name, ok := v.Text(); ok {
		return name, trail.Value{}
	}
	if entries := v.Entries(); len(entries) > 0 {
		return entries[0].Key, entries[0].Value
	}
	return "", trail.Value{}
}

// without are commands that have no equal, with the reason.
var without = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"runScript":        "JavaScript is not run: write a tool in TypeScript",
		"evalScript":       "JavaScript is not run: write a tool in TypeScript",
		"takeScreenshot":   "the report has the pictures: run --screenshots steps",
		"assertScreenshot": "pictures are not compared",
		"startRecording":   "run --storyboard film.webm makes a film",
		"stopRecording":    "run --storyboard film.webm makes a film",
		"travel":           "no position is simulated",
		"setLocation":      "no position is simulated", "addMedia": "no pictures are put into the gallery",
		"clearKeychain": "there are no iOS devices here", "toggleAirplaneMode": "the mode is turned on or off, not over",
		"setOrientation":        "a device is not turned",
		"inputRandomPersonName": "only digits are made up", "inputRandomText": "only digits are made up",
		"inputRandomEmail":      "only digits are made up: write an address with a remembered number in it",
		"assertNoDefectsWithAI": "a model is asked about what a step says; say what must be true", "setClipboard": "",
		"extractTextWithAI": "a model remembers nothing of a picture", "inputRandomCityName": "only digits are made up",
		"inputRandomCountryName": "only digits are made up", "inputRandomColorName": "only digits are made up",
	}
})

// calls are what a command becomes. None, without an error: nothing is needed.
func (m *maestro) calls(name string, arg trail.Value) ([]made, error) {
	if bad := javaScript(jsonOf(arg)); bad != "" && name != "assertTrue" && without()[name] == "" {
		return nil, unequal("%s computes with JavaScript", bad)
	}
	optional := scalarOf(arg.Get("optional")) == "true"
	switch name {
	case "tapOn", "longPressOn", "doubleTapOn":
		return m.tap(name, arg, optional)
	}
	if optional {
		return nil, unequal("%s with optional: true has no equal", name)
	}
	switch name {
	case "assertVisible", "assertNotVisible":
		return m.sees(name == "assertVisible", arg, arg)
	case "extendedWaitUntil":
		var all []made
		for _, key := range []string{"visible", "notVisible"} {
			v := arg.Get(key)
			if v.Zero() {
				continue
			}
			calls, err := m.sees(key == "visible", v, arg)
			if err != nil {
				return nil, err
			}
			all = append(all, calls...)
		}
		if all == nil {
			return nil, unequal("it waits for nothing")
		}
		return all, nil
	case "assertTrue":
		return m.equal(arg)
	case "assertWithAI":
		if scalarOf(arg.Get("assertion")) == "" {
			return nil, unequal("it asserts nothing")
		}
		return nil, nil
	case "copyTextFrom":
		args, target, err := m.element(arg)
		if err == nil {
			args["variable"] = "copiedText"
		}
		return one(made{"remember", args, target}, err)
	case "pasteText":
		return one(made{"inputText", map[string]any{"text": "{{copiedText}}"}, ""}, nil)
	case "launchApp":
		return m.launch(arg)
	case "inputRandomNumber":
		m.random++
		args := map[string]any{"variable": fmt.Sprintf("random%d", m.random), "prefix": "", "digitCount": 8}
		if n, err := strconv.Atoi(scalarOf(arg.Get("length"))); err == nil {
			args["digitCount"] = n
		}
		return one(made{"inputTextRandom", args, ""}, nil)
	case "setAirplaneMode":
		on := strings.EqualFold(cmp.Or(scalarOf(arg), scalarOf(arg.Get("value"))), "enabled")
		return one(made{"networkConnection", map[string]any{"connected": !on}, ""}, nil)
	case "scrollUntilVisible":
		return m.scrollTo(arg)
	case "swipe":
		return m.swipe(arg)
	case "runFlow", "repeat":
		return m.block(name, arg)
	case "openLink":
		link := tokensOf(cmp.Or(scalarOf(arg), scalarOf(arg.Get("link"))))
		if link == "" {
			return nil, unequal("it names no address")
		}
		return one(made{"openUrl", map[string]any{"url": link}, ""}, nil)
	case "stopApp", "killApp":
		return one(made{"stopApp", map[string]any{"appId": m.appOf(arg)}, ""}, nil)
	case "clearState":
		return one(made{"clearAppData", map[string]any{"packageId": m.appOf(arg)}, ""}, nil)
	}
	if reason, known := without()[name]; known {
		return nil, unequal("%s", cmp.Or(reason, name+" has no equal"))
	}
	return m.plain(name, arg)
}

func one(m made, err error) ([]made, error) { return []made{m}, err }

// appOf is the app that a command names, or that of the flow.
func (m *maestro) appOf(arg trail.Value) string {
	return tokensOf(cmp.Or(scalarOf(arg), scalarOf(arg.Get("appId")), m.app))
}

// plain translates a command as the tool for commands of Maestro does.
func (m *maestro) plain(name string, arg trail.Value) ([]made, error) {
	var given any
	if !arg.Zero() {
		if err := json.Unmarshal(arg.JSON(), &given); err != nil {
			return nil, err
		}
	}
	if _, number := given.(float64); number && name == "inputText" {
		given = string(arg.JSON()) // a text that YAML reads as a number
	}
	if fields, ok := given.(map[string]any); ok {
		delete(fields, "optional")
	}
	c, err := sequence.Translate(map[string]any{name: withTokens(given)})
	if err != nil {
		return nil, err
	}
	args := map[string]any{}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return nil, err
	}
	return one(made{c.Name, args, ""}, nil)
}

// withTokens rewrites the tokens in all texts of a value.
func withTokens(v any) any {
	switch v := v.(type) {
	case string:
		return tokensOf(v)
	case map[string]any:
		for k, e := range v {
			v[k] = withTokens(e)
		}
	case []any:
		for i, e := range v {
			v[i] = withTokens(e)
		}
	}
	return v
}

var (
	expression = regex.Lazy(`\\?\$\{([^}]*)\}`)
	variable   = regex.Lazy(`^\s*[A-Za-z_][A-Za-z0-9_]*\s*$`)
	equation   = regex.Lazy(`^\s*\$\{\s*([A-Za-z_][A-Za-z0-9_.]*)\s*={2,3}\s*["']([^"'\\]*)["']\s*\}\s*$`)
	// special is what only a regular expression has, beside marks that texts have as well.
	special = regex.Lazy(`\.[*+?]|\\[dwsSDWbB]|\[[^\]]+\]|\(\?|\([^)]*\|[^)]*\)|\S\{\d|\|`)
)

// copied is how a flow names the text that it copied last.
const copied = "maestro.copiedText"

// javaScript is the first expression that is more than a variable, "" when there is none.
func javaScript(s string) string {
	for _, m := range expression().FindAllStringSubmatch(s, -1) {
		if m[0][0] != '\\' && !variable().MatchString(m[1]) && strings.TrimSpace(m[1]) != copied {
			return m[0]
		}
	}
	return ""
}

// tokensOf writes variables as tokens.
func tokensOf(s string) string {
	return expression().ReplaceAllStringFunc(s, func(t string) string {
		if t[0] == '\\' {
			return "{{$}}" + t[2:] // as it stands
		}
		name := strings.TrimSpace(t[2 : len(t)-1])
		if name == copied {
			name = "copiedText"
		}
		return "{{" + name + "}}"
	})
}

// equal translates an assertion that a variable has a value.
func (m *maestro) equal(arg trail.Value) ([]made, error) {
	condition := cmp.Or(scalarOf(arg), scalarOf(arg.Get("condition")))
	match := equation().FindStringSubmatch(condition)
	if match == nil || match[1] != copied && strings.Contains(match[1], ".") {
		return nil, unequal("%s computes with JavaScript", condition)
	}
	args := map[string]any{"actual": tokensOf("${" + match[1] + "}"), "expected": match[2]}
	return one(made{"assertEquals", args, ""}, nil)
}

// launch translates the start of an app. Maestro keeps its data unless it is told to clear them.
func (m *maestro) launch(arg trail.Value) ([]made, error) {
	mode := "FORCE_RESTART"
	for _, e := range arg.Entries() {
		value := scalarOf(e.Value)
		switch {
		case e.Key == "clearState" && value == "true":
			mode = "REINSTALL"
		case e.Key == "stopApp" && value == "false" && mode != "REINSTALL":
			mode = "RESUME"
		case e.Key == "arguments":
			return nil, unequal("an app is started without arguments")
		case e.Key == "permissions":
			for _, p := range e.Value.Entries() {
				if state := scalarOf(p.Value); state != "allow" && state != "unset" {
					return nil, unequal("permissions are granted, not denied")
				}
			}
			m.note(e.Pos, "launchApp", "grant the permissions that the app needs with android_grantPermissions")
		}
	}
	if m.appOf(arg) == "" {
		return nil, unequal("it names no app")
	}
	return one(made{"launchApp", map[string]any{"appId": m.appOf(arg), "launchMode": mode}, ""}, nil)
}

// block translates runFlow and repeat, as far as their conditions can be asked.
func (m *maestro) block(name string, arg trail.Value) ([]made, error) {
	args := map[string]any{}
	conditions := arg.Get(map[string]string{"runFlow": "when", "repeat": "while"}[name])
	for _, e := range conditions.Entries() {
		switch e.Key {
		case "platform":
			if !strings.EqualFold(scalarOf(e.Value), string(m.platform)) {
				return nil, nil // it is for another platform
			}
		case "visible", "notVisible":
			cond, _, err := m.seen(e.Value)
			if err != nil {
				return nil, err
			}
			args[e.Key] = cond
		case "label":
		default:
			return nil, unequal("the condition %s cannot be asked", e.Key)
		}
	}
	inner, err := m.inner(arg)
	if err != nil {
		return nil, err
	}
	if name == "runFlow" {
		if len(args) == 0 {
			return inner, nil
		}
		args["tools"] = written(inner)
		return one(made{"when", args, ""}, nil)
	}
	out := map[string]any{"tools": written(inner)}
	if times := scalarOf(arg.Get("times")); times != "" {
		out["times"] = times
		if n, err := strconv.Atoi(times); err == nil {
			out["times"] = n
		}
	}
	if len(args) > 0 {
		out["while"] = args
	}
	return one(made{"repeat", out, ""}, nil)
}

// inner are the calls of the commands that a command holds, or of the flow that it runs.
func (m *maestro) inner(arg trail.Value) (out []made, err error) {
	file := cmp.Or(scalarOf(arg), scalarOf(arg.Get("file")))
	for _, e := range arg.Get("env").Entries() {
		m.note(e.Pos, "env", e.Key+" is remembered for the rest of the trail, not for these commands alone")
		out = append(out, made{"remember", map[string]any{"variable": e.Key, "value": tokensOf(scalarOf(e.Value))}, ""})
	}
	if file != "" {
		m.flow.Calls = append(m.flow.Calls, file)
		return append(out, made{"runTrail", map[string]any{"path": m.o.Called(file)}, ""}), nil
	}
	for _, v := range arg.Get("commands").Items() {
		name, arg := nameOf(v)
		calls, err := m.calls(name, arg)
		if err != nil {
			return nil, fmt.Errorf("%s in it: %w", name, err)
		}
		out = append(out, calls...)
	}
	if len(out) == 0 {
		return nil, unequal("it holds no commands")
	}
	return out, nil
}

// written are calls as the arguments of another hold them.
func written(calls []made) []map[string]any {
	var out []map[string]any
	for _, c := range calls {
		if c.args == nil {
			c.args = map[string]any{}
		}
		out = append(out, map[string]any{c.tool: c.args})
	}
	return out
}

// jsonOf is what a command is given as JSON, "" when nothing is.
func jsonOf(v trail.Value) string {
	if v.Zero() {
		return ""
	}
	return string(v.JSON())
}

func quoted(s string) string { return tool.Quote(tokensOf(s)) }
