package web

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestDialogs proves that dialogs are answered the moment they open (issue 5).
func TestDialogs(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<p>x`, "/leave": `<button>b</button><script>onbeforeunload=e=>{e.preventDefault()}</script>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	tests := []struct {
		name   string
		policy driver.DialogPolicy
		script string
		want   any
	}{
		{"alert", driver.DialogPolicy{}, `alert('hi'); 'on'`, "on"},
		{"confirm is declined", driver.DialogPolicy{}, `confirm('sure?')`, false},
		{"confirm accepted", driver.DialogPolicy{Accept: true}, `confirm('sure?')`, true},
		{"prompt is declined", driver.DialogPolicy{}, `prompt('name?','x')`, nil},
		{"prompt answered", driver.DialogPolicy{Accept: true, Answer: "Ann"}, `prompt('name?')`, "Ann"},
		{"prompt default", driver.DialogPolicy{Accept: true}, `prompt('name?','Bob')`, "Bob"},
	}
	for _, tt := range tests {
		if err := d.SetDialogPolicy(deadline(t), tt.policy); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, eval[any](t, d, tt.script)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	if err := d.SetDialogPolicy(deadline(t), driver.DialogPolicy{Accept: true, Once: true}); err != nil {
		t.Fatal(err)
	}
	if got := eval[[]bool](t, d, `[confirm('1'), confirm('2')]`); !cmp.Equal(got, []bool{true, false}) {
		t.Errorf("once: %v", got)
	}
	log, err := d.DialogLog(deadline(t))
	if err != nil || len(log) != 8 {
		t.Fatalf("log %v, %v", log, err)
	}
	want := driver.DialogEvent{Dialog: screen.Dialog{Type: "prompt", Message: "name?"}, Accepted: true, Answer: "Ann"}
	if diff := cmp.Diff(want, log[4]); diff != "" {
		t.Error(diff)
	}
	open(t, d, srv.URL+"/leave")
	eval[any](t, d, `document.querySelector('button').click(); 1`)
	open(t, d, srv.URL+"/") // not held up by beforeunload
}

// TestKeptDialog proves that a dialog can stay open, shows in the capture, and is answered by hand.
func TestKeptDialog(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<p>x`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	_, err := d.HandleDialog(deadline(t), true, "")
	wantFault(t, err, fault.NotFound, "no dialog is open")
	if err := d.SetDialogPolicy(deadline(t), driver.DialogPolicy{Keep: true}); err != nil {
		t.Fatal(err)
	}
	eval[any](t, d, `setTimeout(()=>{window.answer=prompt('name?','dflt')}); 1`)
	if err := d.frames.Await(deadline(t), "dialog", func() (bool, error) { return d.frames.Active.Dialog != nil, nil }); err != nil {
		t.Fatal(err)
	}
	s := snapshot(t, d)
	want := &screen.Dialog{Type: "prompt", Message: "name?", Default: "dflt"}
	if diff := cmp.Diff(want, s.Dialog); diff != "" {
		t.Error(diff)
	}
	if s.Quality.Verdict != screen.Degraded {
		t.Errorf("verdict %+v", s.Quality)
	}
	_, err = d.Screenshot(deadline(t), driver.ScreenshotOptions{})
	wantFault(t, err, fault.NotActed, "a dialog is open")
	e, err := d.HandleDialog(deadline(t), true, "Eve")
	if err != nil || e.Answer != "Eve" || !e.Accepted {
		t.Errorf("%+v, %v", e, err)
	}
	if got := eval[string](t, d, "window.answer"); got != "Eve" {
		t.Errorf("page got %q", got)
	}
}
