package daemon

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/handover"
)

// TestCommand: the daemon runs no command that it cannot read or does not take, ends one with its process, and makes way
// for a newer daemon only after it.
func TestCommand(t *testing.T) {
	p := newPlace(t)
	t.Setenv(envOpen, p.home+"/open")
	c := p.dial()
	post := func(body []byte) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, client.URL+handover.Path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.HTTP().Do(req)
		if err != nil {
			return &http.Response{StatusCode: http.StatusBadRequest, Body: io.NopCloser(bytes.NewReader(nil))}
		}
		return res
	}
	for _, bad := range [][]byte{
		nil, []byte("{}"), make([]byte, handover.MaxRequest+100), handover.Request{Args: []string{"daemon", "serve"}}.Encode(),
	} {
		if res := post(bad); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%.40q: status %d", bad, res.StatusCode)
		}
	}
	res := post(handover.Request{Args: []string{"tool", "x"}}.Encode())
	want := "o\x00\x00\x00\x08lasting\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(res.Body, got); err != nil || string(got) != want {
		t.Fatalf("it answers %q, %v", got, err)
	}
	var r retirement
	if err := c.Post(t.Context(), "/v1/retire", &r); err != nil || r.Leaving {
		t.Errorf("asked to make way in the middle of a command: %+v, %v", r, err)
	}
	_ = res.Body.Close()
	c.Close()
	p.gone(c)
	if _, err := p.find(); err == nil || errors.Is(err, client.ErrGone) {
		t.Errorf("afterwards: %v", err)
	}
}
