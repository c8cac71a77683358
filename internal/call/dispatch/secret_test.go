package dispatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const secret = "hunter2-horse"

// Rule 10: a secret reaches the tool and nothing else: no text, value, evidence, error, event or recording.
func TestSecretsReachOnlyTheTool(t *testing.T) {
	got := ""
	typing := action("demo_type", func(_ context.Context, _ tool.Env, args map[string]any) (*tool.Result, error) {
		got, _ = args["text"].(string)
		raw, _ := json.Marshal(map[string]any{"typed": got, "other": 1})
		rec, _ := json.Marshal(map[string]any{"text": got, "nodeSelector": map[string]any{"web": map[string]any{"ariaNameRegex": "Password"}}})
		return &tool.Result{
			Content: []tool.Content{{Type: "text", Text: "typed " + got}}, Value: raw,
			Record:   &tool.Call{Name: "demo_type", Args: rec},
			Evidence: &tool.Evidence{Checked: "the field shows " + got, Target: &identity.Fingerprint{Role: "textbox", Name: got}},
		}, nil
	})
	broken := action("demo_broken", func(_ context.Context, _ tool.Env, args map[string]any) (*tool.Result, error) {
		text, _ := args["text"].(string)
		return nil, fault.New(fault.NotFound, "find", "no %s", text).WithHint("try %s", text).WithDetail(fault.Detail{Looked: text, Candidates: []string{text}})
	})
	panics := action("demo_panics", func(_ context.Context, _ tool.Env, args map[string]any) (*tool.Result, error) {
		panic(args["text"])
	})
	r := setup(t, dispatch.Options{}, typing, broken, panics)
	r.mem.SetSecret("password", secret)
	res := r.must("demo_type", `{"text":"{{password}}"}`)
	if got != secret {
		t.Fatalf("the tool got %q", got)
	}
	if want := `"{{password}}"`; !strings.Contains(string(res.Record.Args), want) || !strings.Contains(string(res.Record.Args), "ariaNameRegex") {
		t.Errorf("recorded %s: want the token back and the selector kept (R179)", res.Record.Args)
	}
	if spelled := r.must("demo_type", `{"text":"`+secret+`"}`); !strings.Contains(string(spelled.Record.Args), `"{{password}}"`) {
		t.Errorf("recorded %s: want the token in place of what was spelled out", spelled.Record.Args)
	}
	all, _ := json.Marshal(res)
	rec, _ := json.Marshal(res.Record)
	texts := []string{string(all), string(rec)}
	for _, name := range []string{"demo_broken", "demo_panics"} {
		_, err := r.call(name, `{"text":"{{password}}"}`)
		if err == nil {
			t.Fatalf("%s did not fail", name)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			texts = append(texts, e.Error(), fault.HintOf(e))
		}
		d, _ := json.Marshal(fault.DetailOf(err))
		texts = append(texts, string(d))
		if name == "demo_broken" && fault.KindOf(err) != fault.NotFound {
			t.Errorf("kind %s: masking must keep it", fault.KindOf(err))
		}
	}
	events, _ := r.s.Log.Events()
	for _, e := range events {
		line, err := e.Line()
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(line))
	}
	for _, text := range texts {
		if strings.Contains(text, secret) || strings.Contains(text, "hunter2") {
			t.Errorf("secret in %s", text)
		}
	}
}

// R179: a recording keeps tokens as they were written, in the order the tool writes its keys, at every depth.
// TestEvidenceFailsClosed proves that evidence which cannot be searched for secrets is not returned in the clear.
func TestEvidenceFailsClosed(t *testing.T) {
	typing := action("demo_type", func(_ context.Context, _ tool.Env, args map[string]any) (*tool.Result, error) {
		text, _ := args["text"].(string)
		return &tool.Result{Evidence: &tool.Evidence{
			Checked: "the field shows " + text, None: text, Bounds: &screen.Rect{X: math.NaN()}, Target: &identity.Fingerprint{Name: text},
		}}, nil
	})
	r := setup(t, dispatch.Options{}, typing)
	r.mem.SetSecret("password", secret)
	res := r.must("demo_type", `{"text":"{{password}}"}`)
	if all := fmt.Sprintf("%+v %+v", res.Evidence, res.Evidence.Target); strings.Contains(all, secret) {
		t.Errorf("the evidence holds the secret: %s", all)
	}
}

func TestR179RecordingKeepsTokens(t *testing.T) {
	rec := action("demo_rec", func(_ context.Context, _ tool.Env, args map[string]any) (*tool.Result, error) {
		raw, _ := json.Marshal(args["text"])
		list, _ := json.Marshal(args["opts"])
		return &tool.Result{Record: &tool.Call{Name: "demo_rec", Args: json.RawMessage(`{"z":"kept","text":` + string(raw) + `,"opts":` + string(list) + `}`)}}, nil
	})
	r := setup(t, dispatch.Options{}, rec)
	r.mem.Set("who", "Ann")
	r.mem.Set("n", 3)
	res := r.must("demo_rec", `{"ref":"e1","text":"Hi {{who}}","opts":{"a":"${who}","n":"{{n}}","b":[1.5]}}`)
	want := `{"z":"kept","text":"Hi {{who}}","opts":{"a":"${who}","n":"{{n}}","b":[1.5]}}`
	if string(res.Record.Args) != want {
		t.Errorf("recorded %s\nwant     %s", res.Record.Args, want)
	}
	if string(r.calls()[0].Args) != `{"ref":"e1","text":"Hi Ann","opts":{"a":"Ann","n":3,"b":[1.5]}}` {
		t.Errorf("executed %s", r.calls()[0].Args)
	}
}

func TestUnknownTokenIsANote(t *testing.T) {
	r := setup(t, dispatch.Options{}, say("demo_say"))
	r.must("demo_say", `{"who":"{{nobody}}"}`)
	events, _ := r.s.Log.Events()
	for _, e := range events {
		if e.Note != nil && strings.Contains(e.Note.Text, "{{nobody}}") && e.Note.Level == "warning" {
			return
		}
	}
	t.Error("no warning in the log")
}
