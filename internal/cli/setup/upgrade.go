package setup

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// upgradeCmd makes the only request that the program sends to its makers, and only when --check asks for it.
type upgradeCmd struct {
	*shell.Shell
	cfg   *config.Config
	check bool
}

type upgradeDoc struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
	Newest  string `json:"newest"`
	Newer   *bool  `json:"newer,omitempty"` // absent when this build is no release
	Command string `json:"command,omitempty"`
}

const (
	checkTime  = 10 * time.Second
	checkBytes = 1 << 20
)

// NewUpgrade makes the command trailblaze upgrade.
func NewUpgrade(a *shell.Shell) *cobra.Command {
	c := &upgradeCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "upgrade --check", Short: "Ask whether there is a newer release", GroupID: "setup",
		Long: `Ask whether there is a newer release, and say how to install it. Nothing is replaced.

This is the only command that asks for releases, and it asks only with --check. The request has no version and no name
of this machine in it. The setting releases, or $TRAILBLAZE_RELEASES, names another address; it answers with JSON that
has the version as "tag_name".`,
		Example: "  trailblaze upgrade --check\n  trailblaze upgrade --check --json",
		Args:    shell.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&c.check, "check", false, "send the request")
	cmd.Flags().String("releases", "", "`URL` to ask; default: the setting")
	return cmd
}

// Run asks for the newest release and compares it with this build.
func (c *upgradeCmd) Run(ctx context.Context, _ []string) error {
	if !c.check {
		return fault.New(fault.Invalid, "upgrade", "--check is missing, and nothing is asked without it").
			WithHint("trailblaze upgrade --check asks %s for the newest release. To install it: %s",
				c.cfg.String("releases"), upgradeCommand())
	}
	newest, err := newestRelease(ctx, c.cfg.String("releases"))
	if err != nil {
		return err
	}
	own := shell.BuildVersion().Version
	doc := upgradeDoc{Schema: "trailblaze.upgrade/1", Version: own, Newest: newest}
	if v, ok := numbers(own); ok {
		n, _ := numbers(newest)
		newer := v.before(n)
		if doc.Newer = &newer; newer {
			doc.Command = upgradeCommand()
		}
	}
	switch {
	case c.JSON:
		return c.PrintJSON(doc)
	case doc.Newer == nil:
		c.Printf("The newest release is %s. This build, %s, is no release.\n", newest, own)
	case *doc.Newer:
		c.Printf("Release %s is newer than this one, %s. To install it:\n  %s\n", newest, own, doc.Command)
	default:
		c.Printf("This is the newest release, %s.\n", own)
	}
	return nil
}

// newestRelease asks a URL for the version of the newest release.
func newestRelease(ctx context.Context, url string) (string, error) {
	const op = "ask for the newest release"
	const hint = "Look at the address: the setting releases, or $TRAILBLAZE_RELEASES. Nothing else needs this answer."
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", fault.New(fault.Invalid, op, "%w", err).WithHint(hint)
	}
	req.Header.Set("User-Agent", "trailblaze")
	req.Header.Set("Accept", "application/json")
	res, err := http.DefaultClient.Do(req) // it goes through the proxy that the environment names
	if err != nil {
		return "", fault.New(fault.Unavailable, op, "%w", err).WithHint(hint)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return "", fault.New(fault.Unavailable, op, "%s answered %s", url, res.Status).WithHint(hint)
	}
	var said struct {
		Tag string `json:"tag_name"`
	}
	err = json.NewDecoder(io.LimitReader(res.Body, checkBytes)).Decode(&said)
	if _, ok := numbers(said.Tag); err != nil || !ok {
		return "", fault.New(fault.Unavailable, op, "%s named no version in tag_name", url).WithHint(hint)
	}
	return strings.TrimPrefix(said.Tag, "v"), nil
}

// release is a version as it is ordered: a prerelease comes before the release of its numbers.
type release struct {
	numbers [3]int
	final   bool
}

var (
	released  = regex.Lazy(`^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]{1,64})?$`)
	described = regex.Lazy(`-\d+-g[0-9a-f]+|-dirty$|-\d{14}-[0-9a-f]{12}$`)
)

// numbers reads a version. A version that git describes, such as 0.1.0-4-gabc, is no release.
func numbers(version string) (release, bool) {
	m := released().FindStringSubmatch(version)
	if m == nil || described().MatchString(version) {
		return release{}, false
	}
	r := release{final: m[4] == ""}
	for i := range r.numbers {
		r.numbers[i], _ = strconv.Atoi(m[i+1])
	}
	return r, true
}

func (r release) before(other release) bool {
	for i, n := range r.numbers {
		if n != other.numbers[i] {
			return n < other.numbers[i]
		}
	}
	return !r.final && other.final
}

// upgradeCommand returns the command that replaces this program, by the folder that it was installed into.
func upgradeCommand() string {
	path, err := os.Executable()
	if err != nil {
		return "see docs/install.md"
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return upgradeOf(runtime.GOOS, filepath.ToSlash(path))
}

// upgradeOf returns the command for a program at a path, whose separators are slashes.
func upgradeOf(system, path string) string {
	switch {
	case strings.Contains(path, "/node_modules/"):
		return "npm install trailblaze@latest (with -g if it is a global one)"
	case strings.Contains(path, "/Cellar/"):
		return "brew upgrade trailblaze"
	case system == "linux" && path == "/usr/bin/trailblaze":
		return "apt-get install ./trailblaze_VERSION_ARCH.deb (of the new release)"
	case strings.HasSuffix(filepath.ToSlash(filepath.Dir(path)), "/go/bin"):
		return "go install github.com/trailblaze-dev/trailblaze/cmd/trailblaze@latest"
	case isVenv(path):
		return "pip install --upgrade trailblaze-cli"
	}
	return "unpack the archive of the new release over " + path
}

// isVenv reports whether a program is one of a virtual environment of Python.
func isVenv(path string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(path)), "pyvenv.cfg"))
	return err == nil
}
