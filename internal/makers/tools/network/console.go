package network

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type consoleIn struct {
	Level string `json:"level,omitempty" enum:"all,warning,error" default:"all" jsonschema:"warning: warnings and worse; error: errors, uncaught exceptions and failed requests only"`
	Since uint64 `json:"since,omitempty" jsonschema:"only messages after this sequence number"`
	Limit int    `json:"limit,omitempty" minimum:"1" default:"50" jsonschema:"the newest so many"`
	action.Note
}

type consoleOut struct {
	Messages []driver.ConsoleMessage `json:"messages"`
	Omitted  int                     `json:"omitted,omitempty" jsonschema:"older matches that the limit, or the size of a reply, left out"`
}

// Text implements tool.Texter.
func (o consoleOut) Text() string {
	var b strings.Builder
	b.WriteString(omission(o.Omitted, "message", "level"))
	for _, m := range o.Messages {
		fmt.Fprintf(&b, "#%d %s: %s", m.Seq, m.Level, m.Text)
		if m.Source != "" {
			fmt.Fprintf(&b, " (%s)", m.Source)
		}
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return "The console shows nothing of the kind."
	}
	return strings.TrimRight(b.String(), "\n")
}

func webConsole() tool.Tool {
	return tool.Define(devtools("web_console", "Read console", tool.Query),
		func(ctx context.Context, env tool.Env, in consoleIn) (out consoleOut, err error) {
			out.Messages, out.Omitted, err = lately(env, "read console", in.Limit,
				func(c driver.Console) ([]driver.ConsoleMessage, error) { return c.ConsoleMessages(ctx, in.Since) },
				func(m driver.ConsoleMessage) bool { return severity(m.Level) >= severity(in.Level) })
			return out, err
		})
}

func severity(level string) int {
	switch {
	case driver.ConsoleMessage{Level: level}.Failure():
		return 2
	case level == "warning":
		return 1
	}
	return 0
}
