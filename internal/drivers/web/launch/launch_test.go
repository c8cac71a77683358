package launch

import (
	"os"
	"testing"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStartStop(t *testing.T) {
	b, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Stop()
	v, err := cdp.Call(t.Context(), b.Conn.Root(), browser.GetVersion, proto.Empty{})
	if err != nil || v.Product != b.Product || v.Product == "" {
		t.Fatalf("version %q, %v", v.Product, err)
	}
	b.Stop()
	if _, err := os.Stat(b.profile); !os.IsNotExist(err) {
		t.Errorf("profile still there: %v", err)
	}
}
