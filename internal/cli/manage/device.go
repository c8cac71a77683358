package manage

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/cli/drive"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
)

// deviceCmd are the options of the device commands.
type deviceCmd struct {
	drive.Command
	all         bool
	headed      bool
	headless    bool
	viewport    string
	emulate     string
	profile     string
	state       string
	permissions []string
	geolocation string
	instance    string
	requires    []string
	limit       time.Duration
	within      time.Duration
}

// NewDevice makes the command trailblaze device.
func NewDevice(a *shell.Shell) *cobra.Command {
	c := &deviceCmd{Command: drive.Command{Shell: a}}
	list := &cobra.Command{
		Use: "list", Short: "List the devices that are open, who uses them, and what could be connected",
		Example: "  trailblaze device list\n  trailblaze device list --all --json", Args: shell.Exactly(0, "no arguments"),
		RunE: shell.Work(c.list),
	}
	list.Flags().BoolVar(&c.all, "all", false, "with what is not connected, and more of each")
	connect := &cobra.Command{
		Use: "connect <device>", Short: "Open a device and let this terminal's commands act on it",
		Long: `Open a device, unless it is open, and let the commands of this terminal act on it. A browser has a name
of its own, such as web/checkout: another name is another browser, with its own cookies. What is chosen here
yields to --device and to $TRAILBLAZE_DEVICE. Commands that have no terminal (a coding agent's) share one choice
in each workspace; with TRAILBLAZE_SESSION=<any word> they have one of their own.`,
		Example: "  trailblaze device connect web/checkout\n  trailblaze device connect web --headed",
		Args:    shell.Exactly(1, "one device"), RunE: shell.Work(c.connect), ValidArgsFunction: c.CompleteLive,
	}
	reserve := &cobra.Command{
		Use: "reserve <device>", Short: "Have a device alone: wait for one that fits, and open it",
		Long: `Wait for a device that fits, open it and let the commands of this terminal act on it. Calls of others
there are refused until it is disconnected, or no command has used it for --limit. android/* stands for the
phones that are connected; web is a browser of its own, which is there at once. Who asks for many devices waits
longer for the next than who asks for one.`,
		Example: "  trailblaze device reserve 'android/*' --requires 'api>=30' --within 5m\n" +
			"  trailblaze device reserve web --limit 1h",
		Args: shell.Exactly(1, "one device"), RunE: shell.Work(c.reserve), ValidArgsFunction: c.CompleteLive,
	}
	reserve.Flags().StringSliceVar(&c.requires, "requires", nil,
		"what the device must have: api, width or height (`comparisons` such as api>=30, separated by commas)")
	reserve.Flags().DurationVar(&c.limit, "limit", 10*time.Minute,
		"give it back after this `time` without a command, at most 1h")
	reserve.Flags().DurationVar(&c.within, "within", 30*time.Second,
		"wait so `long` while others have all that fit, at most 10m")
	disconnect := &cobra.Command{
		Use: "disconnect [device]", Short: "Close a device; its session ends and can still be saved",
		Example: "  trailblaze device disconnect web/checkout\n  trailblaze device disconnect          # this terminal's",
		Args:    shell.AtMost(1, "at most one device"), RunE: shell.Work(c.disconnect), ValidArgsFunction: c.CompleteLive,
	}
	info := &cobra.Command{
		Use: "info [device]", Short: "Show a device: its state, screen, system and session",
		Example: "  trailblaze device info android\n  trailblaze device info --json          # this terminal's",
		Args:    shell.AtMost(1, "at most one device"), RunE: shell.Work(c.info), ValidArgsFunction: c.CompleteLive,
	}
	web := &cobra.Command{
		Use: "web", Short: "Open a browser beside those that are open",
		Example: `  trailblaze device create web
  trailblaze device create web --instance-id checkout --emulate "iPhone 14" --headed
  trailblaze device create web --profile admin --viewport 1440x900
  trailblaze device create web --storage-state login.json`,
		Args: shell.Exactly(0, "no arguments"), RunE: shell.Work(c.create),
	}
	web.Flags().StringVar(&c.instance, "instance-id", "", "`name` of the browser; checkout becomes web/checkout")
	for _, cmd := range []*cobra.Command{connect, web} {
		f := cmd.Flags()
		f.BoolVar(&c.headed, "headed", false, "show the browser's window")
		f.BoolVar(&c.headless, "headless", false, "run the browser without a window")
		f.StringVar(&c.viewport, "viewport", "", "`size` of the page, such as 1280x800")
		f.StringVar(&c.emulate, "emulate", "", "behave like this `device`, such as \"iPhone 14\"")
		f.StringVar(&c.profile, "profile", "", "use the kept browser profile of this `name`")
		f.StringSliceVar(&c.permissions, "permission", nil,
			"let pages do this: clipboard-read, geolocation, … (`names`, separated by commas)")
		f.StringVar(&c.geolocation, "geolocation", "", "tell pages to be at this `place`, such as 52.52,13.40")
		f.StringVar(&c.state, "storage-state", "", "begin with the login state in this `file` of the workspace")
		shell.Exclusive(cmd, [2]string{"headed", "headless"}, [2]string{"profile", "storage-state"})
	}
	create := shell.Parent("create", "Open a new device", "", web)
	return shell.Parent("device", "List, connect and create devices", "drive",
		list, connect, reserve, info, disconnect, create)
}

// deviceLine is a device in the output of the device tool.
type deviceLine struct {
	ID         string `json:"id"`
	Platform   string `json:"platform,omitempty"`
	State      string `json:"state"`
	Yours      bool   `json:"yours,omitempty"`
	Holder     string `json:"holder,omitempty"`
	Running    string `json:"running,omitempty"`
	Reserved   string `json:"reserved,omitempty"`
	Quarantine string `json:"quarantine,omitempty"`
	URL        string `json:"url,omitempty"`
	Session    string `json:"session,omitempty"`
	Actions    int    `json:"actions,omitempty"`
	Size       string `json:"size,omitempty"`
	Version    string `json:"version,omitempty"`
	Workspace  string `json:"workspace,omitempty"`
}

type devicesDoc struct {
	Schema  string       `json:"schema"`
	Devices []deviceLine `json:"devices"`
	Done    string       `json:"done,omitempty"`
}

func (c *deviceCmd) list(ctx context.Context, _ []string) error {
	detail := "SUMMARY"
	if c.all {
		detail = "FULL"
	}
	return c.ask(ctx, map[string]any{"action": "LIST", "detail": detail})
}

func (c *deviceCmd) connect(ctx context.Context, args []string) error {
	m, err := c.request("CONNECT", args[0])
	if err != nil {
		return err
	}
	return c.ask(ctx, m)
}

func (c *deviceCmd) reserve(ctx context.Context, args []string) error {
	c.Announce = true
	return c.ask(ctx, map[string]any{
		"action": "RESERVE", "deviceId": c.Named(args[0]), "requires": c.requires,
		"limitMs": c.limit.Milliseconds(), "timeoutMs": c.within.Milliseconds(),
	})
}

func (c *deviceCmd) create(ctx context.Context, _ []string) error {
	id := c.instance
	if id != "" && id != string(driver.WebPlatform) && !strings.HasPrefix(id, string(driver.WebPlatform)+"/") {
		id = string(driver.WebPlatform) + "/" + id
	}
	m, err := c.request("CREATE_WEB", id)
	if err != nil {
		return err
	}
	return c.ask(ctx, m)
}

func (c *deviceCmd) info(ctx context.Context, args []string) error {
	c.all = true // also one that could be connected
	return c.ask(ctx, map[string]any{"action": "INFO", "deviceId": c.Named(strings.Join(args, ""))})
}

func (c *deviceCmd) disconnect(ctx context.Context, args []string) error {
	id := ""
	if len(args) > 0 {
		id = c.Named(args[0])
	}
	return c.ask(ctx, map[string]any{"action": "DISCONNECT", "deviceId": id})
}

// request asks for a device that is like the flags.
func (c *deviceCmd) request(action, id string) (map[string]any, error) {
	m := map[string]any{
		"action": action, "deviceId": c.Named(id), "viewport": c.viewport, "emulate": c.emulate, "profile": c.profile,
		"geolocation": c.geolocation,
	}
	if len(c.permissions) > 0 {
		m["permissions"] = c.permissions
	}
	if c.headed || c.headless {
		headless := c.headless
		m["headless"] = &headless
	}
	if c.state != "" {
		path, err := c.Absolute(c.state)
		if err != nil {
			return nil, err
		}
		m["storageState"] = path
	}
	return m, nil
}

func (c *deviceCmd) ask(ctx context.Context, args map[string]any) error {
	doc := devicesDoc{Schema: "trailblaze.devices/1", Devices: []deviceLine{}}
	if _, err := c.Manage(ctx, manage.Device, args, &doc); err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	if doc.Done != "" {
		c.Printf("%s\n", doc.Done)
		return nil
	}
	st := c.Style()
	name := 0
	for _, d := range doc.Devices {
		name = max(name, len(d.ID))
	}
	shown := 0
	for _, d := range doc.Devices {
		if d.State == "available" && !c.all {
			continue
		}
		shown++
		c.Printf("%s %s%s  %s%s\n", cmp.Or(shell.Mark(d.Yours, "*"), " "), st.Bold(d.ID),
			strings.Repeat(" ", name-len(d.ID)), d.State, st.Dim(d.details()))
	}
	if shown == 0 {
		c.Printf("No device is connected. The first trailblaze tool opens a browser; " +
			"trailblaze device connect web does so now.\n")
	}
	return nil
}

func (d deviceLine) details() string {
	var parts []string
	add := func(label, v string) {
		if v != "" {
			parts = append(parts, label+v)
		}
	}
	add("", d.URL)
	add("", d.Size)
	add("", d.Version)
	add("runs ", d.Running)
	add("used by ", d.Holder)
	add("reserved by ", d.Reserved)
	add("", d.Quarantine)
	add("session ", d.Session)
	add("in ", d.Workspace)
	if len(parts) == 0 {
		return ""
	}
	return "  " + strings.Join(parts, ", ")
}
