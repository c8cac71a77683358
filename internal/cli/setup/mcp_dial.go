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

// The way from the proxy to the daemon.
const (
	proxyPath     = "/mcp/stdio"
	proxyProtocol = "trailblaze-mcp/1"
	proxyReceipts = "Trailblaze-Receipts"
	proxySecrets  = "Trailblaze-Secrets"
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

// proxyDialer connects the proxy with the daemon.
type proxyDialer struct {
	home, workspace string
	defaults        clientDefaults
	env             []string          // of a daemon that is started; nil: ours
	secrets         string            // header
	keys            map[string]string // of models
	log             *slog.Logger

	mu    sync.Mutex
	place client.Place // of the daemon last dialed
}

func newProxyDialer(home, workspace string, defaults clientDefaults, log *slog.Logger) *proxyDialer {
	return &proxyDialer{home: home, workspace: workspace, defaults: defaults, log: log}
}

// Dial finds or starts the daemon of the program that is on disk now, and takes the client with that id.
func (d *proxyDialer) Dial(ctx context.Context, clientID string) (io.ReadWriteCloser, string, error) {
	c, err := client.Dial(ctx, client.Options{Home: d.home, Start: true, Env: d.env})
	if err != nil {
		return nil, "", err
	}
	bounded, cancel := context.WithTimeout(ctx, shell.ControlTime)
	defer cancel()
	if len(d.keys) > 0 {
		if err := c.Post(bounded, shell.KeysPath, d.keys, &struct{}{}); err != nil {
			d.log.Warn("the daemon did not take the keys of models", "error", err)
		}
	}
	conn, header, err := c.Upgrade(bounded, proxyPath, proxyProtocol, d.header(clientID))
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
	return proxyConn{conn, c, header.Get(proxyReceipts) != ""}, header.Get("Trailblaze-Client-Id"), nil
}

// proxyConn is a connection that knows whether its daemon tells of calls before it begins with them, and how to ask
// it for a sign of life.
type proxyConn struct {
	net.Conn
	daemon   *client.Client
	receipts bool
}

var (
	_ mcpproxy.Receipter     = proxyConn{}
	_ mcpproxy.HealthChecker = proxyConn{}
)

// Receipts implements mcpproxy.Receipter.
func (c proxyConn) Receipts() bool { return c.receipts }

// Check implements mcpproxy.HealthChecker.
func (c proxyConn) Check(ctx context.Context) error {
	var about json.RawMessage
	return c.daemon.Get(ctx, "/v1/ping", &about)
}

// Process implements mcpproxy.HealthChecker.
func (c proxyConn) Process() int { return c.daemon.Boot.PID }

// header says who asks. A client that is taken again keeps what its client chose; a new one begins as the command line
// says.
func (d *proxyDialer) header(clientID string) http.Header {
	h := http.Header{}
	set := func(name, value string) {
		if value != "" {
			h.Set(name, value)
		}
	}
	h.Set(proxyReceipts, "1")
	set(proxySecrets, d.secrets)
	set("Trailblaze-Workspace", d.workspace)
	set("Trailblaze-Client-Id", clientID)
	if clientID == "" {
		set("Trailblaze-Device", d.defaults.Device)
		set("Trailblaze-Mode", d.defaults.Mode)
		set("Trailblaze-Tools", d.defaults.Tools)
		set("Trailblaze-Categories", strings.Join(d.defaults.Categories, ","))
		set("Trailblaze-Headless", d.defaults.Headless)
	}
	return h
}

// Stopped reports whether the daemon last dialed ended on purpose: then it took the file along that says where it
// was. One that made way for a newer build did so for us to go there.
func (d *proxyDialer) Stopped() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if build, err := client.Build(); err == nil && client.PlaceOf(d.home, build) != d.place {
		return false
	}
	_, err := os.Stat(d.place.BootFile())
	return errors.Is(err, fs.ErrNotExist)
}
