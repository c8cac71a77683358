package client

import (
	"cmp"
	"context"
	"os"
	"strconv"

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

// find finds the daemon: the one at URL; else the way back of a tool server; else that of the program `trailblaze`,
// which starts it when there is none.
func (o *Options) find(ctx context.Context) error {
	if o.URL != "" {
		return nil
	}
	if token := os.Getenv(envToken); token != "" && os.Getenv(envURL) != "" {
		o.URL, o.Token = os.Getenv(envURL), token
		return nil
	}
	binary, err := proc.LookPath(cmp.Or(o.Binary, os.Getenv(EnvBinary), "trailblaze"))
	if err != nil {
		return fault.New(fault.NotFound, "find daemon", "%w", err).
			WithHint("Install trailblaze, or set %s to the program.", EnvBinary)
	}
	to, err := daemon.OfProgram(ctx, binary)
	if err != nil {
		return err
	}
	return o.reach(to)
}

// reach sets how the daemon is reached. An HTTP client of the options cannot dial a socket: it is given the port.
func (o *Options) reach(to *daemon.Client) error {
	o.Token = to.Boot.Token
	if o.HTTP == nil {
		o.URL, o.HTTP = daemon.URL, to.HTTP()
		return nil
	}
	if to.Boot.Port == 0 {
		return fault.New(fault.Unsupported, "reach daemon", "the daemon has no port for HTTP of the options").
			WithHint("Leave HTTP out, or start the daemon with TRAILBLAZE_PORT=0 for a free port.")
	}
	o.URL = "http://127.0.0.1:" + strconv.Itoa(to.Boot.Port)
	return nil
}
