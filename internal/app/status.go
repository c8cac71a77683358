package app

import (
	"fmt"
	"os"
	"strconv"

	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
)

// StatusSchema names the form of Status.
const StatusSchema = "trailblaze.daemon/1"

// Status is the reply of GET /v1/status, and the output of `trailblaze daemon status --json`.
type Status struct {
	Schema  string      `json:"schema"`
	Running bool        `json:"running"`
	PID     int         `json:"pid,omitempty"`
	Build   string      `json:"build,omitempty"`
	Version string      `json:"version,omitempty"`
	Socket  string      `json:"socket,omitempty"`
	Port    int         `json:"port,omitempty"`
	TCP     string      `json:"tcp,omitempty"` // why there is no TCP port
	MCP     string      `json:"mcp,omitempty"` // address for MCP over HTTP
	Boot    string      `json:"boot,omitempty"`
	Log     string      `json:"log,omitempty"`
	RSS     int64       `json:"rssBytes,omitempty"`
	Hub     *hub.Status `json:"hub,omitempty"`
}

func statusOf(d *daemon.Daemon, hb *hub.Hub) Status {
	st := hb.Status()
	doc := Status{
		Schema: StatusSchema, Running: true, PID: d.Boot.PID, Build: d.Boot.Build, Version: d.Boot.Version,
		Socket: d.Boot.Socket, Port: d.Boot.Port, TCP: d.TCP, Hub: &st, RSS: residentBytes(),
	}
	if d.Boot.Port > 0 {
		doc.MCP = "http://127.0.0.1:" + strconv.Itoa(d.Boot.Port) + "/mcp"
	}
	return doc
}

// residentBytes is the memory that the process holds, 0 where the system does not say it cheaply.
func residentBytes() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, resident int64
	if n, err := fmt.Sscan(string(data), &total, &resident); err != nil || n < 2 {
		return 0
	}
	return resident * int64(os.Getpagesize())
}
