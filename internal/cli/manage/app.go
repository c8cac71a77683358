package manage

import (
	"context"
	"net/url"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/cli/drive"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon"
)

// appCmd holds the options of the command app.
type appCmd struct {
	drive.Command
	noOpen bool
}

// NewApp makes the command trailblaze app.
func NewApp(a *shell.Shell) *cobra.Command {
	c := &appCmd{Command: drive.Command{Shell: a}}
	cmd := &cobra.Command{
		Use: "app", Short: "Open the viewer in your browser: sessions, devices and trails", GroupID: "results",
		Long: `Open the viewer in your browser. It shows the sessions that run and those that are kept, and starts the
daemon when there is none. The address holds a code that signs one page in, once and within a minute; the page
stays signed in for 12 hours.`,
		Example: "  trailblaze app\n  trailblaze app --no-open", Args: shell.Exactly(0, "no arguments"),
		RunE: shell.Work(c.Run),
	}
	cmd.Flags().BoolVar(&c.noOpen, "no-open", false, "print the address and open nothing")
	return cmd
}

// appDoc is the output of app.
type appDoc struct {
	Schema string `json:"schema"`
	URL    string `json:"url"`
	Opened bool   `json:"opened"`
}

// Run signs a page in.
func (c *appCmd) Run(ctx context.Context, _ []string) error {
	if err := c.Locate(); err != nil {
		return err
	}
	to, err := c.Link(ctx, true)
	if err != nil {
		return err
	}
	address, err := to.TCP()
	if err != nil {
		return err
	}
	var code daemon.AppCode
	if err := to.Post(ctx, "/v1/app?"+url.Values{"workspace": {c.Workspace}}.Encode(), &code); err != nil {
		return err
	}
	doc := appDoc{Schema: "trailblaze.app/1", URL: address + code.Path}
	if !c.noOpen {
		path, args := opener(runtime.GOOS, doc.URL)
		err := proc.Run(ctx, proc.Spec{Path: path, Args: args})
		doc.Opened = err == nil
		if err != nil {
			c.Warn("no browser could be opened (%v); open the address yourself", err)
		}
	}
	switch {
	case c.JSON:
		return c.PrintJSON(doc)
	case doc.Opened:
		c.Printf("Opened the viewer at %s/app/\n", address)
	default:
		c.Printf("%s\n", doc.URL)
	}
	return nil
}

// opener is the program of a system that opens an address in the person's browser.
func opener(system, address string) (path string, args []string) {
	switch system {
	case "darwin":
		return "open", []string{address}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", address}
	default:
		return "xdg-open", []string{address}
	}
}
