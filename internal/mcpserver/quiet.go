package mcpserver

import (
	"context"
	"log/slog"
)

// quiet passes on warnings and errors only: the SDK tells of every request that comes and goes, and without sessions that is
// several lines for each.
type quiet struct{ slog.Handler }

var _ slog.Handler = quiet{}

// Enabled implements slog.Handler.
func (q quiet) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && q.Handler.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

// WithGroup implements slog.Handler.
func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }
