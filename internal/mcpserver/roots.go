package mcpserver

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

const rootsPatience = 5 * time.Second

// askRoots finds out where a client's project is, when it connected without saying so and can be asked. It asks from a
// goroutine of its own: the answer comes in by the way that the caller keeps busy.
func (h *host) askRoots(session *mcp.ServerSession) {
	p := session.InitializeParams()
	if h.named.Load() || p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil || !h.s.begun() {
		return
	}
	go func() {
		defer h.s.wg.Done()
		ctx, cancel := context.WithTimeout(h.s.life, rootsPatience)
		defer cancel()
		res, err := session.ListRoots(ctx, nil)
		if err != nil {
			h.s.o.Log.Debug("the client does not tell its roots", "error", err)
			return
		}
		for _, root := range res.Roots {
			dir, ok := directory(root.URI)
			if !ok {
				continue
			}
			err := h.seat.Update(func(st *hub.SeatState) error { st.Workspace = dir; return nil })
			if err != nil {
				h.s.o.Log.Warn("the client's root is not kept as its workspace", "error", err)
			}
			return
		}
	}()
}

// directory is the local folder that a root names, links resolved.
func directory(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(filepath.FromSlash(u.Path)) {
		return "", false
	}
	dir, err := filepath.EvalSymlinks(filepath.FromSlash(u.Path))
	if err != nil {
		return "", false
	}
	info, err := os.Stat(dir)
	return dir, err == nil && info.IsDir()
}
