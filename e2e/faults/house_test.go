package faults

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// house is a home whose daemon has no port.
type house struct{ *housetest.Home }

func newHouse(t *testing.T) *house {
	t.Helper()
	return &house{housetest.NewHome(t, binary, "TRAILBLAZE_PORT=-1")}
}

// log is what the daemon has written to its log.
func (h *house) log() string {
	h.T.Helper()
	files, err := filepath.Glob(filepath.Join(h.Dir, "run", "*", "daemon.log"))
	if err != nil || len(files) != 1 {
		h.T.Fatalf("logs: %v %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		h.T.Fatal(err)
	}
	return string(data)
}

// run runs the program and returns all that it prints.
func (h *house) run(args ...string) (string, int) {
	said := h.Run(args...)
	return said.Out + said.Err, said.Code
}

// answer is the reply to a call.
type answer struct {
	Result *struct {
		Content []struct{ Type, Text string } `json:"content"`
		IsError bool                          `json:"isError"`
	} `json:"result"`
	Fault    *struct{ Kind, Message, Hint string } `json:"fault"`
	Error    *struct{ Kind, Message, Hint string } `json:"error"` // the door's
	Warnings []string                              `json:"warnings"`

	raw  string
	took time.Duration
}

func (a answer) ok() bool {
	return a.Fault == nil && a.Error == nil && (a.Result == nil || !a.Result.IsError)
}

// call calls a tool through the typed API, as JSON.
func (h *house) call(tool string, args map[string]any) answer { return h.callAs("test", tool, args) }

func (h *house) callAs(client, tool string, args map[string]any) answer {
	h.T.Helper()
	a, err := h.send(client, tool, args)
	if err != nil {
		h.T.Fatalf("%v: %v: %.500s", tool, err, a.raw)
	}
	return a
}

// send is callAs for a daemon that may die meanwhile.
func (h *house) send(client, tool string, args map[string]any) (a answer, err error) {
	in, err := json.Marshal(args)
	if err != nil {
		return a, err
	}
	began := time.Now()
	data, err := housetest.CallTool(h.T.Context(), h.Boot, io.Discard, &pb.CallToolRequest{
		Name: tool, ArgsJson: string(in), Options: &pb.CallOptions{Client: client, Workspace: h.Work},
	})
	a.raw, a.took = string(data), time.Since(began)
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	return a, err
}

// must is call for what has to work, and has to show each of the texts.
func (h *house) must(tool string, args map[string]any, shows ...string) answer {
	h.T.Helper()
	a := h.call(tool, args)
	if !a.ok() {
		h.T.Fatalf("%s %v after %s: %.600s", tool, args, a.took, a.raw)
	}
	for _, s := range shows {
		if !strings.Contains(a.raw, s) {
			h.T.Fatalf("%s %v does not show %q: %.600s", tool, args, s, a.raw)
		}
	}
	return a
}

// served serves pages by path.
func served(t *testing.T, docs map[string]string) string {
	t.Helper()
	return housetest.Serve(t, docs)
}
