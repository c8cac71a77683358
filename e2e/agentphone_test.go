package e2e

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
)

// TestAgentOnPhone: on a phone the agent carries out a trail in plain language, which then replays without a model. A button
// with another name heals by relocation, and a way that has a question on it by the agent, which does that one step again.
func TestAgentOnPhone(t *testing.T) {
	t.Parallel()
	srv, p := adbtest.Start(t), androidtest.New("p1")
	var label, question atomic.Value
	label.Store("Place the order")
	question.Store("")
	var placed atomic.Int32
	done := func() {
		placed.Add(1)
		p.Open(androidtest.Label("Thank you"))
	}
	orders := func() {
		press := done
		if yes, _ := question.Load().(string); yes != "" {
			press = func() {
				p.Open(androidtest.Label("Sure?"), androidtest.Button(yes, func() { p.Close(); done() }))
			}
		}
		p.Show(androidtest.Label("Cart"), androidtest.Button("Help", nil), androidtest.Button(label.Load().(string), press))
		p.Do(func() { p.Front = "com.shop" })
	}
	p.Show(androidtest.Label("Home"))
	p.Do(func() {
		p.Commands = func(line string, out, _ io.Writer) int {
			switch {
			case strings.Contains(line, "resolve-activity"):
				_, _ = io.WriteString(out, "com.shop/.Main\n")
			case strings.HasPrefix(line, "am start"):
				_, _ = io.WriteString(out, "Status: ok\n")
				orders()
			case strings.Contains(line, "pm clear"):
				_, _ = io.WriteString(out, "Success\n")
			}
			return 0
		}
	})
	srv.Set(p.Adb())
	s, model := newModelSitting(t)
	s.env = append(s.env, "ADB_SERVER_SOCKET="+srv.Env()("ADB_SERVER_SOCKET"))
	file := filepath.Join(s.work, "trails", "order.trail.yaml")
	text := "config: { id: order }\ntrail:\n  - step: Open the cart\n  - step: Order\n  - verify: It says thank you\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	model.Answer(func(q llmtest.Question) llmtest.Turn {
		switch text := q.Text(); {
		case q.ForJudge():
			return llmtest.Agree(q)
		case strings.Contains(text, "Objective: Open") && !strings.Contains(q.Screen(), "Cart"):
			return llmtest.Call("launchApp", args{"appId": "com.shop"})
		case strings.Contains(text, "Objective: Order") && !strings.Contains(q.Screen(), "Thank you"):
			return llmtest.Call("tap", args{"ref": q.Ref("button", "Place the order")})
		case strings.Contains(text, "Objective: It says") && !strings.Contains(text, "1. assertVisible"):
			return llmtest.Call("assertVisible", args{"text": "Thank you"})
		}
		return says("COMPLETED", "none")(q)
	})
	s.shell("trailblaze run trails/order.trail.yaml --device android", 0)
	s.shell("trailblaze run trails/order.trail.yaml --device android --llm none", 0)
	recorded, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	recorded = bytes.ReplaceAll(recorded, []byte("- tapOnElementBySelector:\n"), // what is gone is not waited for so long
		[]byte("- tapOnElementBySelector:\n            timeoutMs: 1500\n"))
	heal := func(folder, flags, want string) {
		t.Helper()
		if err := os.WriteFile(file, recorded, 0o600); err != nil {
			t.Fatal(err)
		}
		before := placed.Load()
		s.shell("trailblaze run trails/order.trail.yaml --device android --llm none --no-report", 1)
		if placed.Load() != before {
			t.Errorf("%s: ordered without healing", folder)
		}
		s.shell("trailblaze run trails/order.trail.yaml --device android --heal --report-dir "+folder+flags, 4)
		s.shell("trailblaze heal apply "+folder, 0)
		s.shell("trailblaze run trails/order.trail.yaml --device android --llm none --no-report", 0)
		if now, err := os.ReadFile(file); err != nil || !strings.Contains(string(now), want) {
			t.Errorf("%s: the trail lacks %q: %v\n%s", folder, want, err, now)
		}
	}
	label.Store("Place order now")
	heal("moved", " --llm none", "Place order now")

	label.Store("Continue")
	question.Store("Yes, order")
	model.Answer(redoes(func(q llmtest.Question, screen string) llmtest.Turn {
		switch {
		case strings.Contains(screen, "Thank you"):
		case strings.Contains(screen, "Yes, order"):
			return llmtest.Call("tap", args{"ref": q.Ref("button", "Yes, order")})
		default:
			return llmtest.Call("tap", args{"ref": q.Ref("button", "Continue")})
		}
		return says("COMPLETED", "none")(q)
	}))
	heal("redone", "", "Yes, order")
}
