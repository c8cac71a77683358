package page

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type navigateIn struct {
	Action string `json:"action,omitempty" enum:"GOTO,BACK,FORWARD,RELOAD" default:"GOTO" jsonschema:"what to do"`
	URL    string `json:"url,omitempty" jsonschema:"with GOTO: where to; a path as above"`
	action.Expect
	action.Note
}

func webNavigate(root string) tool.Tool {
	return action.Define(web("web_navigate", "Navigate", tool.Action).With(tool.Facts{
		Default: 4, Purpose: tool.OpenPage, Effects: &tool.Effects{Opens: []string{"url"}}, Sentence: navigating,
		Occasion: tool.Anytime,
	}), func(ctx context.Context, env tool.Env, in navigateIn) (*tool.Result, error) {
		if in.Action != "GOTO" {
			return travel(ctx, env, driver.Navigation{Action: strings.ToLower(in.Action)}, in.Expect)
		}
		return open(ctx, env, root, in.URL, in.Expect)
	})
}

type urlIn struct {
	URL string `json:"url" minLength:"1" jsonschema:"where to"`
	action.Expect
	action.Note
}

// openURL is the phones' word for it.
func openURL(root string) tool.Tool {
	return action.Define(shared("openUrl", "Open URL", tool.Action, "core_interaction", "navigation").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "NAVIGATION", "MOBILE"}, Replaces: "web_navigate",
		Purpose: tool.OpenPage, Effects: &tool.Effects{Opens: []string{"url"}}, Sentence: navigating,
	}), openIn(root))
}

// navigate is the command of this name in the public tool list.
func navigate(root string) tool.Tool {
	s := web("navigate", "Navigate", tool.Action).With(tool.Facts{
		Effects: &tool.Effects{Opens: []string{"url"}}, Sentence: navigating,
	})
	s.ExposedToLLM, s.Groups = false, nil
	return action.Define(s, openIn(root))
}

func openIn(root string) func(context.Context, tool.Env, urlIn) (*tool.Result, error) {
	return func(ctx context.Context, env tool.Env, in urlIn) (*tool.Result, error) {
		return open(ctx, env, root, in.URL, in.Expect)
	}
}

// phone is a device that has an app open an address.
type phone interface {
	OpenURL(ctx context.Context, url string) (*driver.Effect, error)
}

// open loads a document, or has an app of a phone open an address.
func open(ctx context.Context, env tool.Env, root, where string, want action.Expect) (*tool.Result, error) {
	if p, ok := driver.As[phone](env.Device()); ok {
		effect, err := p.OpenURL(ctx, where)
		ev := &tool.Evidence{Effect: effect}
		if err != nil {
			return &tool.Result{Evidence: ev}, fault.Wrap(err, "", "open URL")
		}
		return action.Result("Opened "+where, want, ev), nil
	}
	nav, err := action.Capability[driver.Navigator](env, "navigate")
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(where) == "" {
		return nil, fault.New(fault.Invalid, "navigate", "no url given")
	}
	here, _ := nav.URL(ctx) // a navigation also leads out of a page that crashed, or opens a tab when there is none
	to, err := absolute(where, placesOf(ctx, env, here, root))
	if err != nil {
		return nil, err
	}
	return travel(ctx, env, driver.Navigation{URL: to}, want)
}

func travel(ctx context.Context, env tool.Env, n driver.Navigation, want action.Expect) (*tool.Result, error) {
	nav, err := action.Capability[driver.Navigator](env, "navigate")
	if err != nil {
		return nil, err
	}
	effect, err := nav.Navigate(ctx, n)
	ev := &tool.Evidence{Effect: effect, Expect: &tool.Expectation{URL: n.URL}}
	if err != nil {
		return &tool.Result{Evidence: ev}, fault.Wrap(err, "", "navigate")
	}
	did := map[string]string{"back": "Went back", "forward": "Went forward", "reload": "Reloaded the page"}[n.Action]
	if did == "" {
		did = "Opened " + n.URL
	}
	return action.Result(did, want, ev), nil
}

// places are the bases of a URL that is not whole.
type places struct {
	page  string // URL of the page that is open
	trail string // folder of the trail in which the call is written, "" when in none
	base  string // URL that the project declares
	root  string // the workspace
}

func placesOf(ctx context.Context, env tool.Env, page, root string) places {
	base, _ := env.Memory().Get("baseUrl")
	url, _ := base.(string)
	return places{page: page, trail: tool.Folder(ctx), base: url, root: root}
}

// absolute returns the URL that a caller means. Whole URLs stay. A path is a file that a trail finds beside itself, or
// else a path of the site that is open, or of the base URL; the name of a file below the workspace or the working
// directory is that file; host names get https, local ones http.
func absolute(where string, at places) (string, error) {
	where = strings.TrimSpace(where)
	path := where != "" && strings.IndexAny(where, "/?#.") == 0
	switch {
	case filepath.VolumeName(where) != "":
		return fileURL(where)
	case isURL(where):
		return where, nil
	case strings.HasPrefix(where, "//"):
		return "https:" + where, nil
	}
	if url, ok := localFile(at.trail, where); ok && !strings.HasPrefix(where, "/") {
		return url, nil
	}
	for _, site := range []string{at.page, at.base} {
		if path && driver.Origin(site) != "" {
			return relativeTo(site, where)
		}
	}
	for _, dir := range []string{at.root, "."} {
		if url, ok := localFile(dir, where); ok {
			return url, nil
		}
	}
	switch {
	case strings.HasPrefix(where, ".") || !host(where):
		return "", leadsNowhere(where, at)
	case local(where):
		return "http://" + where, nil
	}
	return "https://" + where, nil
}

func leadsNowhere(where string, at places) error {
	beside := ""
	if at.trail != "" {
		beside = " beside the trail, in " + at.trail
	}
	return fault.New(fault.Invalid, "read url",
		"%q is neither a URL, a host name, a path of the current page nor a file%s", where, beside).
		WithHint("Write the whole URL, such as https://example.test/page, or say where the app is: " +
			"trailblaze config set baseUrl URL, or --base-url of run.")
}

// localFile returns the URL of a file in a folder. The text after a "?" or "#" goes to the page in it.
func localFile(dir, where string) (string, bool) {
	if dir == "" || where == "" {
		return "", false
	}
	name, rest := where, ""
	if i := strings.IndexAny(where, "?#"); i >= 0 && !isFile(filepath.Join(dir, where)) {
		name, rest = where[:i], where[i:]
	}
	file := filepath.FromSlash(name)
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if name == "" || !isFile(file) {
		return "", false
	}
	url, err := fileURL(file)
	return url + rest, err == nil
}

// isURL reports whether the text is a URL with a scheme, and not a host with a port, such as localhost:8080.
func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Path != "" || u.Opaque != "" && !hostPort(s))
}

func relativeTo(here, where string) (string, error) {
	base, err := url.Parse(here)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, "read current URL")
	}
	ref, err := base.Parse(where)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, "read url")
	}
	return ref.String(), nil
}

// hostPort distinguishes "localhost:8080" from "mailto:…".
func hostPort(s string) bool {
	_, rest, ok := strings.Cut(s, ":")
	return ok && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

func host(s string) bool {
	name, _, _ := strings.Cut(s, "/")
	name, _, _ = strings.Cut(name, ":")
	return name == "localhost" || strings.Contains(name, ".") && !strings.ContainsAny(name, " \t")
}

func local(s string) bool {
	return strings.HasPrefix(s, "localhost") || strings.HasPrefix(s, "127.") || strings.HasPrefix(s, "0.0.0.0")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func fileURL(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, "read path")
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String(), nil
}

// navigating returns the sentence about a navigation.
func navigating(p tool.Phrase) string {
	switch strings.ToUpper(p.Text("action")) {
	case "BACK":
		return "Go back"
	case "FORWARD":
		return "Go forward"
	case "RELOAD":
		return "Reload the page"
	}
	return tool.Join("Open ", p.Plain("url"))
}
