package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

const counter = `<button onclick="n.textContent = +n.textContent + 1; if (n.textContent == 3) this.hidden = true">More</button>
	<button onclick="n.textContent = 0">Reset</button><button onclick="void 0">Dead</button><output id=n>0</output><input aria-label=Name>`

// Calls are made again and again, as a query decides, and a recording keeps the loop.
func TestRepeat(t *testing.T) {
	t.Parallel()
	w := open(t, counter)
	more := []any{args{"web_click": args{"ref": `button "More"`}}}
	ends := func(how args, want, said string) {
		t.Helper()
		how["tools"] = more
		w.do("repeat", how)
		w.is(`n.textContent`, want)
		if !strings.Contains(w.last.Text(), said) || w.last.Evidence.None == "" {
			t.Errorf("%v said %q", how, w.last.Text())
		}
		w.do("web_navigate", args{"url": w.server.URL + "/"})
	}
	ends(args{"times": 2}, "2", "made 2 round")
	ends(args{"while": args{"visible": "More"}}, "3", `made 3 rounds; then isVisible {"text":"More"}: no`)
	ends(args{"until": args{"query": args{"hasText": args{"text": "1"}}}}, "1", "made 1 round;")
	ends(args{"until": args{"query": args{"assertNotVisibleWithText": args{"text": "More", "timeoutMs": 1}}}}, "3", "made 3 round")
	w.mem.Set("rounds", "2")
	ends(args{"times": "{{rounds}}", "while": args{"visible": args{"ref": `button "More"`}}}, "2", "made 2 round")

	w.mem.Set("i", "0")
	w.do("repeat", args{"times": 3, "tools": []any{
		args{"remember": args{"variable": "i", "value": "{{i + 1}}"}}, args{"web_type": args{"ref": `textbox "Name"`, "text": "{{i * 10}}"}},
	}})
	w.is(`document.querySelector('input').value`, "30")

	for want, in := range map[string]args{
		"it did not end within 2 rounds": {"times": 2, "until": args{"visible": "Never"},
			"tools": []any{args{"web_click": args{"ref": `button "Reset"`}}, args{"web_click": args{"ref": `button "More"`}}}},
		"web_click acts":           {"while": args{"query": args{"web_click": args{"ref": "css=#n"}}}, "tools": more},
		"does not say how often":   {"tools": more},
		"while or until, not both": {"while": args{"visible": "a"}, "until": args{"visible": "a"}, "tools": more},
		"1 to 1000":                {"times": 1001, "tools": more},
		"there are 2":              {"while": args{"visible": "a", "notVisible": "b"}, "tools": more},
		"tools[0]":                 {"times": 1, "tools": []any{args{"web_click": args{}, "web_type": args{}}}},
	} {
		if err := failed(w, "repeat", in); !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", in, err, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := w.disp.Call(ctx, w.sess, dispatch.CLI, tool.Call{Name: "repeat", Args: json.RawMessage(
		`{"times":1000,"tools":[{"web_wait":{"seconds":1}}]}`)}); fault.KindOf(err) != fault.Canceled && fault.KindOf(err) != fault.Timeout ||
		time.Since(began) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

// What a loop did is held to its evidence, call by call, and it is recorded as it is.
func TestRepeatIsJudgedAndRecorded(t *testing.T) {
	t.Parallel()
	w := open(t, counter)
	ref := w.ref(`button "More"`)
	w.do("when", args{"visible": "More", "tools": []any{args{"web_click": args{"ref": ref}}}})
	w.is(`n.textContent`, "1")
	w.do("when", args{"notVisible": "More", "tools": []any{args{"web_click": args{"ref": "css=#none"}}}})
	if err := judged(w); err != nil || !strings.Contains(w.last.Text(), `isVisible {"text":"More"}: yes, so made 0 calls of else`) {
		t.Errorf("%s: %v", w.last.Text(), err)
	}
	w.do("when", args{"notVisible": "More", "tools": []any{args{"web_click": args{"ref": "css=#none"}}},
		"else": []any{args{"web_click": args{"ref": `button "Dead"`}}}})
	if err := judged(w); fault.KindOf(err) != fault.NotActed {
		t.Errorf("a dead button passed: %v", err)
	}
	log, err := record.OfLog(w.sess.Log)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range log.Groups {
		for _, a := range g.Actions {
			got = append(got, a.Call.Name+" "+string(a.Call.Args))
		}
	}
	if all := strings.Join(got, "\n"); len(got) != 4 || strings.Contains(all, ref+`"`) || !strings.Contains(got[1], `"nodeSelector"`) ||
		!strings.Contains(got[1], `"visible":"More"`) {
		t.Errorf("recorded\n%s", all)
	}
}

func failed(w *world, name string, a args) error {
	w.t.Helper()
	_, err := w.call(name, a)
	if err == nil {
		w.t.Fatalf("%s %v passed", name, a)
	}
	return err
}

// judged is what a verdict says of the last call.
func judged(w *world) error {
	return evidence.New(w.dev, w.disp.Registry()).Call(w.t.Context(), trail.Recorded{Call: tool.Call{Name: "when"}}, w.last, nil)
}

// A condition that was recorded is asked again: the same answer is an evidence, another one is no verdict, whatever the
// page shows a moment later.
func TestRecordedCondition(t *testing.T) {
	t.Parallel()
	w := open(t, `<h1>Shop</h1><div id=b></div><script>const show = ms => setTimeout(() => b.innerHTML = '<p>We use cookies</p>', ms)</script>`)
	text := func(s string) args { return args{"text": s} }
	same := []args{
		{"query": args{"hasText": text("We use cookies")}, "was": false}, {"visible": "Shop", "was": true}, {"notVisible": "We use cookies", "was": true},
		{"query": args{"findMatches": args{"selector": args{"web": args{"ariaRole": "dialog"}}}}, "was": false},
		{"query": args{"web_snapshot": args{"find": "cookies"}}, "was": false}, {"query": args{"web_snapshot": args{"find": "Shop"}}, "was": true},
		{"query": args{"assertNotVisibleWithText": text("We use cookies")}, "was": true},
		{"query": args{"web_verifyTextVisible": args{"text": "We use cookies", "timeoutMs": 1}}, "was": false},
	}
	for _, in := range same {
		w.do("when", in)
		if err := judged(w); err != nil || !strings.Contains(w.last.Text(), "as when it was recorded") {
			t.Errorf("%v: %s, %v", in, w.last.Text(), err)
		}
	}
	w.js(`show(300)`)
	w.do("when", args{"visible": "We use cookies", "was": true}) // it may take a while to come
	w.js(`b.replaceChildren(); show(300)`)
	for _, in := range []args{{"query": args{"hasText": text("We use cookies")}, "was": false},
		{"visible": "Survey", "was": true}} {
		if err := failed(w, "when", in); fault.KindOf(err) != fault.Degraded || !strings.Contains(err.Error(), "the other way") ||
			!strings.Contains(fault.HintOf(err), "`else`") {
			t.Errorf("%v: %v", in, err)
		}
	}
	for want, in := range map[string]args{
		"tools is missing": {"visible": "Shop"},
		"not both":         {"visible": "Shop", "was": true, "tools": []any{args{"web_click": text("Shop")}}},
	} {
		if err := failed(w, "when", in); !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", in, err)
		}
	}
}
