package page

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/tools/perform"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type navigateIn struct {
	Action string `json:"action,omitempty" enum:"GOTO,BACK,FORWARD,RELOAD" default:"GOTO" jsonschema:"what to do"`
	URL    string `json:"url,omitempty" jsonschema:"with GOTO: where to; a path is taken relative to the current page, or names a local file"`
	perform.Expect
	perform.Note
}

func webNavigate(root string) tool.Tool {
	return perform.Define(web("web_navigate", "Navigate", tool.Action), func(ctx context.Context, env tool.Env, in navigateIn) (*tool.Result, error) {
		if in.Action != "GOTO" {
			return travel(ctx, env, driver.Navigation{Action: strings.ToLower(in.Action)}, in.Expect)
		}
		return open(ctx, env, root, in.URL, in.Expect)
	})
}

type urlIn struct {
	URL string `json:"url" minLength:"1" jsonschema:"where to"`
	perform.Expect
	perform.Note
}

// openURL is the phones' word for it.
func openURL(root string) tool.Tool {
	return perform.Define(shared("openUrl", "Open URL", tool.Action, "core_interaction", "navigation"), openIn(root))
}

// navigate is the command of the founding documents (R35).
func navigate(root string) tool.Tool {
	s := web("navigate", "Navigate", tool.Action)
	s.ExposedToLLM, s.Groups = false, nil
	return perform.Define(s, openIn(root))
}

func openIn(root string) func(context.Context, tool.Env, urlIn) (*tool.Result, error) {
	return func(ctx context.Context, env tool.Env, in urlIn) (*tool.Result, error) {
		return open(ctx, env, root, in.URL, in.Expect)
	}
}

// open loads a document.
func open(ctx context.Context, env tool.Env, root, where string, want perform.Expect) (*tool.Result, error) {
	nav, err := capability[driver.Navigator](env, "navigate")
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(where) == "" {
		return nil, fault.New(fault.Invalid, "navigate", "no url given")
	}
	here, err := nav.URL(ctx)
	if err != nil {
		return nil, fault.Wrap(err, "", "read current URL")
	}
	to, err := absolute(where, here, root)
	if err != nil {
		return nil, err
	}
	return travel(ctx, env, driver.Navigation{URL: to}, want)
}

func travel(ctx context.Context, env tool.Env, n driver.Navigation, want perform.Expect) (*tool.Result, error) {
	nav, err := capability[driver.Navigator](env, "navigate")
	if err != nil {
		return nil, err
	}
	effect, err := nav.Navigate(ctx, n)
	ev := &tool.Evidence{Effect: effect}
	if err != nil {
		return &tool.Result{Evidence: ev}, fault.Wrap(err, "", "navigate")
	}
	did := map[string]string{"back": "Went back", "forward": "Went forward", "reload": "Reloaded the page"}[n.Action]
	if did == "" {
		did = "Opened " + n.URL
	}
	return perform.Told(did, want, ev), nil
}

// absolute is the URL that a caller means. Whole URLs stay; on a web page a path is a path of its site; what names a
// file below root or the working directory is that file; host names get https, local ones http.
func absolute(where, here, root string) (string, error) {
	where = strings.TrimSpace(where)
	switch {
	case filepath.VolumeName(where) != "":
		return fileURL(where)
	case whole(where):
		return where, nil
	case strings.HasPrefix(where, "//"):
		return "https:" + where, nil
	case driver.Origin(here) != "" && strings.IndexAny(where, "/?#.") == 0:
		return relativeTo(here, where)
	}
	for _, path := range []string{filepath.Join(root, where), where} {
		if isFile(path) {
			return fileURL(path)
		}
	}
	switch {
	case !host(where):
		return "", fault.New(fault.Invalid, "read url", "%q is neither a URL, a host name, a path of the current page nor a file", where).
			WithHint("Write the whole URL, such as https://example.test/page.")
	case local(where):
		return "http://" + where, nil
	}
	return "https://" + where, nil
}

// whole reports whether the text is a URL with a scheme, and not a host with a port, such as localhost:8080.
func whole(s string) bool {
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

// hostPort tells "localhost:8080" from "mailto:somebody".
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
