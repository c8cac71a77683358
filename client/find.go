package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	daemon "github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/proc"
)

// The variables that clients read.
const (
	EnvBinary = "TRAILBLAZE_BIN"            // the program `trailblaze`, when it is not in PATH
	envURL    = "TRAILBLAZE_BASE_URL"       // with envToken: where a tool server calls back
	envToken  = "TRAILBLAZE_CALLBACK_TOKEN" // given to tool servers alone
)

// startTime bounds how long finding or starting the daemon takes.
const startTime = 30 * time.Second

// find finds the daemon of the program `trailblaze`, which starts it when there is none.
func (o *Options) find(ctx context.Context) error {
	const op = "find daemon"
	if token := os.Getenv(envToken); token != "" && os.Getenv(envURL) != "" {
		o.URL, o.Token = os.Getenv(envURL), token
		return nil
	}
	binary, err := proc.LookPath(cmp.Or(o.Binary, os.Getenv(EnvBinary), "trailblaze"))
	if err != nil {
		return fault.New(fault.NotFound, op, "%w", err).
			WithHint("Install trailblaze, or set %s to the program.", EnvBinary)
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	var out, said bytes.Buffer
	spec := proc.Spec{Path: binary, Args: []string{"daemon", "start", "--json"}, Stdout: &out, Stderr: &said}
	if err := proc.Run(ctx, spec); err != nil {
		return fault.New(fault.Unavailable, op, "%s daemon start: %w: %s", binary, err, strings.TrimSpace(said.String())).
			WithHint("Run `trailblaze daemon serve` to see why.")
	}
	var started struct{ Boot string }
	if err := json.Unmarshal(out.Bytes(), &started); err != nil || started.Boot == "" {
		return fault.New(fault.Unsupported, op, "%s is too old for this client", binary).WithHint("Install a newer one.")
	}
	to, err := daemon.At(ctx, daemon.Place{Dir: filepath.Dir(started.Boot)})
	if err != nil {
		return err
	}
	return o.reach(to)
}

// reach sets how the daemon is reached. An HTTP client of the options cannot dial a socket: it is given the port.
func (o *Options) reach(to *daemon.Client) error {
	o.Token = to.Boot.Token
	if o.HTTP != nil {
		if to.Boot.Port == 0 {
			return fault.New(fault.Unsupported, "reach daemon", "the daemon has no port for HTTP of the options").
				WithHint("Leave HTTP out, or start the daemon with TRAILBLAZE_PORT=0 for a free port.")
		}
		o.URL = fmt.Sprintf("http://127.0.0.1:%d", to.Boot.Port)
		return nil
	}
	o.URL, o.HTTP = daemon.URL, to.HTTP()
	return nil
}
