package agent_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(webtest.Closing(m)) }

func contextWithCancel(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithCancel(t.Context())
}
