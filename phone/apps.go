package phone

import (
	"context"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// stopTime bounds the time in which an app that is ended leaves the screen.
const stopTime = 5 * time.Second

// state describes the screen of the foreground process.
type state struct {
	Width, Height, Density int
	FontScale              float64
	Locale                 string
	Night                  bool
	Top                    string
	Tasks                  [][]string
	Keyboard               bool
	Windows                []struct {
		Title               string
		Type                int
		X, Y, Width, Height int
		Focused             bool
	}
}

func (p *Phone) state(ctx context.Context) state {
	var s state
	if front, err := p.foreground(); err == nil {
		_, _ = front.ask(ctx, request{"do": "state"}, &s)
	}
	return s
}

// find returns an installed app.
func (p *Phone) find(name string) *installed {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.apps, func(a *installed) bool { return a.Package == name })
	if i < 0 {
		return nil
	}
	return p.apps[i]
}

// bring puts the process of an app in front, and starts it where there is none.
func (p *Phone) bring(ctx context.Context, name string) (own *process, cold bool, err error) {
	app := p.find(name)
	if app == nil {
		return nil, false, fault.New(fault.NotFound, "start app", "unable to resolve %s: it is not installed", name)
	}
	p.starting.Lock()
	defer p.starting.Unlock()
	p.mu.Lock()
	own = p.running[name]
	p.mu.Unlock()
	if own == nil {
		cold = true
		p.log.say("I", "ActivityManager", "Start proc for %s", name)
		if own, err = p.launch(ctx, app.apk); err != nil {
			return nil, true, err
		}
		defer p.listApps(ctx)
	}
	p.show(ctx, own)
	return own, cold, nil
}

// show puts a process in front. It ends the one before when the app's code runs no more in it.
func (p *Phone) show(ctx context.Context, own *process) {
	p.mu.Lock()
	p.running[own.app.Package] = own
	before := p.front
	p.come(own)
	p.mu.Unlock()
	if before == nil || before == own {
		return
	}
	if before.dead {
		before.close()
	} else {
		_, _ = before.ask(ctx, request{"do": "home"}, nil) // its activities stop
	}
}

// retire ends the code of an app, as its death does: in front, its process draws the home screen until
// another app is started.
func (p *Phone) retire(name string) {
	p.starting.Lock()
	defer p.starting.Unlock()
	p.mu.Lock()
	own := p.running[name]
	delete(p.running, name)
	front := own != nil && own == p.front
	if front {
		own.dead = true
	}
	p.mu.Unlock()
	switch {
	case front:
		ctx, cancel := context.WithTimeout(p.life, stopTime)
		defer cancel()
		if _, err := own.ask(ctx, request{"do": "end"}, nil); err != nil { // its main thread does not respond
			p.mu.Lock()
			p.come(nil)
			p.mu.Unlock()
			own.close()
			p.goHome()
		}
	case own != nil:
		own.close()
	}
}

// come puts a process in front. The caller holds mu.
func (p *Phone) come(own *process) {
	p.front = own
	close(p.turned)
	p.turned = make(chan struct{})
}

// bury removes the processes that have ended by themselves. The home screen comes where one was in front.
func (p *Phone) bury(name string) {
	p.starting.Lock()
	defer p.starting.Unlock()
	p.mu.Lock()
	var gone []*process
	for _, own := range p.processes() {
		if own.ended() {
			gone = append(gone, own)
			maps.DeleteFunc(p.running, func(_ string, o *process) bool { return o == own })
		}
	}
	front := slices.Contains(gone, p.front)
	if front {
		p.come(nil)
	}
	p.mu.Unlock()
	for _, own := range gone {
		p.log.say("I", "ActivityManager", "Process %s (pid %d) has died: fg TOP", name, own.proc.PID())
		own.close()
	}
	if front {
		p.goHome()
	}
}

// goHome has a process draw the home screen: one that runs, or that of the first app. The caller holds starting.
func (p *Phone) goHome() {
	ctx, cancel := context.WithTimeout(p.life, startTime)
	defer cancel()
	p.mu.Lock()
	if len(p.apps) == 0 {
		p.mu.Unlock()
		return
	}
	first := p.apps[0]
	var own *process
	for _, o := range p.running {
		own = o
	}
	p.mu.Unlock()
	var err error
	if own == nil {
		if own, err = p.launch(ctx, first.apk); err == nil {
			defer p.listApps(ctx)
		}
	}
	if err == nil {
		p.show(ctx, own)
		_, err = own.ask(ctx, request{"do": "home"}, nil)
	}
	if err != nil && p.life.Err() == nil {
		p.log.say("E", "ActivityTaskManager", "home: %v", err)
	}
}

// stop ends an app, as a force-stop does.
func (p *Phone) stop(name string) {
	p.log.say("I", "ActivityManager", "Force stopping %s appid=10100 user=0", name)
	p.retire(name)
}

// listApps hands every process the apps for its home screen.
func (p *Phone) listApps(ctx context.Context) {
	p.mu.Lock()
	apps := []map[string]string{}
	for _, a := range p.apps {
		apps = append(apps, map[string]string{"package": a.Package, "label": a.Label})
	}
	all := p.processes()
	p.mu.Unlock()
	for _, own := range all {
		_, _ = own.ask(ctx, request{"do": "apps", "apps": apps}, nil)
	}
}

// install adds an app, or replaces it.
func (p *Phone) install(ctx context.Context, apk string) (App, error) {
	if _, err := p.tools.translate(ctx, apk); err != nil {
		return App{}, err
	}
	own, err := p.launch(ctx, apk)
	if err != nil {
		return App{}, err
	}
	p.retire(own.app.Package)
	p.mu.Lock()
	p.apps = append(slices.DeleteFunc(p.apps, func(a *installed) bool { return a.Package == own.app.Package }),
		&installed{App: own.app, apk: apk})
	p.running[own.app.Package] = own
	p.mu.Unlock()
	p.listApps(ctx)
	return own.app, nil
}

func pm(c *call) int {
	if len(c.args) == 0 {
		return c.fail("usage: pm list|path|install|uninstall|clear|grant|revoke …")
	}
	args := c.args[1:]
	var names []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--user" || a == "-i" && c.args[0] != "list" || a == "-S" || a == "-a" || a == "-c":
			i++
		case !strings.HasPrefix(a, "-"):
			names = append(names, a)
		}
	}
	switch c.args[0] {
	case "list":
		return c.list(args)
	case "install":
		return c.installFrom(args, names)
	case "query-activities", "query-intent-activities", "resolve-activity":
		return c.resolve(args, names)
	}
	if len(names) == 0 {
		return c.fail("Error: no package specified")
	}
	app := c.find(names[0])
	switch c.args[0] {
	case "path":
		if app == nil {
			return statusFailed
		}
		c.printf("package:%s\n", app.path())
		return 0
	case "uninstall":
		if app == nil {
			return c.fail("Failure [DELETE_FAILED_INTERNAL_ERROR]")
		}
		c.stop(app.Package)
		c.forget(app.Package)
		c.mu.Lock()
		c.apps = slices.DeleteFunc(c.apps, func(a *installed) bool { return a == app })
		c.mu.Unlock()
		c.listApps(c)
		c.printf("Success\n")
		return 0
	case "clear":
		if app == nil {
			return c.fail("Failed")
		}
		c.stop(app.Package)
		c.forget(app.Package)
		c.mu.Lock()
		app.granted = nil
		c.mu.Unlock()
		c.printf("Success\n")
		return 0
	case "grant", "revoke":
		return c.grant(app, names, c.args[0] == "grant")
	}
	return c.refuse("pm " + c.args[0])
}

// forget deletes what an app has stored.
func (p *Phone) forget(name string) {
	if err := p.files.RemoveAll("data/data/" + name); err != nil {
		p.log.say("E", "installd", "clear %s: %v", name, err)
	}
}

// runAs runs a program in an app's folder of data, as on a device where the app can be debugged.
func runAs(c *call) int {
	if len(c.args) < 2 {
		return c.fail("usage: run-as PACKAGE PROGRAM [ARGUMENT ...]")
	}
	if c.find(c.args[0]) == nil {
		return c.fail("run-as: unknown package: %s", c.args[0])
	}
	run := programs()[c.args[1]]
	if run == nil {
		return c.fail("run-as: exec failed for %s: No such file or directory", c.args[1])
	}
	inner := *c
	inner.name, inner.args, inner.dir = c.args[1], c.args[2:], "/data/data/"+c.args[0]
	return run(&inner)
}

func (a *installed) path() string { return "/data/app/" + a.Package + "/base.apk" }

func (c *call) list(args []string) int {
	if len(args) == 0 {
		return c.fail("Error: didn't specify type of data to list")
	}
	switch args[0] {
	case "packages":
		filter, letters, versions := "", "", false
		for i := 1; i < len(args); i++ {
			switch a := args[i]; {
			case a == "--user" || a == "--uid":
				i++
			case strings.HasPrefix(a, "--"):
				versions = versions || a == "--show-versioncode"
			case strings.HasPrefix(a, "-"):
				letters += a[1:]
			default:
				filter = a
			}
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, a := range c.apps {
			if !strings.Contains(a.Package, filter) || strings.Contains(letters, "s") {
				continue
			}
			name := a.Package
			if strings.Contains(letters, "f") {
				name = a.path() + "=" + name
			}
			if versions {
				name += " versionCode:" + strconv.FormatInt(a.VersionCode, 10)
			}
			c.printf("package:%s\n", name)
		}
		return 0
	case "users":
		c.printf("Users:\n\tUserInfo{0:Owner:4c13} running\n")
		return 0
	case "features":
		c.printf("feature:android.hardware.touchscreen\nfeature:android.software.input_methods\n")
		return 0
	}
	return c.refuse("pm list " + args[0])
}

// installFrom installs an APK that lies on the phone, or comes on the standard input.
func (c *call) installFrom(args, names []string) int {
	folder := filepath.Join(c.folder, "apks")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return c.fail("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE: %v]", err)
	}
	f, err := os.CreateTemp(folder, "*.apk")
	if err != nil {
		return c.fail("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE: %v]", err)
	}
	defer func() { _ = f.Close() }()
	if i := slices.Index(args, "-S"); i >= 0 && i+1 < len(args) {
		size, e := strconv.ParseInt(args[i+1], 10, 64)
		if e != nil || size > maxAPK {
			return c.fail("Failure [INSTALL_FAILED_INVALID_APK: bad size %s]", args[i+1])
		}
		_, err = io.CopyN(f, c.in, size)
	} else if len(names) == 1 {
		var b []byte
		if b, err = c.read(c.at(names[0])); err == nil {
			_, err = f.Write(b)
		}
	} else {
		return c.fail("Error: must specify a package to install")
	}
	if err == nil {
		_, err = c.install(c, f.Name())
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return c.fail("Failure [INSTALL_PARSE_FAILED_NOT_APK: %s]", firstLine(err.Error()))
	}
	c.printf("Success\n")
	return 0
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// resolve names the activities that a launcher shows.
func (c *call) resolve(args, names []string) int {
	only := ""
	for _, n := range names {
		if strings.Contains(n, ".") && !strings.HasPrefix(n, "android.intent.") {
			only = n
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	found := 0
	for _, a := range c.apps {
		if a.Main == "" || only != "" && a.Package != only {
			continue
		}
		found++
		if slices.Contains(args, "--brief") || slices.Contains(args, "--components") {
			c.printf("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n%s\n", a.Main)
			continue
		}
		_, class, _ := strings.Cut(a.Main, "/")
		if strings.HasPrefix(class, ".") {
			class = a.Package + class
		}
		c.printf("Activity #%d:\n  priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n"+
			"  ActivityInfo:\n"+
			"    name=%s\n    packageName=%s\n    enabled=true exported=true\n", found-1, class, a.Package)
	}
	if found == 0 {
		c.printf("No activity found\n")
	}
	return 0
}

func (c *call) grant(app *installed, names []string, granted bool) int {
	if app == nil || len(names) != 2 {
		return c.fail("Exception occurred while executing '%s': java.lang.IllegalArgumentException: Unknown package: "+
			"%s", c.args[0], path.Base(names[0]))
	}
	c.mu.Lock()
	app.granted = slices.DeleteFunc(app.granted, func(p string) bool { return p == names[1] })
	if granted {
		app.granted = append(app.granted, names[1])
	}
	own := c.running[app.Package]
	c.mu.Unlock()
	if own != nil {
		if _, err := own.ask(c, request{"do": "grant", "permission": names[1], "granted": granted}, nil); err != nil {
			return c.fail("Error: %v", err)
		}
	}
	return 0
}
