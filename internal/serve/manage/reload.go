package manage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// reloadTime limits the time for reading the tools again: a server may have to start.
const reloadTime = time.Minute

func (d *manager) sources() []tool.Tool {
	return []tool.Tool{
		tool.Define(lasting(spec(ReloadTools, "Reload tools", tool.Action, "custom"), reloadTime).With(tool.Facts{
			Categories: []string{"AUTHORING"}, Idempotent: true,
		}), d.reloadTools),
	}
}

type reloadOut struct {
	Added    []string `json:"added" jsonschema:"names of the tools that are new"`
	Removed  []string `json:"removed" jsonschema:"names of the tools that have gone"`
	Total    int      `json:"total" jsonschema:"how many tools there are now"`
	Warnings []string `json:"warnings,omitempty" jsonschema:"which tools are left out and why, and what is odd about a source"`
}

// Text implements tool.Texter.
func (o reloadOut) Text() string {
	lines := []string{fmt.Sprintf("%s added, %d removed, %d in total.", phrase.Count(len(o.Added), "tool"),
		len(o.Removed), o.Total)}
	if len(o.Added) > 0 {
		lines = append(lines, "added: "+strings.Join(o.Added, ", "))
	}
	if len(o.Removed) > 0 {
		lines = append(lines, "removed: "+strings.Join(o.Removed, ", "))
	}
	return strings.Join(append(lines, o.Warnings...), "\n")
}

// reloadTools reads the tools of the client's workspace again.
func (d *manager) reloadTools(ctx context.Context, _ tool.Env, _ noArgs) (reloadOut, error) {
	c, err := callerOf(ctx)
	if err != nil {
		return reloadOut{}, err
	}
	r, err := d.hub.ReloadTools(ctx, c)
	if err != nil {
		return reloadOut{}, err
	}
	out := reloadOut{Added: append([]string{}, r.Added...), Removed: append([]string{}, r.Removed...), Total: r.Total}
	for _, p := range r.LeftOut {
		out.Warnings = append(out.Warnings, p.Line())
	}
	return out, nil
}
