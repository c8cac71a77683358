package web

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// mayOpen refuses addresses that a page under test has no business with.
func (d *browserContext) mayOpen(raw string) error {
	u, err := url.Parse(raw)
	if err != nil {
		return fault.New(fault.Invalid, "open page", "not a URL: %w", err)
	}
	switch u.Scheme {
	case "http", "https", "about", "data", "blob", "":
		return nil
	case "file":
		if d.options.AllowFiles || u.Host == "" && below(d.options.Files, filePath(u.Path)) {
			return nil
		}
		return fault.New(fault.Denied, "open page", "%s is a local file outside of the workspace", raw).
			WithHint("Allow file URLs for this run (--allow-files) if the trail may read local files.")
	}
	return fault.New(fault.Denied, "open page", "%s: URLs are not opened", u.Scheme).
		WithHint("Use an http or https address.")
}

// opening refuses addresses that may not be opened, and prepares for the others.
func (d *Device) opening(ctx context.Context, raw string) error {
	err := d.mayOpen(raw)
	if err != nil || d.options.AllowFiles || !isFileURL(raw) {
		return err
	}
	return d.confineFiles(ctx)
}

func isFileURL(raw string) bool { return len(raw) >= 5 && strings.EqualFold(raw[:5], "file:") }

// filePath is the file that a URL's path names: on Windows a slash stands before the drive.
func filePath(path string) string {
	file := filepath.FromSlash(path)
	if len(file) > 1 && filepath.VolumeName(file[1:]) != "" {
		return file[1:]
	}
	return file
}

// below reports whether a file lies in a folder, by where both really are.
func below(folder, file string) bool {
	if folder == "" {
		return false
	}
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return false
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return false
	}
	rel, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(rel)
}

// confineFiles keeps the pages of a folder from showing what lies outside of it, such as in a
// frame.
func (d *Device) confineFiles(ctx context.Context) error {
	d.frames.Lock()
	done := d.intercepted.files
	d.intercepted.files = true
	d.frames.Unlock()
	if done {
		return nil
	}
	return d.intercept(ctx)
}
