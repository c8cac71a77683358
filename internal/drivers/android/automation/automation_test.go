package automation

import (
	"archive/zip"
	"bytes"
	"flag"
	"os"
	"testing"
)

var dex = flag.String("dex", "", "make helper.jar of these compiled classes, as `make helper` does")

// The program is made of the sources beside it. Its jar has no times, so that the same sources give the same bytes.
func TestJarIsOfItsSources(t *testing.T) {
	got, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	if *dex == "" {
		if sum, err := os.ReadFile("helper.sum"); err != nil || got != string(bytes.TrimSpace(sum)) {
			t.Errorf("helper.jar was made of other sources than those in java: run `make helper` (%v)", err)
		}
		return
	}
	classes, err := os.ReadFile(*dex)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if w, err := z.Create("classes.dex"); err != nil {
		t.Fatal(err)
	} else if _, err := w.Write(classes); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"helper.jar": b.Bytes(), "helper.sum": []byte(got + "\n")} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
