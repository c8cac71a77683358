package parity

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

var sdkDir = flag.String("sdk", "", "folder of the projects that `make sdk` installs the SDKs into")

// R8, R92, R221, R257: the tools of a workspace, and calls that are refused or fail, give the same result or error and
// leave the same events by the SDKs for Python and TypeScript as in Go.
func TestParityOfSDKs(t *testing.T) {
	if *sdkDir == "" {
		t.Skip("`make sdk` installs the SDKs and runs this")
	}
	h := newHouse(t)
	r := h.runner()
	rows := housetest.CallRows(t, h.url)
	samples := slices.DeleteFunc(h.samples(t, r.Registry), func(s sample) bool {
		_, own := rows.Own[s.name]
		return !own && rows.Errors[s.name].Tool == ""
	})
	packages := filepath.Join(h.Work, "node_modules")
	if err := os.Symlink(absolute(t, filepath.Join(*sdkDir, "build", "acme", "node_modules")), packages); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "door.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	h.Write("door.mjs", string(script))
	python := absolute(t, filepath.Join("..", "..", "examples", "acme-python", ".venv", "bin", "python"))
	compared(t, []door{
		direct(r, h.session(r, "go")), h.program("python", python, absolute(t, filepath.Join("testdata", "door.py"))),
		h.program("typescript", "node", "door.mjs"),
	}, samples)
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	out, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// program is a program that makes the calls which it reads, a line each, and writes what an SDK gave it.
func (h *house) program(name, command, script string) door {
	h.T.Helper()
	secrets, err := json.Marshal(map[string]string{secretName: secretValue})
	if err != nil {
		h.T.Fatal(err)
	}
	cmd := exec.Command(command, script, string(secrets))
	cmd.Dir, cmd.Stderr = h.Work, os.Stderr
	cmd.Env = append(h.Env, "TRAILBLAZE_BIN="+binary)
	in, err := cmd.StdinPipe()
	if err != nil {
		h.T.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.T.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.T.Fatal(err)
	}
	h.T.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			h.T.Errorf("%s: %v", name, err)
		}
	})
	lines := bufio.NewReader(out)
	device := "web/" + name
	return door{name: name, log: h.logOf(device), prep: h.post("", device, same).call,
		call: func(_ context.Context, c housetest.Call) (answer, error) { return tell(in, lines, c) }}
}

// tell makes a call through a program.
func tell(in io.Writer, out *bufio.Reader, c housetest.Call) (answer, error) {
	line, err := json.Marshal(housetest.Call{Tool: c.Tool, Args: args(c)})
	if err == nil {
		_, err = in.Write(append(line, '\n'))
	}
	if err != nil {
		return answer{}, err
	}
	text, err := out.ReadBytes('\n')
	if err != nil {
		return answer{}, err
	}
	var said nested
	if err := json.Unmarshal(text, &said); err != nil {
		return answer{}, err
	}
	if said.Failed {
		return answer{failed: true, kind: &said.Kind, message: &said.Message, hint: &said.Hint}, nil
	}
	return answer{value: said.Value, tellsValue: true, either: true}, nil
}
