package extern

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// listing is the list of a server's tools.
type listing struct {
	Version  string      `json:"version"` // of the server
	Tools    []*mcp.Tool `json:"tools"`
	More     bool        `json:"more"`     // it lists more than maxTools
	Registry string      `json:"registry"` // the text of its registry, "" without one
}

// list lists the tools of a server and reads its registry.
func (s *declaration) list(ctx context.Context, c *connection) (listing, error) {
	var l listing
	for t, err := range c.session.Tools(ctx, nil) {
		if err != nil && len(l.Tools) > 0 {
			err = fmt.Errorf("after the tool %q: %w", l.Tools[len(l.Tools)-1].Name, err)
		}
		if err != nil {
			return listing{}, err
		}
		if l.More = len(l.Tools) == maxTools; l.More {
			break
		}
		l.Tools = append(l.Tools, t)
	}
	hello := c.session.InitializeResult()
	if hello.ServerInfo != nil {
		l.Version = hello.ServerInfo.Version
	}
	if hello.Capabilities != nil && hello.Capabilities.Resources != nil {
		res, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: registryURI})
		if err == nil && len(res.Contents) > 0 { // a server without one has none to complain of
			l.Registry = res.Contents[0].Text
		}
	}
	return l, nil
}

// kept is a listing in the user's own folder, so that a server need not be started to know its tools. Each server of a
// workspace has one file.
type kept struct {
	Of      string  `json:"of"` // the state of the server that said it: see state
	Listing listing `json:"listing"`
}

const (
	keptVersion = 1
	maxKept     = 8 << 20
	keptFor     = 24 * time.Hour // what a command downloads, or finds elsewhere, may be another by then
	leastSecret = 6              // bytes of a declared value that no listing is kept with
)

// state returns everything that decides the server's list, as far as it is known: the content that trust asks for, and
// the programs and files outside of the workspace that its command names. "" says that it cannot be known, and that
// nothing is kept.
func (s *declaration) state() string {
	if s.o.Home == "" || s.o.Identity == nil || s.c.Transport == source.HTTP {
		return ""
	}
	id := s.o.Identity(s.c.Process())
	if id == "" {
		return ""
	}
	sum := sha256.New()
	_, _ = fmt.Fprintln(sum, keptVersion, id)
	for i, name := range append([]string{s.c.Command}, s.c.Args...) {
		if i == 0 {
			name, _ = proc.LookPath(name)
		}
		if !filepath.IsAbs(name) {
			continue // what is in the workspace is known by its content
		}
		for _, look := range []func(string) (os.FileInfo, error){os.Lstat, os.Stat} {
			if info, err := look(name); err == nil && !info.IsDir() {
				_, _ = fmt.Fprintf(sum, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// listingFile is the file of the server.
func (s *declaration) listingFile() string {
	sum := sha256.Sum256([]byte(s.o.Root + "\x00" + s.Origin()))
	return filepath.Join(s.o.Home, "listings", hex.EncodeToString(sum[:16])+".json")
}

// recall returns the server's list from its last start in its present state.
func (s *declaration) recall() (l listing, ok bool) {
	if s.o.Trusted(s.c.Process()) != nil {
		return l, false
	}
	state := s.state()
	if state == "" {
		return l, false
	}
	data, err := file.Read(s.listingFile(), maxKept)
	var k kept
	if err != nil || stale(s.listingFile()) || json.Unmarshal(data, &k) != nil || k.Of != state {
		return l, false
	}
	return k.Listing, true
}

// keep stores the list of the server. state is the state before its start: code that was changed meanwhile did not
// list this.
func (s *declaration) keep(state string, l listing) {
	if state == "" || state != s.state() {
		return
	}
	data, err := json.Marshal(kept{state, l})
	if err != nil || len(data) > maxKept || s.tells(string(data)) {
		return
	}
	if err := file.Replace(s.listingFile(), data); err != nil {
		s.o.Log.Warn("what an external MCP server lists is not kept", "server", s.c.Name, "error", err)
		return
	}
	old, _ := filepath.Glob(filepath.Join(filepath.Dir(s.listingFile()), "*"))
	for _, name := range old {
		if stale(name) {
			_ = os.Remove(name)
		}
	}
}

func stale(name string) bool {
	info, err := os.Stat(name)
	return err == nil && time.Since(info.ModTime()) > keptFor
}

// tells reports whether a text has a secret that the server was given, or a variable that is declared for it.
func (s *declaration) tells(text string) bool {
	for _, v := range s.c.Env {
		quoted, _ := json.Marshal(v)
		if len(v) >= leastSecret && strings.Contains(text, strings.Trim(string(quoted), `"`)) {
			return true
		}
	}
	return s.handed.Mask(text) != text
}
