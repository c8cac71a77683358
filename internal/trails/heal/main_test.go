package heal_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(webtest.Closing(m)) }
