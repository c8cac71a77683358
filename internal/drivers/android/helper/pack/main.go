// Command pack puts the compiled classes of the helper into helper.jar, without times so that the same sources give the
// same bytes, and writes down the sources that it was made of: pack classes.dex FOLDER.
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/helper"
)

func main() {
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func pack(dex, folder string) error {
	data, err := os.ReadFile(dex)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("classes.dex")
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "helper.jar"), b.Bytes(), 0o644); err != nil { //nolint:gosec // not secret
		return err
	}
	sum, err := helper.Sources(os.DirFS(filepath.Join(folder, "java")))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "helper.sum"), []byte(sum+"\n"), 0o644) //nolint:gosec // not secret
}
