package editor

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

var serverPath = flag.String("yaml-language-server", "", "the language server (`make editors` installs it)")

var trailblaze string

func TestMain(m *testing.M) {
	flag.Parse()
	if *serverPath == "" {
		fmt.Println("skipped: -yaml-language-server names the server; make editors")
		return
	}
	os.Exit(housetest.Main(m, map[string]*string{"v1.0.0": &trailblaze}))
}

// TestEditor: in a project with schemas, a trail whose first line names one is completed and checked.
func TestEditor(t *testing.T) {
	h := housetest.NewHome(t, trailblaze)
	h.Write("trailblaze.yaml", "platform: web\n")
	h.Write("trails/config/tools/shop.tool.yaml", "id: shop_login\ndescription: Sign in\n"+
		"parameters: [{name: user, description: who}]\ntools: [{web_type: {ref: User, text: '{{user}}'}}]\n")
	if out := h.Run("schema", "--write", ".trailblaze"); out.Code != 0 {
		t.Fatal(out.Out, out.Err)
	}
	s := open(t, h.Work)
	const line = "# yaml-language-server: $schema=../.trailblaze/trail.schema.json\n"

	for _, c := range []struct{ name, text, want string }{
		{"nothing wrong", "trail:\n  - step: Sign in\n    recording:\n      web:\n        - shop_login: {user: \"{{user}}\"}\n", ""},
		{"a key of a step", "trail:\n  - step: Sign in\n    recordng: {}\n", "3:5 Property recordng is not allowed."},
		{"an argument", "trail:\n  - step: Sign in\n    recording:\n      web:\n        - shop_login: {usr: me}\n",
			`5:11 Missing property "user"` + `| 5:24 Property usr is not allowed.`},
		{"a tool", "trail:\n  - step: Sign in\n    recording:\n      web:\n        - shop_logn: {}\n", "5:11 Property shop_logn is not allowed."},
		{"a number", "trail:\n  - step: Size\n    recording:\n      web:\n        - web_resize: {width: wide, height: 300}\n",
			`5:31 Incorrect type. Expected "integer".`},
		{"a word", "trail:\n  - step: Size\n    recording:\n      web:\n        - web_scroll: {direction: AROUND}\n",
			`5:35 Value is not accepted. Valid values: "UP", "DOWN", "LEFT", "RIGHT".`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := s.check(t, "trails/"+strings.ReplaceAll(c.name, " ", "-")+".trail.yaml", line+c.text)
			for _, want := range strings.Split(c.want, "|") {
				if !strings.Contains(got, strings.TrimSpace(want)) || c.want == "" && got != "" {
					t.Errorf("the editor marks %q, want %q", got, c.want)
				}
			}
		})
	}
	for _, c := range []struct{ name, text, want string }{
		{"a tool", "trail:\n  - step: Sign in\n    recording:\n      web:\n        - shop", "shop_login"},
		{"an argument", "trail:\n  - step: Sign in\n    recording:\n      web:\n        - web_click:\n            node", "nodeSelector"},
		{"a field of a selector", "trail:\n  - step: Sign in\n    recording:\n      web:\n        - web_click:\n" +
			"            nodeSelector:\n              web:\n                aria", "ariaRole"},
		{"a word", "trail:\n  - step: Sign in\n    recording:\n      web:\n        - web_scroll:\n            direction: ", "LEFT"},
	} {
		t.Run("complete "+c.name, func(t *testing.T) {
			got := s.complete(t, "trails/complete-"+strings.ReplaceAll(c.name, " ", "-")+".trail.yaml", line+c.text)
			if !strings.Contains(got, c.want) {
				t.Errorf("the editor offers %s, want %s", got, c.want)
			}
		})
	}
}

// server is a language server, and the messages that it sends.
type server struct {
	dir  string
	in   io.Writer
	said chan message
	next int
}

type message struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

func open(t *testing.T, dir string) *server {
	cmd := exec.CommandContext(t.Context(), "node", *serverPath, "--stdio")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{dir: dir, in: in, said: make(chan message, 100)}
	go s.read(bufio.NewReader(out))
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s.ask(t, "initialize", map[string]any{"processId": os.Getpid(), "rootUri": s.uri(""), "capabilities": map[string]any{
		"textDocument": map[string]any{"completion": map[string]any{}}}})
	s.tell(t, "initialized", map[string]any{})
	s.tell(t, "workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"yaml": map[string]any{
		"validate": true, "completion": true, "schemaStore": map[string]any{"enable": false}}}})
	return s
}

func (s *server) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(s.dir, name))}).String()
}

// read reads messages until the server ends.
func (s *server) read(out *bufio.Reader) {
	defer close(s.said)
	for {
		length := 0
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(n)
			}
		}
		data := make([]byte, length)
		if _, err := io.ReadFull(out, data); err != nil {
			return
		}
		var m message
		if json.Unmarshal(data, &m) == nil {
			s.said <- m
		}
	}
}

func (s *server) send(t *testing.T, v map[string]any) {
	t.Helper()
	v["jsonrpc"] = "2.0"
	data, err := json.Marshal(v)
	if err == nil {
		_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(data), data)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s *server) tell(t *testing.T, method string, params any) {
	t.Helper()
	s.send(t, map[string]any{"method": method, "params": params})
}

// ask returns the result of a request.
func (s *server) ask(t *testing.T, method string, params any) json.RawMessage {
	t.Helper()
	s.next++
	id := s.next
	s.send(t, map[string]any{"id": id, "method": method, "params": params})
	return s.wait(t, method, func(m message) bool { return m.Method == "" && m.ID != nil && *m.ID == id }).Result
}

// wait returns the first message that fits, and answers what the server asks meanwhile.
func (s *server) wait(t *testing.T, what string, fits func(message) bool) message {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case m, ok := <-s.said:
			switch {
			case !ok:
				t.Fatalf("the server ended before %s", what)
			case fits(m):
				return m
			case m.Method != "" && m.ID != nil: // such as workspace/configuration
				s.send(t, map[string]any{"id": *m.ID, "result": nil})
			}
		case <-limit:
			t.Fatalf("no answer to %s within a minute", what)
		}
	}
}

func (s *server) show(t *testing.T, name, text string) string {
	t.Helper()
	uri := s.uri(name)
	s.tell(t, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
	return uri
}

// check returns what is marked in a file, each with line and column, the first line not counted.
func (s *server) check(t *testing.T, name, text string) string {
	t.Helper()
	var p struct {
		URI         string `json:"uri"`
		Diagnostics []struct {
			Message string
			Range   struct{ Start struct{ Line, Character int } }
		}
	}
	uri := s.show(t, name, text)
	s.wait(t, "marks", func(m message) bool {
		p.Diagnostics = nil
		return m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && p.URI == uri
	})
	var out []string
	for _, d := range p.Diagnostics {
		out = append(out, fmt.Sprintf("%d:%d %s", d.Range.Start.Line, d.Range.Start.Character+1, d.Message))
	}
	return strings.Join(out, "\n")
}

// complete returns what is offered at the end of a text.
func (s *server) complete(t *testing.T, name, text string) string {
	t.Helper()
	lines := strings.Split(text, "\n")
	raw := s.ask(t, "textDocument/completion", map[string]any{
		"textDocument": map[string]any{"uri": s.show(t, name, text)},
		"position":     map[string]any{"line": len(lines) - 1, "character": len(lines[len(lines)-1])}})
	var list struct{ Items []struct{ Label string } }
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	var out []string
	for _, it := range list.Items {
		out = append(out, it.Label)
	}
	return strings.Join(out, " ")
}
