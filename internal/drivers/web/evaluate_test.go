package web

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestEvaluate proves R35: how scripts are read, also where a policy of the page forbids eval.
func TestEvaluate(t *testing.T) {
	t.Parallel()
	srv := serveFunc(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-x'")
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<title>T</title><script nonce=x>window.mine=7</script><p id=p>x`))
	})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL)
	tests := []struct {
		script string
		want   any
	}{
		{"1+1", 2.0},
		{"window.mine;", 7.0},
		{"{a: 1}", map[string]any{"a": 1.0}},
		{"const x = 2; x * 2", 4.0},
		{"() => document.title", "T"},
		{"async () => { await null; return [1] }", []any{1.0}},
		{"function f() { return 3 }", 3.0},
		{"await Promise.resolve('p')", "p"},
		{"return document.title", "T"},
		{"undefined", nil},
		{"NaN", "NaN"},
		{"document.querySelector('#p').textContent", "x"},
		{"JSON.parse('[1]') // done", []any{1.0}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, eval[any](t, d, tt.script)); diff != "" {
			t.Errorf("%s: %s", tt.script, diff)
		}
	}
	for _, script := range []string{"throw new Error('boom')", "window.n=(window.n||0)+1; JSON.parse('{')", "(() => { throw new Error('boom') })", "1 +"} {
		_, err := d.Evaluate(deadline(t), script, 0)
		if fault.KindOf(err) != fault.NotActed {
			t.Errorf("%s: %v", script, err)
		}
	}
	if n := eval[int](t, d, "window.n"); n != 1 {
		t.Errorf("a failing script ran %d times", n)
	}
}
