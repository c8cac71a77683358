package helper

import (
	_ "embed"
	"os"
	"strings"
	"testing"
)

//go:embed helper.sum
var sum string

// The program is made of the sources beside it.
func TestJarIsOfItsSources(t *testing.T) {
	got, err := Sources(os.DirFS("java"))
	if err != nil || got != strings.TrimSpace(sum) {
		t.Errorf("helper.jar was made of other sources than those in java: run `make helper` (%v)", err)
	}
}
