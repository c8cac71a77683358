package security

import (
	"os"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

// binary is the product.
var binary string

func TestMain(m *testing.M) {
	if how := os.Getenv(attackEnv); how != "" {
		os.Exit(attackServer(how))
	}
	os.Exit(housetest.Main(m, map[string]*string{"": &binary}))
}
