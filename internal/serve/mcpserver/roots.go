package mcpserver

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

const rootsTimeout = 5 * time.Second

// askRoots asks a client for its project's folder, when it connected without one and can be asked.
// It asks from its own goroutine, because the answer arrives on the connection that the caller
// occupies.
func (cs *clientServer) askRoots(session *mcp.ServerSession) {
	p := session.InitializeParams()
	if cs.named.Load() || p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil || !cs.s.track() {
		return
	}
	go func() {
		defer cs.s.wg.Done()
		ctx, cancel := context.WithTimeout(cs.s.life, rootsTimeout)
		defer cancel()
		res, err := session.ListRoots(ctx, nil)
		if err != nil {
			cs.s.o.Log.Debug("the client does not tell its roots", "error", err)
			return
		}
		for _, root := range res.Roots {
			dir, ok := directory(root.URI)
			if !ok {
				continue
			}
			_, err := cs.s.o.Daemon.UpdateClient(ctx, &pb.UpdateClientRequest{ClientId: cs.id, Workspace: dir})
			if err != nil {
				cs.s.o.Log.Warn("the client's root is not kept as its workspace", "error", err)
			}
			return
		}
	}()
}

// directory is the local folder of a root's URI, links resolved.
func directory(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" ||
		!filepath.IsAbs(filepath.FromSlash(u.Path)) {
		return "", false
	}
	dir, err := filepath.EvalSymlinks(filepath.FromSlash(u.Path))
	if err != nil {
		return "", false
	}
	info, err := os.Stat(dir)
	return dir, err == nil && info.IsDir()
}
