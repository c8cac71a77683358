package session

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// pages is a device whose pages did something before and after a moment.
type pages struct {
	driver.Device
	at     time.Time
	secret string
}

func (p pages) Info() driver.Info { return driver.Info{ID: "web"} }

func (p pages) Requests(context.Context, uint64) (out []driver.Request, err error) {
	out = append(out, driver.Request{URL: "http://shop/before", Started: p.at.Add(-time.Second)})
	for range maxActivity {
		out = append(out, driver.Request{
			URL: "http://shop/?q=" + p.secret, PostData: "body", Headers: map[string]string{"Cookie": "c"}, Started: p.at.Add(time.Second),
		})
	}
	return out, nil
}

func (p pages) SetRoutes(context.Context, []driver.Route) error { return nil }

func (p pages) ConsoleMessages(context.Context, uint64) ([]driver.ConsoleMessage, error) {
	return []driver.ConsoleMessage{
		{Text: "before", Time: p.at.Add(-time.Second)}, {Level: "error", Text: "no " + p.secret + strings.Repeat("x", 5000), Time: p.at.Add(time.Second)},
	}, nil
}

// TestActivityIsKept: a session that ends keeps what the pages did since it began, within bounds and without secrets.
func TestActivityIsKept(t *testing.T) {
	root, m := t.TempDir(), memory.New()
	m.SetSecret("pw", "correct horse")
	at := time.Now()
	s, err := Open(t.Context(), Options{Root: root, ID: "one", Device: pages{at: at, secret: "correct horse"}, Memory: m, Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(event.Passed); err != nil {
		t.Fatal(err)
	}
	a, err := KeptActivity(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Requests) != maxActivity || len(a.Console) != 1 || len(a.Console[0].Text) > maxActivityText {
		t.Fatalf("%d requests, %d lines: %.100v", len(a.Requests), len(a.Console), a.Console)
	}
	if r := a.Requests[0]; r.URL != "http://shop/?q=••••••" || r.PostData != "" || r.Headers != nil {
		t.Errorf("kept %+v", r)
	}
	if !strings.HasPrefix(a.Console[0].Text, "no ••••••x") {
		t.Errorf("kept %.30q", a.Console[0].Text)
	}
}
