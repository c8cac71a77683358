package app

import (
	"fmt"
	"os"
	"strconv"
	"strings"

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
	Memory  *Memory     `json:"memory,omitempty"`
	Hub     *hub.Status `json:"hub,omitempty"`
}

// Memory is what a process takes of the machine: its share of all that it uses, and what nothing else has.
type Memory struct {
	PSS       int64 `json:"pssBytes"`
	Anonymous int64 `json:"anonymousBytes"`
}

func statusOf(d *daemon.Daemon, hb *hub.Hub) Status {
	st := hb.Status()
	doc := Status{
		Schema: StatusSchema, Running: true, PID: d.Boot.PID, Build: d.Boot.Build, Version: d.Boot.Version,
		Socket: d.Boot.Socket, Port: d.Boot.Port, TCP: d.TCP, Hub: &st, Memory: memoryOf("/proc/self/smaps_rollup"),
	}
	if d.Boot.Port > 0 {
		doc.MCP = "http://127.0.0.1:" + strconv.Itoa(d.Boot.Port) + "/mcp"
	}
	return doc
}

// memoryOf reads the memory of a process, nil where the system does not say it.
func memoryOf(rollup string) *Memory {
	data, err := os.ReadFile(rollup)
	if err != nil {
		return nil
	}
	var m Memory
	for line := range strings.Lines(string(data)) {
		var kilobytes int64
		for name, to := range map[string]*int64{"Pss:": &m.PSS, "Anonymous:": &m.Anonymous} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				if n, err := fmt.Sscan(rest, &kilobytes); n == 1 && err == nil {
					*to = kilobytes << 10
				}
			}
		}
	}
	return &m
}
