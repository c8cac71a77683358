package setup

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/serve/mcpstdio"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

type mcpCmd struct {
	*shell.Shell
	settings    *pb.ClientSettings
	workspace   string
	headed      bool
	headless    bool
	printConfig string
	verbose     bool
}

// NewMCP makes the command trailblaze mcp.
func NewMCP(a *shell.Shell) *cobra.Command {
	c := &mcpCmd{Shell: a, settings: &pb.ClientSettings{}}
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve coding agents over MCP on stdin and stdout", GroupID: "drive",
		Long: mcpHelp,
		Example: `  claude mcp add trailblaze -- trailblaze mcp
  trailblaze mcp --print-config vscode
  trailblaze mcp --headed --device web/checkout
  trailblaze mcp --categories CORE_INTERACTION,VERIFICATION,TABS`,
		Args: shell.Exactly(0, "no arguments"),
		RunE: shell.Work(c.Run),
	}
	f := cmd.Flags()
	f.StringVar(&c.settings.Device, "device", "",
		"device to begin with: web, or a browser of one's own such as web/checkout")
	f.StringVar(&c.workspace, "workspace", "",
		"folder of the project (default: the working directory); files and trails stay below it")
	f.StringSliceVar(&c.settings.Categories, "categories", nil,
		"tool categories to begin with, such as CORE_INTERACTION,VERIFICATION or ALL")
	f.StringVar(&c.settings.Preset, "tools", "", "preset of tools to begin with: minimal, standard or testing")
	f.StringVar(&c.settings.Mode, "mode", "", "who thinks: MCP_CLIENT_AS_AGENT (default) or a mode that needs a model")
	f.BoolVar(&c.headless, "headless", true, "run the browser without a window")
	f.BoolVar(&c.headed, "headed", false, "show the browser's window")
	f.BoolVar(&c.verbose, "verbose", false, "log to stderr instead of the log file")
	f.StringVar(&c.printConfig, "print-config", "",
		"print what to put where for `client` (json, claude, cursor, vscode, codex, gemini, goose), then exit")
	var modes []string
	for _, m := range toolset.Modes() {
		modes = append(modes, string(m))
	}
	shell.Offer(cmd, "mode", modes...)
	shell.Offer(cmd, "tools", "minimal", "standard", "testing")
	shell.Exclusive(cmd, [2]string{"headless", "headed"}, [2]string{"categories", "tools"})
	pre := cmd.PreRun
	cmd.PreRun = func(cmd *cobra.Command, args []string) {
		switch {
		case cmd.Flags().Changed("headed"):
			c.headless = !c.headed
			c.settings.Headless = &c.headless
		case cmd.Flags().Changed("headless"):
			c.settings.Headless = &c.headless
		}
		if pre != nil {
			pre(cmd, args)
		}
	}
	return cmd
}

// Run serves the client until it ends.
func (c *mcpCmd) Run(ctx context.Context, _ []string) error {
	if c.printConfig != "" {
		return c.showConfig(c.printConfig)
	}
	if c.Ask {
		c.Errorf("trailblaze mcp talks JSON-RPC with a coding agent; it is waiting for one on stdin. " +
			"See trailblaze mcp --help.\n")
	}
	dir, err := c.workspaceDir()
	if err != nil {
		return err
	}
	home, err := homedir.Of(c.Env)
	if err != nil {
		return err
	}
	cfg, err := config.Load(config.Sources{Dir: home, Env: c.Env})
	if err != nil {
		return err
	}
	secrets, err := c.ClientSecrets(dir)
	if err != nil {
		return err
	}
	out, err := mcpstdio.Seize()
	if err != nil {
		return err
	}
	log := c.frontLog(home)
	err = mcpstdio.Serve(ctx, mcpstdio.Options{
		In: c.In, Out: out, Log: log, Version: shell.Version,
		AnswerTimeout: cfg.Duration("answer-timeout"),
		Dialer:        &frontDialer{home: home, env: c.DaemonEnv(), log: log},
		Client: &pb.OpenClientRequest{Workspace: dir, Settings: c.settings, Secrets: secrets,
			ModelKeys: c.ModelKeys(dir, "")},
		First: func() (mcpstdio.Lister, error) {
			s := &app.Server{Home: home, Version: shell.Version, Env: c.Env}
			return s.Lister(dir, c.settings.GetDevice())
		},
	})
	if err != nil {
		log.Warn("the client reads no more", "error", err)
	}
	return nil // the client ended, one way or another
}

// workspaceDir returns the root of the client's project: the given one, or the one found from where the client started
// us.
func (c *mcpCmd) workspaceDir() (string, error) {
	dir, err := c.WorkingDir()
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	if c.workspace == "" {
		return config.WorkspaceOf(dir, c.Env), nil
	}
	if filepath.IsAbs(c.workspace) {
		dir = filepath.Clean(c.workspace)
	} else {
		dir = filepath.Join(dir, c.workspace)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fault.New(fault.NotFound, "find workspace", "%s is not a folder", dir).
			WithHint("Name the project's folder with --workspace, absolute or relative to the working directory.")
	}
	return dir, nil
}

// frontLog returns the log of a front: on stderr clients show it to people, so only when asked.
func (c *mcpCmd) frontLog(home string) *slog.Logger {
	if c.verbose {
		return slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return slog.New(slog.NewTextHandler(&lazyFile{path: filepath.Join(home, "run", "mcp.log")}, nil)).
		With("front", os.Getpid())
}

// lazyFile is opened with the first write, and begins anew when it has grown large. A failed write is not reported:
// there is no place left for it.
type lazyFile struct {
	path string
	f    *os.File
}

const largeLog = 1 << 20

func (l *lazyFile) Write(p []byte) (int, error) {
	if l.f == nil {
		_ = os.MkdirAll(filepath.Dir(l.path), 0o700)
		flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
		if info, err := os.Stat(l.path); err == nil && info.Size() > largeLog {
			flags |= os.O_TRUNC
		}
		f, err := os.OpenFile(l.path, flags, 0o600)
		if err != nil {
			return 0, err
		}
		l.f = f
	}
	return l.f.Write(p)
}

// showConfig prints the set-up of a client.
func (c *mcpCmd) showConfig(client string) error {
	text, ok := mcpConfigs[strings.ToLower(client)]
	if !ok {
		return fault.New(fault.Invalid, "print config", "no client %q", client).
			WithHint("There are %s.", strings.Join(mcpClients, ", "))
	}
	c.Printf("%s", text)
	return nil
}
