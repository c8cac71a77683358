package conformance_test

import (
	"context"
	"flag"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/internal/mcpserver"
	"github.com/trailblaze-dev/trailblaze/internal/mcpserver/conformance"
)

var withSuite = flag.Bool("suite", false, "run the npm suite (run `make conformance`, which installs it)")
var serve = flag.Duration("serve", 0, "")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestServe(t *testing.T) {
	if *serve == 0 {
		t.Skip()
	}
	url := start(t, true)
	t.Log(url)
	println(url)
	time.Sleep(*serve)
}

func start(t *testing.T, fixtures bool) string {
	rig := hubtest.New(t, hubtest.Options{})
	o := mcpserver.Options{Hub: rig.Hub, Version: "test", Workspace: rig.Workspace}
	if fixtures {
		f := conformance.New()
		t.Cleanup(f.Close)
		o.Extra = f.Add
	}
	m := mcpserver.New(o)
	srv := httptest.NewServer(m)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := m.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
		srv.Close()
	})
	return srv.URL
}
