package phone

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// extraTypes are the options of am that add an extra to an intent, with the type of its value.
var extraTypes = map[string]string{"-e": "string", "--es": "string", "--ei": "int", "--ez": "bool",
	"--el": "long", "--ef": "float", "--eu": "uri"}

// intent holds the arguments of am that name an intent.
type intent struct {
	request
	target    string // the package, where the intent names one
	wait      bool
	stopFirst bool
}

// readIntent reads the arguments that name an intent. It refuses an option that would change what happens.
func readIntent(args []string) (intent, error) {
	i := intent{request: request{}}
	var categories []string
	var extras []map[string]any
	flags := 0
	for k := 0; k < len(args); k++ {
		next := func() string {
			if k++; k < len(args) {
				return args[k]
			}
			return ""
		}
		switch a := args[k]; a {
		case "-a":
			i.request["action"] = next()
		case "-d":
			i.request["data"] = next()
		case "-t":
			i.request["type"] = next()
		case "-c":
			categories = append(categories, next())
		case "-p":
			i.target = next()
			i.request["package"] = i.target
		case "-n":
			i.component(next())
		case "-f":
			n, err := strconv.ParseInt(next(), 0, 32)
			if err != nil {
				return i, fmt.Errorf("bad flags: %s", args[k])
			}
			flags |= int(n)
		case "-W":
			i.wait = true
		case "-S":
			i.stopFirst = true
		case "--user", "--display", "--windowingMode", "--receiver-permission":
			next()
		case "--esn":
			extras = append(extras, map[string]any{"type": "null", "key": next()})
		case "--activity-clear-top":
			flags |= 0x04000000
		case "--activity-single-top":
			flags |= 0x20000000
		case "--activity-clear-task":
			flags |= 0x00008000
		case "--activity-no-history":
			flags |= 0x40000000
		case "--activity-brought-to-front", "--include-stopped-packages", "--activity-reset-task-if-needed", "-D",
			"-N", "--grant-read-uri-permission":
		default:
			kind := extraTypes[a]
			switch {
			case kind != "":
				key := next()
				extras = append(extras, map[string]any{"type": kind, "key": key, "value": next()})
			case strings.HasPrefix(a, "-"):
				return i, fmt.Errorf("unknown option: %s", a)
			case strings.Contains(a, "/"):
				i.component(a)
			case strings.Contains(a, ":"):
				i.request["data"] = a
			default:
				i.target = a
				i.request["package"] = a
			}
		}
	}
	if categories != nil {
		i.request["categories"] = categories
	}
	if extras != nil {
		i.request["extras"] = extras
	}
	i.request["flags"] = flags
	return i, nil
}

func (i *intent) component(name string) {
	i.target, _, _ = strings.Cut(name, "/")
	i.request["component"] = name
}

// String is the intent as am prints it.
func (i intent) String() string {
	var b strings.Builder
	b.WriteString("Intent {")
	for _, f := range [][2]string{{"act", "action"}, {"dat", "data"}, {"typ", "type"}, {"pkg", "package"}, {"cmp",
		"component"}} {
		if v, ok := i.request[f[1]]; ok {
			fmt.Fprintf(&b, " %s=%s", f[0], v)
		}
	}
	return b.String() + " }"
}

func am(c *call) int {
	if len(c.args) == 0 {
		return c.fail("usage: am start|force-stop|broadcast|kill|stack …")
	}
	rest := c.args[1:]
	switch c.args[0] {
	case "start", "start-activity":
		return c.start(rest)
	case "force-stop", "kill", "stop-app":
		names := slices.DeleteFunc(slices.Clone(rest), func(a string) bool { return strings.HasPrefix(a, "-") || len(a) < 4 })
		if len(names) == 0 {
			return c.fail("Error: no package")
		}
		c.stop(names[0])
		return 0
	case "broadcast":
		return c.broadcast(rest)
	case "crash":
		return c.act(request{"do": "crash"})
	case "get-current-user":
		c.printf("0\n")
		return 0
	case "stack", "task":
		return dumpsys(&call{Context: c.Context, Phone: c.Phone, args: []string{"activity", "activities"},
			name: "dumpsys", in: c.in, out: c.out, err: c.err})
	}
	return c.refuse("am " + c.args[0])
}

func (c *call) start(args []string) int {
	i, err := readIntent(args)
	if err != nil {
		return c.fail("Error: %v", err)
	}
	c.printf("Starting: %s\n", i)
	if i.String() == (intent{}).String() {
		return c.fail("Error: Activity not started, unable to resolve %s", i)
	}
	began := time.Now()
	if i.stopFirst {
		c.stop(i.target)
	}
	cold, err := c.startIntent(c, i)
	if err != nil {
		if name, ok := i.request["component"]; ok && strings.Contains(err.Error(), "unable to resolve") {
			return c.fail("Error type 3\nError: Activity class {%s} does not exist.", name)
		}
		return c.fail("Error: Activity not started, %v", err)
	}
	if i.wait {
		state := "HOT"
		if cold {
			state = "COLD"
		}
		ms := time.Since(began).Milliseconds()
		c.printf("Status: ok\nLaunchState: %s\nActivity: %s\nTotalTime: %d\nWaitTime: %d\nComplete\n", state,
			c.state(c).Top, ms, ms)
	}
	return 0
}

func (c *call) broadcast(args []string) int {
	i, err := readIntent(args)
	if err != nil {
		return c.fail("Error: %v", err)
	}
	c.printf("Broadcasting: %s\n", i)
	front, err := c.foreground()
	if err != nil {
		return c.fail("Error: %v", err)
	}
	i.request["do"] = "broadcast"
	if _, err := front.ask(c, i.request, nil); err != nil {
		return c.fail("Error: %v", err)
	}
	c.printf("Broadcast completed: result=0\n")
	return 0
}

// monkey starts an app, which is what clients use it for. It sends no random events.
func monkey(c *call) int {
	i := slices.Index(c.args, "-p")
	if i < 0 || i+1 >= len(c.args) {
		return c.refuse("monkey without -p PACKAGE sends random events")
	}
	if n := c.args[len(c.args)-1]; n != "1" {
		return c.refuse("monkey sends no random events; its last argument has to be 1")
	}
	name := c.args[i+1]
	if _, err := c.startIntent(c, intent{request: request{"main": true}, target: name}); err != nil {
		return c.fail("** No activities found to run, monkey aborted. (%v)", err)
	}
	c.printf("Events injected: 1\n")
	return 0
}

func cmdProgram(c *call) int {
	if len(c.args) == 0 || c.args[0] == "-l" {
		c.printf("Currently running services:\n  activity\n  input\n  package\n  settings\n  uimode\n  window\n")
		return 0
	}
	services := map[string]program{"activity": am, "package": pm, "settings": settings, "window": wm,
		"input": inputProgram, "uimode": uimode, "locale": localeProgram}
	run := services[c.args[0]]
	if run == nil {
		return c.fail("cmd: Can't find service: %s", c.args[0])
	}
	inner := *c
	inner.name, inner.args = c.args[0], c.args[1:]
	return run(&inner)
}

// uimode shows and sets the dark theme.
func uimode(c *call) int {
	if len(c.args) == 0 || c.args[0] != "night" {
		return c.refuse("cmd uimode " + strings.Join(c.args, " "))
	}
	if len(c.args) > 1 {
		night := c.args[1] == "yes"
		if !night && c.args[1] != "no" {
			return c.refuse("cmd uimode night takes yes or no")
		}
		if n := c.configure(func(x *config) { x.Night = night }); n != 0 {
			return n
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.printf("Night mode: %s\n", map[bool]string{true: "yes", false: "no"}[c.config.Night])
	return 0
}

// localeProgram sets the language of the phone: it has one, for all apps.
func localeProgram(c *call) int {
	i := slices.Index(c.args, "--locales")
	if len(c.args) == 0 || c.args[0] != "set-app-locales" || i < 0 || i+1 >= len(c.args) {
		return c.refuse("cmd locale knows: set-app-locales PACKAGE --locales TAG")
	}
	tag := cmp.Or(c.args[i+1], c.options.locale()) // no language takes the choice back
	if err := checkLocale(tag); err != nil {
		return c.fail("Error: %v", err)
	}
	return c.configure(func(x *config) { x.Locale = tag })
}

// startIntent starts an activity, and the process of its app where there is none. It reports whether there was none.
func (p *Phone) startIntent(ctx context.Context, i intent) (cold bool, err error) {
	target := cmp.Or(i.target, p.foremost())
	name, _ := i.request["component"].(string)
	p.log.say("I", "ActivityTaskManager", "START u0 {cmp=%s} from uid 2000", cmp.Or(name, target+"/"))
	own, cold, err := p.bring(ctx, target)
	if err != nil {
		return cold, err
	}
	q := request{}
	maps.Copy(q, i.request)
	q["do"] = "start"
	_, err = own.ask(ctx, q, nil)
	return cold, err
}

// foreground returns the process that is seen.
func (p *Phone) foreground() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.front == nil {
		return nil, fault.New(fault.Unavailable, "find the foreground app",
			"no app runs").WithHint("Start one: adb shell am start -n COMPONENT")
	}
	return p.front, nil
}

func (p *Phone) foremost() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.front == nil {
		return ""
	}
	return p.front.app.Package
}
