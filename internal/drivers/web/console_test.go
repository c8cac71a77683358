package web

import (
	"strings"
	"testing"
)

// TestConsole proves that log lines and uncaught errors are kept, with level, text and place.
func TestConsole(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<script>
console.log('a', 1, {b: 2}); console.warn('w'); console.error('e'); console.info('i');
setTimeout(() => { throw new TypeError('boom') });
Promise.reject(new Error('later'));
</script><iframe src="OTHER/in"></iframe>`, "/in": `<script>console.log('from frame')</script>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	eval[any](t, d, "await new Promise(r=>setTimeout(r)); console.log('x'.repeat(20000)); 1")
	log, err := d.ConsoleMessages(deadline(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a 1 {b: 2}": "log", "w": "warning", "e": "error", "i": "info", "boom": "exception", "later": "exception", "from frame": "log"}
	for text, level := range want {
		found := false
		for _, m := range log {
			if m.Level == level && strings.Contains(m.Text, text) && strings.Contains(m.Source, "/") {
				found = true
			}
		}
		if !found {
			t.Errorf("no %s %q in %+v", level, text, log)
		}
	}
	last := log[len(log)-1]
	if len(last.Text) > 8<<10+10 {
		t.Errorf("a message of %d bytes was kept", len(last.Text))
	}
	if rest, _ := d.ConsoleMessages(deadline(t), last.Seq); len(rest) != 0 {
		t.Errorf("since the last: %v", rest)
	}
}
