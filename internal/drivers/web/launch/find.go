package launch

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// EnvBrowser names the environment variable that chooses the browser when no option does.
const EnvBrowser = "TRAILBLAZE_BROWSER"

// InstallHint is the advice to a user without a browser.
const InstallHint = "run `trailblaze browser install`, or point $" + EnvBrowser +
	" (or --browser) to a Chromium, Chrome or Edge"

// host holds the facts of a machine by which a browser is found; tests bring their own.
type host struct {
	os       string
	getenv   func(string) string
	lookPath func(string) (string, error)
	exists   func(string) bool
}

func thisHost() host {
	return host{
		os: runtime.GOOS, getenv: os.Getenv, lookPath: proc.LookPath,
		exists: func(p string) bool { fi, err := os.Stat(p); return err == nil && !fi.IsDir() },
	}
}

// Find returns the path of the browser to use: chosen when it is not "", else $TRAILBLAZE_BROWSER,
// else the first one on the PATH, else one in a well-known place.
func Find(chosen string) (string, error) { return thisHost().find(chosen) }

func (h host) find(chosen string) (string, error) {
	for _, c := range []struct{ from, value string }{{"--browser", chosen}, {"$" + EnvBrowser, h.getenv(EnvBrowser)}} {
		if c.value == "" {
			continue
		}
		if h.exists(c.value) {
			return c.value, nil
		}
		if p, err := h.lookPath(c.value); err == nil {
			return p, nil
		}
		return "", fault.New(fault.Unavailable, "find browser", "%s names %q, which is not there", c.from, c.value).
			WithHint("%s", InstallHint)
	}
	for _, name := range pathNames {
		if p, err := h.lookPath(name); err == nil {
			return p, nil
		}
	}
	for _, p := range h.wellKnown() {
		if h.exists(p) {
			return p, nil
		}
	}
	return "", fault.New(fault.Unavailable, "find browser", "no Chromium, Chrome or Edge on this machine").
		WithHint("%s", InstallHint)
}

// pathNames are the executables looked for on the PATH, most wanted first.
var pathNames = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell",
	"chrome-headless-shell", "microsoft-edge", "microsoft-edge-stable", "msedge",
}

func (h host) wellKnown() []string {
	switch h.os {
	case "darwin":
		return h.macPlaces()
	case "windows":
		return h.windowsPlaces()
	}
	return []string{
		"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/lib/chromium/chromium", "/snap/bin/chromium",
		"/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge",
		"/var/lib/flatpak/exports/bin/org.chromium.Chromium", "/run/current-system/sw/bin/chromium",
	}
}

func (h host) macPlaces() []string {
	apps := []string{
		"Chromium.app/Contents/MacOS/Chromium",
		"Google Chrome.app/Contents/MacOS/Google Chrome",
		"Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
		"Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	}
	var out []string
	for _, root := range []string{"/Applications", filepath.Join(h.getenv("HOME"), "Applications")} {
		for _, a := range apps {
			out = append(out, filepath.Join(root, a))
		}
	}
	return append(out, "/opt/homebrew/bin/chromium", "/usr/local/bin/chromium")
}

func (h host) windowsPlaces() []string {
	apps := []string{`Chromium\Application\chrome.exe`, `Google\Chrome\Application\chrome.exe`,
		`Microsoft\Edge\Application\msedge.exe`}
	var out []string
	for _, a := range apps {
		for _, env := range []string{"LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"} {
			if root := h.getenv(env); root != "" {
				out = append(out, root+`\`+a)
			}
		}
	}
	return out
}
