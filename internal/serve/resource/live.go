package resource

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// readSnapshot captures a device's screen now. The device must be open: reading a resource opens no
// browser.
func (r *Reader) readSnapshot(ctx context.Context, at address) (*Content, error) {
	id := at.from(1)
	for _, d := range r.Hub.Devices(ctx) {
		if d.ID != id || d.State != devices.StateOpen {
			continue
		}
		res, err := r.ask(ctx, tool.TakeSnapshot, driver.Platform(cmp.Or(d.Platform, string(driver.WebPlatform))),
			nil, calls.Request{Device: id})
		if err != nil {
			return nil, err
		}
		return asText(observe.MarkUntrusted(res.Text())), nil
	}
	return nil, fault.New(fault.NotFound, "read snapshot", "no open device %q", id)
}

// ask calls the tool that serves a purpose, for a resource.
func (r *Reader) ask(
	ctx context.Context, p tool.Purpose, on driver.Platform, args json.RawMessage, q calls.Request,
) (*tool.Result, error) {
	q.Call, q.From = tool.Call{Name: r.Hub.Tools(r.Client).Call(p, on), Args: args}, dispatch.MCP
	reply, err := r.Hub.Do(ctx, r.Client, q)
	if err != nil {
		return nil, err
	}
	return reply.Result, reply.Result.Err()
}

const maxTrails = 2000

type trailEntry struct {
	URI   string `json:"uri"`
	Path  string `json:"path"`
	Title string `json:"title,omitempty"`
	ID    string `json:"id,omitempty"`
	Steps int    `json:"steps"`
	Error string `json:"error,omitempty"`
}

func (r *Reader) readTrails(context.Context, address) (*Content, error) {
	paths, err := Trails(r.Client.State().Workspace)
	if err != nil {
		return nil, err
	}
	entries := []trailEntry{}
	for _, p := range paths[:min(len(paths), maxTrails)] {
		entry := trailEntry{URI: Scheme + "trails/" + p, Path: p}
		data, err := WorkspaceFile(r.Client.State().Workspace, p)
		if err != nil {
			entry.Error = err.Error()
			entries = append(entries, entry)
			continue
		}
		t, problems := trail.Parse(p, data, trail.Strict)
		if t != nil {
			entry.Title, entry.ID, entry.Steps = t.Config.Title, t.Config.ID, len(t.Steps)
		}
		if len(problems) > 0 {
			entry.Error = problems[0].Message
		}
		entries = append(entries, entry)
	}
	return asJSON(map[string]any{"trails": entries, "total": len(paths)})
}

// Trails lists the trail files of a workspace, as slash paths from its root.
func Trails(root string) ([]string, error) {
	if root == "" {
		return nil, nil
	}
	found, err := trail.Discover(root, nil)
	switch {
	case err != nil && (fault.KindOf(err) == fault.NotFound || fault.KindOf(err) == fault.Invalid):
		return nil, nil // there are none yet
	case err != nil:
		return nil, err
	}
	var out []string
	for _, f := range found {
		if filepath.IsAbs(f) {
			if f, err = filepath.Rel(root, f); err != nil {
				continue
			}
		}
		out = append(out, filepath.ToSlash(f))
	}
	return out, nil
}

func (r *Reader) readTrail(_ context.Context, at address) (*Content, error) {
	path := at.from(1)
	if !strings.HasSuffix(path, "trail.yaml") && !strings.HasSuffix(path, "trail.yml") {
		return nil, fault.New(fault.NotFound, "read trail", "%q is no trail file", path)
	}
	data, err := WorkspaceFile(r.Client.State().Workspace, path)
	if err != nil {
		return nil, err
	}
	return asText(string(data)), nil
}

// WorkspaceFile reads a file below a workspace; os.Root follows no link out of it.
func WorkspaceFile(dir, path string) ([]byte, error) {
	const op = "read file"
	if dir == "" {
		return nil, fault.New(fault.NotFound, op, "this session has no workspace")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer root.Close() //nolint:errcheck // only read from
	data, err := file.ReadIn(root, filepath.FromSlash(path), maxResource)
	if err != nil && fault.KindOf(err) == fault.Internal { // an error of the file system could reveal what lies outside
		return nil, fault.New(fault.NotFound, op, "no file %q in the workspace", path)
	}
	return data, fault.Wrap(err, "", op)
}

func isText(data []byte) bool {
	return utf8.Valid(data) && !strings.ContainsRune(string(data[:min(len(data), 4096)]), 0)
}
