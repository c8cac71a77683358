package drive

import (
	"bytes"
	"errors"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
)

// show prints a reply: the tool's text and the changes of the screen on standard output, for pipes; the device,
// warnings and failures on standard error. It returns the error that ends the command, already explained.
func (c *Command) show(r *api.Reply) error {
	if err := c.keepPictures(r); err != nil {
		return err
	}
	if c.JSON {
		if err := c.PrintJSON(r); err != nil {
			return err
		}
		return shell.Exit(shell.CodeOfReply(r))
	}
	for _, w := range r.Warnings {
		c.Warn("%s", w)
	}
	bad := shell.CodeOfReply(r) != shell.ExitOK
	c.printText(r, bad)
	if o := r.Observation; o != nil {
		for _, text := range []string{c.fenced(strings.TrimRight(o.Text, "\n")), pictureOf(o)} {
			if text != "" {
				c.Printf("%s\n", text)
			}
		}
	}
	c.where(r)
	if bad {
		c.failed(r) // last, where one looks first
	}
	return shell.Exit(shell.CodeOfReply(r))
}

// printText prints what the tool said; of a failed call only the files.
func (c *Command) printText(r *api.Reply, bad bool) {
	if r.Result == nil {
		return
	}
	for _, piece := range r.Result.Content {
		switch {
		case piece.Path != "":
			c.Printf("%s\n", piece.Path)
		case piece.Text != "" && !bad:
			text := strings.TrimRight(piece.Text, "\n")
			if r.Result.Page && strings.Contains(text, "\n") { // a value on one line is what a script takes
				text = c.fenced(text)
			}
			c.Printf("%s\n", text)
		}
	}
}

// fenced marks the text of a page in a pipe: its reader is a coding agent as likely as a program, and no line of a page
// must pass for one of ours.
func (c *Command) fenced(text string) string {
	if c.Terminal || text == "" {
		return text
	}
	return observe.MarkUntrusted(text)
}

// failed explains what went wrong.
func (c *Command) failed(r *api.Reply) {
	if err := r.Fault.Err(); err != nil {
		c.Explain(err)
		return
	}
	for _, piece := range r.Result.Content {
		if piece.Text != "" {
			c.Errorf("%s %s\n", c.Style().Bad("error:"), piece.Text)
		}
	}
}

// where prints the device, and the state of the call.
func (c *Command) where(r *api.Reply) {
	var parts []string
	if r.Device != "" {
		parts = append(parts, "on "+r.Device)
	}
	parts = append(parts, shell.ShortDuration(time.Duration(r.DurationMS*float64(time.Millisecond))))
	if r.Job != "" {
		parts = append(parts, "goes on as job "+r.Job)
	}
	if r.Device != "" || r.Job != "" {
		c.Errorf("%s\n", c.Style().Dim(strings.Join(parts, ", ")))
	}
}

// pictureOf returns the place of the picture of the screen.
func pictureOf(o *api.Observation) string {
	if o.Image == nil {
		return ""
	}
	return o.Image.Path
}

// keepPictures replaces the pictures of a reply by the paths of files with them: a shell cannot look at bytes.
func (c *Command) keepPictures(r *api.Reply) error {
	var all []*api.Piece
	if r.Result != nil {
		for i := range r.Result.Content {
			all = append(all, &r.Result.Content[i])
		}
	}
	if r.Observation != nil && r.Observation.Image != nil {
		all = append(all, r.Observation.Image)
	}
	wanted := c.picture
	for i, piece := range all {
		if piece.Type != "image" || len(piece.Data) == 0 {
			continue
		}
		path := wanted
		wanted = "" // a second one gets a file of its own
		if path == "" {
			var err error
			if path, err = c.pictureFile(r.CallID, i, piece.MIME); err != nil {
				return err
			}
		}
		data, err := pictureFor(path, piece.MIME, piece.Data)
		if err == nil {
			err = os.WriteFile(path, data, 0o600)
		}
		if err != nil {
			return fault.Wrap(err, fault.Unavailable, "keep picture")
		}
		piece.Data, piece.Path = nil, path
	}
	return nil
}

// pictureFor is a picture in the format that the name of its file says. Pictures of screens come as JPEG.
func pictureFor(path, mime string, data []byte) ([]byte, error) {
	if !strings.EqualFold(filepath.Ext(path), ".png") || mime != "image/jpeg" {
		return data, nil
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = png.Encode(&out, img)
	return out.Bytes(), err
}

// pictureFile makes a new file in the system's folder for temporary files, in one of our own that others cannot read.
func (c *Command) pictureFile(call string, n int, mime string) (string, error) {
	const op = "keep picture"
	dir := filepath.Join(os.TempDir(), "trailblaze-pictures-"+strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fault.Wrap(err, fault.Unavailable, op)
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !shell.IsPrivate(info) {
		return "", fault.Wrap(errors.Join(err, errors.New(dir+" belongs to somebody else")), fault.Denied, op)
	}
	kind := strings.TrimPrefix(mime, "image/")
	if kind == "" || strings.ContainsAny(kind, `/\.+`) {
		kind = "png"
	}
	f, err := os.CreateTemp(dir, strings.Map(plainName, call)+"-"+strconv.Itoa(n)+"-*."+kind)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, op)
	}
	return f.Name(), f.Close()
}

// plainName keeps the harmless characters of a file's name.
func plainName(r rune) rune {
	if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return -1
}
