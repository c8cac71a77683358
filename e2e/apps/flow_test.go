package apps

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// flow is something a person does on an app, and the state in which the app must end.
type flow struct {
	name    string
	page    string // path of the page
	moves   []move
	renames []string // old and new names of ids and classes, in turn
	state   string   // expression that reads the app's own state, not by what the screen shows to us
	want    string   // that state, as JSON
	wantRow string   // the same with one more row
	seedBy  []move   // what adds that row, when the app keeps its rows itself
	breaks  string   // script that breaks the app, so that only the flow's last checks can notice
	ci      bool     // played on every run of `make e2e-apps`
}

// rename gives the ids and classes in a text other names.
func (f *flow) rename(s string) string { return strings.NewReplacer(f.renames...).Replace(s) }

// move is one thing done or checked.
type move struct {
	intent string
	do     string // open, click, double, type, press, hover, drag, choose, see, gone
	at, to target
	text   string
	enter  bool
	keys   bool
}

func open(intent string) move { return move{intent: intent, do: "open"} }

func click(intent string, at target) move { return move{intent: intent, do: "click", at: at} }

func double(intent string, at target) move { return move{intent: intent, do: "double", at: at} }

func hover(intent string, at target) move { return move{intent: intent, do: "hover", at: at} }

func typed(intent string, at target, text string) move {
	return move{intent: intent, do: "type", at: at, text: text}
}

func entered(intent string, at target, text string) move {
	return move{intent: intent, do: "type", at: at, text: text, enter: true}
}

// byKeys has the text typed key by key, for a field that answers while one types.
func (m move) byKeys() move {
	m.keys = true
	return m
}

func press(intent, key string) move { return move{intent: intent, do: "press", text: key} }

func drag(intent string, at, to target) move { return move{intent: intent, do: "drag", at: at, to: to} }

func see(text string) move { return move{intent: text + " is shown", do: "see", text: text} }

func gone(text string) move {
	return move{intent: text + " is not shown", do: "gone", text: text}
}

// hand drives an app through an MCP server as an agent would: it names elements by the refs that replies print.
type hand struct {
	t       *testing.T
	mcp     *sdk.ClientSession
	peer    bool // Playwright's server, not ours
	base    string
	page    string
	reply   string   // the last reply
	seen    []string // the last whole page and the replies since
	calls   int
	bytes   int
	elapsed time.Duration
}

// newHand starts the server and connects to it.
func newHand(t *testing.T, cmd *exec.Cmd) (*hand, error) {
	t.Helper()
	cmd.Stderr = os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "apps", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = session.Close() })
	return &hand{t: t, mcp: session}, nil
}

// call makes one call and keeps what it says.
func (h *hand) call(tool string, args map[string]any) (string, error) {
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	begun := time.Now()
	res, err := h.mcp.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	h.elapsed += time.Since(begun)
	h.calls++
	if err != nil {
		return "", fmt.Errorf("%s %v: %w", tool, args, err)
	}
	var text strings.Builder
	for _, c := range res.Content {
		if c, ok := c.(*sdk.TextContent); ok {
			text.WriteString(c.Text + "\n")
		}
	}
	h.reply = text.String()
	h.bytes += len(h.reply)
	if *chat {
		h.t.Logf("%s %v\n%s", tool, args, h.reply)
	}
	if res.IsError {
		return h.reply, fmt.Errorf("%s %v: %s", tool, args, h.reply)
	}
	return h.reply, nil
}

// looks are the calls that show the page, each wider than the one before.
func (h *hand) looks() []map[string]any {
	if h.peer {
		return []map[string]any{{}}
	}
	return []map[string]any{{}, {"detail": []string{"ALL_ELEMENTS"}}}
}

// ref finds the element in what the server said, and looks again when it is not there. A ref of an earlier reply
// still means its element; one that is told from its like by the text beside it must stand beside that text now.
func (h *hand) ref(at target) (string, error) {
	for i := len(h.seen) - 1; i >= 0 && (at.near == "" || i == len(h.seen)-1); i-- {
		if ref := find(h.seen[i], at); ref != "" {
			return ref, nil
		}
		if words := printed(h.seen[i], at); words != "" && at.near == "" && !h.peer {
			return words, nil
		}
	}
	snapshot := "web_snapshot"
	if h.peer {
		snapshot = "browser_snapshot"
	}
	for begun := time.Now(); ; { // what a page shows a little later is there when an agent has thought a little longer
		for _, args := range h.looks() {
			page, err := h.call(snapshot, args)
			if err != nil {
				return "", err
			}
			h.seen = []string{page}
			if ref := find(page, at); ref != "" {
				return ref, nil
			}
			if words := printed(page, at); words != "" && at.near == "" && !h.peer {
				return words, nil // it is printed without a ref: its words are one
			}
		}
		if time.Since(begun) > 3*time.Second {
			return "", fmt.Errorf("no ref for %s in\n%s", at, h.reply)
		}
	}
}

// do makes a move; when the ref it used is of an element that went meanwhile, it looks again.
func (h *hand) do(m move) error {
	err := h.try(m)
	if err != nil && (strings.Contains(err.Error(), "no longer on the page") || strings.Contains(err.Error(), "not found in the current page snapshot")) {
		h.seen = nil
		err = h.try(m)
	}
	return err
}

func (h *hand) try(m move) error {
	args := map[string]any{}
	if m.at != (target{}) {
		ref, err := h.ref(m.at)
		if err != nil {
			return err
		}
		args["ref"] = ref
	}
	if m.to != (target{}) {
		ref, err := h.ref(m.to)
		if err != nil {
			return err
		}
		args["toRef"] = ref
	}
	tool := ours[m.do]
	switch m.do {
	case "open":
		args["url"] = h.base + h.page
	case "double":
		args["count"] = 2
	case "type":
		args["text"] = m.text
		if m.enter {
			args["submit"] = true
		}
		if m.keys && m.at != (target{}) {
			args["keys"] = true
		} else if m.keys {
			args["clearFirst"] = false // goes on where the caret is
		}
	case "press":
		args["key"] = m.text
	case "see", "gone":
		args["text"] = m.text
	}
	if m.intent != "" {
		args["intent"] = m.intent
	}
	if h.peer {
		tool, args = theirs(m, args)
	}
	said, err := h.call(tool, args)
	if m.do == "open" {
		h.seen = nil
	}
	if !h.peer { // its replies to actions do not show the page
		h.seen = append(h.seen, said)
	}
	return err
}

var ours = map[string]string{"open": "web_navigate", "click": "web_click", "double": "web_click", "hover": "web_hover", "type": "web_type",
	"press": "web_pressKey", "drag": "web_drag", "see": "web_verifyTextVisible", "gone": "assertNotVisibleWithText"}

// theirs is a move as Playwright's server has it.
func theirs(m move, args map[string]any) (string, map[string]any) {
	out := map[string]any{}
	if args["ref"] != nil {
		out["target"] = args["ref"]
		out["element"] = m.at.String()
	}
	switch m.do {
	case "open":
		return "browser_navigate", map[string]any{"url": args["url"]}
	case "double":
		out["doubleClick"] = true
	case "hover":
		return "browser_hover", out
	case "type":
		out["text"] = m.text
		out["submit"] = m.enter
		out["slowly"] = m.keys
		return "browser_type", out
	case "press":
		return "browser_press_key", map[string]any{"key": m.text}
	case "drag":
		return "browser_drag", map[string]any{"startTarget": args["ref"], "endTarget": args["toRef"], "startElement": m.at.String(), "endElement": m.to.String()}
	case "see":
		return "browser_wait_for", map[string]any{"text": m.text}
	case "gone":
		return "browser_wait_for", map[string]any{"textGone": m.text}
	}
	return "browser_click", out
}
