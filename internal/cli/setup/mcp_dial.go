package setup

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/mcpproxy"
)

// The way from a front to the daemon.
const (
	frontPath     = "/mcp/stdio"
	frontProtocol = "trailblaze-mcp/1"
	frontReceipts = "Trailblaze-Receipts"
	frontSecrets  = "Trailblaze-Secrets"
)

// mostSecrets bounds the header of them: a daemon reads 64 kB of headers.
const mostSecrets = 48 << 10

// secretsHeader carries the secrets of a client's environment to the daemon, which keeps them for this client alone.
func secretsHeader(secrets map[string]string) (string, error) {
	if len(secrets) == 0 {
		return "", nil
	}
	data, err := json.Marshal(secrets)
	if err != nil {
		return "", fault.New(fault.Internal, "read secrets", "they cannot be written as JSON")
	}
	text := base64.StdEncoding.EncodeToString(data)
	if len(text) > mostSecrets {
		return "", fault.New(fault.Invalid, "read secrets", "the variables %s… hold more than %d kB", shell.SecretEnv,
			mostSecrets*3/4>>10).
			WithHint("Give this client only those it types.")
	}
	return text, nil
}

// frontDialer connects a front with the daemon.
type frontDialer struct {
	home, workspace string
	wish            mcpWish
	env             []string // of a daemon that is started; nil: ours
	secrets         string   // header
	log             *slog.Logger

	mu    sync.Mutex
	place client.Place // of the daemon last dialed
}

func newFrontDialer(home, workspace string, wish mcpWish, log *slog.Logger) *frontDialer {
	return &frontDialer{home: home, workspace: workspace, wish: wish, log: log}
}

// Dial finds or starts the daemon of the program that is on disk now, and takes the seat that handle names.
func (d *frontDialer) Dial(ctx context.Context, handle string) (io.ReadWriteCloser, string, error) {
	c, err := client.Dial(ctx, client.Options{Home: d.home, Start: true, Env: d.env})
	if err != nil {
		return nil, "", err
	}
	bounded, cancel := context.WithTimeout(ctx, shell.ControlTime)
	defer cancel()
	conn, header, err := c.Upgrade(bounded, frontPath, frontProtocol, d.header(handle))
	if err != nil && errors.Is(bounded.Err(), context.DeadlineExceeded) {
		return nil, "", shell.Silent(c.Boot.PID)
	}
	if err != nil {
		return nil, "", err
	}
	d.mu.Lock()
	d.place = c.Place
	d.mu.Unlock()
	d.log.Info("daemon", "pid", c.Boot.PID, "build", c.Boot.Build, "version", c.Boot.Version)
	return frontConn{conn, c, header.Get(frontReceipts) != ""}, header.Get("Trailblaze-Handle"), nil
}

// frontConn is a connection that knows whether its daemon tells of calls before it begins with them, and how to ask
// it for a sign of life.
type frontConn struct {
	net.Conn
	daemon   *client.Client
	receipts bool
}

var (
	_ mcpproxy.Receipter     = frontConn{}
	_ mcpproxy.HealthChecker = frontConn{}
)

// Receipts implements mcpproxy.Receipter.
func (c frontConn) Receipts() bool { return c.receipts }

// Check implements mcpproxy.HealthChecker.
func (c frontConn) Check(ctx context.Context) error {
	var about json.RawMessage
	return c.daemon.Get(ctx, "/v1/ping", &about)
}

// Process implements mcpproxy.HealthChecker.
func (c frontConn) Process() int { return c.daemon.Boot.PID }

// header says who asks. A seat that is taken again keeps what its client chose; a new one begins as the command line
// says.
func (d *frontDialer) header(handle string) http.Header {
	h := http.Header{}
	set := func(name, value string) {
		if value != "" {
			h.Set(name, value)
		}
	}
	h.Set(frontReceipts, "1")
	set(frontSecrets, d.secrets)
	set("Trailblaze-Workspace", d.workspace)
	set("Trailblaze-Handle", handle)
	if handle == "" {
		set("Trailblaze-Device", d.wish.Device)
		set("Trailblaze-Mode", d.wish.Mode)
		set("Trailblaze-Tools", d.wish.Tools)
		set("Trailblaze-Categories", strings.Join(d.wish.Categories, ","))
		set("Trailblaze-Headless", d.wish.Headless)
	}
	return h
}

// Stopped reports whether the daemon last dialed ended on purpose: then it took the file along that says where it
// was. One that made way for a newer build did so for us to go there.
func (d *frontDialer) Stopped() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if build, err := client.Build(); err == nil && client.PlaceOf(d.home, build) != d.place {
		return false
	}
	_, err := os.Stat(d.place.BootFile())
	return errors.Is(err, fs.ErrNotExist)
}
