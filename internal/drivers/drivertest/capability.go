package drivertest

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// capabilities names each capability, how to find it, and how it is held to what it promises on every platform; nil
// where another test does that, or where the platform alone can say it.
var capabilities = []struct {
	name string
	in   func(driver.Device) bool
	hold func(*stage)
}{
	{"AppManager", has[driver.AppManager], holdApps},
	{"Ascriber", has[driver.Ascriber], nil},
	{"Clipboard", has[driver.Clipboard], holdClipboard},
	{"Concealer", has[driver.Concealer], nil}, // testConceal
	{"Console", has[driver.Console], holdConsole},
	{"Dialogs", has[driver.Dialogs], nil},
	{"Downloader", has[driver.Downloader], nil},
	{"Evaluator", has[driver.Evaluator], nil},
	{"Interrupter", has[driver.Interrupter], holdInterrupt},
	{"Leaver", has[driver.Leaver], holdLeave},
	{"Lifeline", has[driver.Lifeline], holdLifeline},
	{"Navigator", has[driver.Navigator], nil},
	{"Network", has[driver.Network], nil},
	{"Reader", has[driver.Reader], nil},
	{"Recaller", has[driver.Recaller], nil},
	{"RefQuerier", has[driver.RefQuerier], nil},
	{"Routed", has[driver.Routed], nil},
	{"StaleRefs", has[driver.StaleRefs], nil}, // testStale
	{"Storage", has[driver.Storage], nil},
	{"Tabs", has[driver.Tabs], nil},
	{"Viewport", has[driver.Viewport], nil},
	{"Waiter", has[driver.Waiter], nil}, // testWait
}

func has[T any](d driver.Device) bool { _, ok := driver.As[T](d); return ok }

// testCapabilities: a device has the capabilities that its driver says, no more and no fewer, and each keeps its word.
func testCapabilities(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	var found []string
	for _, c := range capabilities {
		if !c.in(s.d) {
			continue
		}
		found = append(found, c.name)
		if c.hold != nil {
			t.Run(c.name, func(t *testing.T) { c.hold(&stage{t, s.d}) })
		}
	}
	want := slices.Sorted(slices.Values(sub.Has))
	if d := cmp.Diff(want, found); d != "" {
		t.Errorf("the device has other capabilities than its driver says (-said +found):\n%s", d)
	}
}

func as[T any](s *stage) T {
	s.Helper()
	c, ok := driver.As[T](s.d)
	if !ok {
		s.Fatalf("the device has no %T", *new(T))
	}
	return c
}

// holdApps: what is no app is refused before anything is done, in each way.
func holdApps(s *stage) {
	apps := as[driver.AppManager](s)
	for name, call := range map[string]func(context.Context) error{
		"launch": func(ctx context.Context) error { _, err := apps.LaunchApp(ctx, "no app", "RESUME"); return err },
		"stop":   func(ctx context.Context) error { return apps.StopApp(ctx, "no app") },
		"clear":  func(ctx context.Context) error { return apps.ClearAppData(ctx, "no app") },
	} {
		if k := fault.KindOf(call(s.ctx())); k != fault.Invalid && k != fault.NotFound {
			s.Errorf("%s of what is no app: %q", name, k)
		}
	}
	s.see("Save")
}

func holdClipboard(s *stage) {
	clip := as[driver.Clipboard](s)
	if err := clip.SetClipboard(s.ctx(), "ß 漢\n2"); err != nil {
		s.Fatal(err)
	}
	if got, err := clip.Clipboard(s.ctx()); err != nil || got != "ß 漢\n2" {
		s.Errorf("holds %q, %v", got, err)
	}
}

// holdConsole: messages have numbers that rise, and only those after a number are returned.
func holdConsole(s *stage) {
	console := as[driver.Console](s)
	all, err := console.ConsoleMessages(s.ctx(), 0)
	if err != nil {
		s.Fatal(err)
	}
	last := uint64(0)
	for _, m := range all {
		if m.Seq <= last || m.Level == "" || m.Time.IsZero() {
			s.Errorf("after %d: %+v", last, m)
		}
		last = m.Seq
	}
	if later, err := console.ConsoleMessages(s.ctx(), 1<<62); err != nil || len(later) > 0 {
		s.Errorf("after the last: %v, %v", later, err)
	}
}

// holdInterrupt: a device that answers is left alone.
func holdInterrupt(s *stage) {
	if done, err := as[driver.Interrupter](s).Interrupt(s.ctx()); done != "" || err != nil {
		s.Errorf("a device that answers was interrupted: %q, %v", done, err)
	}
	s.see("Save")
}

// holdLeave: a screen that stays is not waited for.
func holdLeave(s *stage) {
	if e, err := as[driver.Leaver](s).Leave(s.ctx()); err != nil || e.Settle.Reason != "quiet" {
		s.Errorf("%+v, %v", e, err)
	}
}

func holdLifeline(s *stage) {
	if as[driver.Lifeline](s).Gone() {
		s.Error("a device that answers is gone")
	}
}
