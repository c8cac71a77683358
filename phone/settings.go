package phone

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// release is the version of Android that an API level has in the mouths of people.
func release(api int) string { return strconv.Itoa(api - 20) }

// machine is the architecture as Android names it. The app's native code would have to be of it.
func machine() string {
	if runtime.GOARCH == "arm64" {
		return "arm64-v8a"
	}
	return "x86_64"
}

// properties are what getprop lists. They name the phone for what it is.
func (p *Phone) properties() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.config
	out := map[string]string{
		"ro.product.manufacturer": "Trailblaze", "ro.product.brand": "trailblaze", "ro.product.model": model,
		"ro.product.name":   product,
		"ro.product.device": device, "ro.product.board": "robolectric", "ro.hardware": "robolectric",
		"ro.boot.hardware":     "robolectric",
		"ro.build.version.sdk": strconv.Itoa(c.API), "ro.build.version.release": release(c.API),
		"ro.build.version.codename":            "REL",
		"ro.build.version.release_or_codename": release(c.API), "ro.build.type": "user", "ro.build.tags": "release-keys",
		"ro.build.characteristics": "nosdcard", "ro.build.version.incremental": "1", "ro.build.id": "TRAILBLAZE",
		"ro.build.fingerprint": "trailblaze/" + product + "/" + device + ":" + release(c.API) +
			"/TRAILBLAZE/1:user/release-keys",
		"ro.product.cpu.abi": machine(), "ro.product.cpu.abilist": machine(), "ro.serialno": "trailblaze",
		"ro.debuggable": "0", "ro.secure": "1",
		"ro.sf.lcd_density": strconv.Itoa(p.options.density()), "ro.product.locale": p.options.locale(),
		"persist.sys.locale":   c.Locale,
		"persist.sys.timezone": "UTC", "sys.boot_completed": "1", "dev.bootcomplete": "1", "init.svc.bootanim": "stopped",
		"service.bootanim.exit": "1", "init.svc.adbd": "running", "gsm.sim.state": "ABSENT",
	}
	maps.Copy(out, p.props)
	return out
}

func getprop(c *call) int {
	props := c.properties()
	if len(c.args) == 0 {
		for _, k := range slices.Sorted(maps.Keys(props)) {
			c.printf("[%s]: [%s]\n", k, props[k])
		}
		return 0
	}
	v := props[c.args[0]]
	if v == "" && len(c.args) > 1 {
		v = c.args[1]
	}
	c.printf("%s\n", v)
	return 0
}

func setprop(c *call) int {
	if len(c.args) != 2 {
		return c.fail("setprop: needs a name and a value")
	}
	if strings.HasPrefix(c.args[0], "ro.") {
		return c.fail("setprop: failed to set property '%s' to '%s'", c.args[0], c.args[1])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.props[c.args[0]] = c.args[1]
	return 0
}

// defaultSettings are the settings that clients read before they were ever written.
func defaultSettings() map[string]string {
	return map[string]string{
		"global/window_animation_scale": "1.0", "global/transition_animation_scale": "1.0",
		"global/animator_duration_scale": "1.0",
		"global/airplane_mode_on":        "0", "global/device_name": model, "global/adb_enabled": "1",
		"global/development_settings_enabled": "1",
		"system/accelerometer_rotation":       "0", "system/user_rotation": "0", "system/font_scale": "1.0",
		"system/screen_off_timeout": "60000",
		"system/screen_brightness":  "128", "secure/default_input_method": keyboard, "secure/enabled_input_methods": keyboard,
		"secure/android_id": "7261696c626c617a", "secure/accessibility_enabled": "0", "secure/ui_night_mode": "1",
	}
}

// settings reads and writes settings. Those of rotation and of the font change the phone.
func settings(c *call) int {
	args := slices.DeleteFunc(slices.Clone(c.args), func(a string) bool {
		return a == "--user" || a == "0" &&
			c.args[0] == "--user" || a == "current"
	})
	if len(args) < 2 {
		return c.fail("usage: settings [--user ID] get|put|delete|list NAMESPACE [NAME [VALUE]]")
	}
	verb, space := args[0], args[1]
	if !slices.Contains([]string{"system", "secure", "global"}, space) {
		return c.fail("Invalid namespace '%s'", space)
	}
	name := ""
	if len(args) > 2 {
		name = space + "/" + args[2]
	}
	switch {
	case verb == "list":
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, k := range slices.Sorted(maps.Keys(c.set)) {
			if key, ok := strings.CutPrefix(k, space+"/"); ok {
				c.printf("%s=%s\n", key, c.set[k])
			}
		}
		return 0
	case verb == "get" && name != "":
		c.mu.Lock()
		v, ok := c.set[name]
		c.mu.Unlock()
		if !ok {
			v = "null"
		}
		c.printf("%s\n", v)
		return 0
	case verb == "put" && len(args) > 3:
		return c.putSetting(name, args[3])
	case verb == "delete" && name != "":
		c.mu.Lock()
		_, had := c.set[name]
		delete(c.set, name)
		c.mu.Unlock()
		c.printf("Deleted %d rows\n", map[bool]int{true: 1}[had])
		return 0
	}
	return c.fail("Invalid command: %s", strings.Join(c.args, " "))
}

// content writes a setting, which is what clients use it for.
func content(c *call) int {
	bound := map[string]string{}
	space := ""
	for i := 0; i+1 < len(c.args); i++ {
		switch c.args[i] {
		case "--uri":
			space, _ = strings.CutPrefix(c.args[i+1], "content://settings/")
		case "--bind":
			parts := strings.SplitN(c.args[i+1], ":", 3)
			if len(parts) == 3 {
				bound[parts[0]] = parts[2]
			}
		}
	}
	if len(c.args) == 0 || c.args[0] != "insert" || space == "" || bound["name"] == "" {
		return c.refuse("content knows: insert --uri content://settings/NAMESPACE --bind name:s:NAME --bind value:T:VALUE")
	}
	return c.putSetting(space+"/"+bound["name"], bound["value"])
}

func (c *call) putSetting(name, value string) int {
	scale, err := strconv.ParseFloat(value, 64)
	if name == "system/font_scale" && (err != nil || !(scale > 0 && scale <= 4)) {
		return c.fail("settings: font_scale has to be a number up to 4")
	}
	c.mu.Lock()
	c.set[name] = value
	c.mu.Unlock()
	switch name {
	case "system/font_scale":
		return c.configure(func(x *config) { x.FontScale = scale })
	case "system/user_rotation":
		return c.configure(func(x *config) { x.Land = value == "1" || value == "3" })
	}
	return 0
}

// wm shows and changes the size and the density of the display.
func wm(c *call) int {
	if len(c.args) == 0 {
		return c.fail("usage: wm size [WxH|reset] | density [N|reset]")
	}
	c.mu.Lock()
	now := c.config
	c.mu.Unlock()
	o := c.options
	switch what := c.args[0]; {
	case what == "size" && len(c.args) == 1:
		c.printf("Physical size: %dx%d\n", o.width(), o.height())
		if now.Width != o.width() || now.Height != o.height() {
			c.printf("Override size: %dx%d\n", now.Width, now.Height)
		}
		return 0
	case what == "density" && len(c.args) == 1:
		c.printf("Physical density: %d\n", o.density())
		if now.Density != o.density() {
			c.printf("Override density: %d\n", now.Density)
		}
		return 0
	case what == "size":
		width, height := o.width(), o.height()
		if c.args[1] != "reset" {
			var err error
			if width, height, err = ParseSize(c.args[1]); err != nil {
				return c.fail("Error: %v", err)
			}
		}
		return c.configure(func(x *config) { x.Width, x.Height = width, height })
	case what == "density":
		density := o.density()
		if c.args[1] != "reset" {
			var err error
			if density, err = strconv.Atoi(c.args[1]); err == nil {
				err = checkDensity(density)
			}
			if err != nil {
				return c.fail("Error: density must be >= %d", minDensity)
			}
		}
		return c.configure(func(x *config) { x.Density = density })
	case what == "user-rotation" || what == "set-user-rotation":
		if len(c.args) > 2 && c.args[1] == "lock" {
			return c.putSetting("system/user_rotation", c.args[2])
		}
		return c.putSetting("system/user_rotation", "0")
	}
	return c.refuse("wm " + strings.Join(c.args, " "))
}

// ParseSize reads the size of a display, such as 1080x2400.
func ParseSize(s string) (width, height int, err error) {
	w, h, _ := strings.Cut(s, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if err1 != nil || err2 != nil || min(width, height) < minSide || max(width, height) > maxSide {
		return 0, 0, fault.New(fault.Invalid, "read size", "%q is no size", s).
			WithHint("Give width and height in pixels, from %d to %d: 1080x2400.", minSide, maxSide)
	}
	return width, height, nil
}

// The bounds of a side of the display, in pixels.
const (
	minSide = 200
	maxSide = 8000
)

// The bounds of a density, in dots per inch.
const (
	minDensity = 72
	maxDensity = 1000
)

func checkDensity(n int) error {
	if n < minDensity || n > maxDensity {
		return fault.New(fault.Invalid, "read density", "%d is no density of a display", n).
			WithHint("Give dots per inch, from %d to %d.", minDensity, maxDensity)
	}
	return nil
}

func checkLocale(tag string) error {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	language, region, has := strings.Cut(tag, "-")
	if len(language) < 2 || len(language) > 3 || strings.Trim(language, letters) != "" ||
		has && (len(region) != 2 || strings.Trim(region, strings.ToUpper(letters)) != "") {
		return fault.New(fault.Invalid, "read locale", "%q is no language that the phone can have", tag).
			WithHint("Give a tag such as de or de-DE.")
	}
	return nil
}

// configure changes the configuration of the phone, and of the apps that run.
func (c *call) configure(change func(*config)) int {
	if err := c.Phone.configure(c, change); err != nil {
		return c.fail("Error: %v", err)
	}
	return 0
}

func (p *Phone) configure(ctx context.Context, change func(*config)) error {
	p.mu.Lock()
	change(&p.config)
	now := p.config
	all := p.processes()
	p.mu.Unlock()
	for _, own := range all {
		if _, err := own.ask(ctx, request{"do": "configure", "qualifiers": now.qualifiers(), "width": now.width(),
			"height": now.height(), "fontScale": now.FontScale}, nil); err != nil {
			return err
		}
	}
	return nil
}

// processes lists those that draw. The caller holds the lock.
func (p *Phone) processes() []*process {
	all := slices.Collect(maps.Values(p.running))
	if p.front != nil && p.front.dead {
		all = append(all, p.front)
	}
	return all
}
