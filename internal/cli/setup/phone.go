package setup

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/phone"
)

type phoneCmd struct {
	*shell.Shell
	options phone.Options
	size    string
}

type phoneDoc struct {
	Schema  string `json:"schema"`
	Address string `json:"address"`
}

// NewPhone makes the command trailblaze phone.
func NewPhone(a *shell.Shell) *cobra.Command {
	c := &phoneCmd{Shell: a}
	start := &cobra.Command{
		Use: "start", Short: "Start a phone and keep it until interrupted", Args: shell.Exactly(0, "no arguments"),
		Long: `Start a phone to test on, and keep it until interrupted: a real app on real Android framework code behind real
adb; it is not a real operating system. The app runs on Robolectric in a process of Java, and adb finds the phone
at the address that is printed. docs/phone.md says what is real in it, and what is not.

It needs a JDK (17 or newer; 21 for --api 36). The first start downloads 730 MB from Maven Central, each file held to a
pinned SHA-256.`,
		Example: "  trailblaze phone start --apk ApiDemos-debug.apk\n  adb connect 127.0.0.1:PORT",
		RunE:    shell.Work(c.start),
	}
	f := start.Flags()
	f.StringArrayVar(&c.options.APKs, "apk", nil, "install the app in `file`; the first one is started; may be repeated")
	f.StringVar(&c.size, "size", "1080x2400", "size of the display, as `WxH` pixels")
	f.IntVar(&c.options.Density, "density", 420, "pixels per inch")
	f.IntVar(&c.options.API, "api", 35, "`level` of Android's API: 34, 35 or 36")
	f.StringVar(&c.options.Locale, "locale", "en-US", "language, as a `tag`")
	f.IntVar(&c.options.Port, "port", 0, "port of 127.0.0.1 for adb; 0 is any free one")
	f.StringArrayVar(&c.options.Keys, "key", nil, "let in hosts with a key in `file` too; may be repeated")
	f.BoolVar(&c.options.Open, "open", false, "let in every host, also those of other users of this machine")
	return shell.Parent("phone", "Start a phone to test on", "setup", start)
}

func (c *phoneCmd) start(ctx context.Context, _ []string) error {
	var err error
	if c.options.Width, c.options.Height, err = phone.ParseSize(c.size); err != nil {
		return err
	}
	c.options.Say = func(format string, args ...any) { c.Errorf(format+"\n", args...) }
	p, err := phone.Start(ctx, c.options)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	if c.JSON {
		if err := c.PrintJSON(phoneDoc{Schema: "trailblaze.phone/1", Address: p.Addr()}); err != nil {
			return err
		}
	} else {
		c.Printf("The phone is on — press Ctrl+C to end it.\n\n  adb connect %s\n", p.Addr())
	}
	<-ctx.Done()
	return nil
}
