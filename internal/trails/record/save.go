package record

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Folder is the folder of a workspace that trails are saved in.
const Folder = "trails"

const (
	suffix      = ".trail.yaml"
	lockWait    = 10 * time.Second
	longestSlug = 60
)

// Target is the place where a trail is saved. The zero value takes the file's name from the title.
type Target struct {
	Path      string        // below the trails folder: "shop/login"; "trails/shop/login.trail.yaml" is the same
	Overwrite bool          // replace what the file holds for this device class
	Wait      time.Duration // how long to wait for another save of the same file; default 10 s
}

// Saved is the result of saving.
type Saved struct {
	Path     string   `json:"path"` // relative to the workspace, with slashes
	File     string   `json:"-"`    // in full
	Change   Change   `json:"change"`
	Steps    int      `json:"steps"`
	Actions  int      `json:"actions"`
	Warnings []string `json:"warnings,omitempty"`
}

// Change is the change of a file.
type Change string

// The changes.
const (
	Created   Change = "created"
	Merged    Change = "merged"   // the recordings of a device class were added
	Replaced  Change = "replaced" // what the file held for the device class was replaced
	Unchanged Change = "unchanged"
)

// NameProject is the hint for a client that has no workspace, in the words of each door.
const NameProject = "Begin in the folder of your project, or name it: workspace in an SDK, an address or the options " +
	"of a request, the header Trailblaze-Workspace of MCP over HTTP."

// Save writes a trail below the trails folder of a workspace, and nowhere else. An existing file keeps its comments
// and the parts of other device classes; its part of the class is replaced only when the target says so. Several
// processes that save at once lose nothing.
func Save(ctx context.Context, workspace string, c *Composed, to Target) (*Saved, error) {
	const op = "save trail"
	if workspace == "" {
		return nil, fault.New(fault.Invalid, op, "there is no workspace to save in").
			WithHint(NameProject)
	}
	name, err := place(workspace, to.Path, c.Trail.Config.Title)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
		return nil, confined(err, name)
	}
	unlock, err := lockFolder(ctx, root, filepath.FromSlash(path.Dir(name)), to.Wait)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return write(root, workspace, name, c, to.Overwrite)
}

// write decides what the file is to hold and replaces it. The folder is locked.
func write(root *os.Root, workspace, name string, c *Composed, overwrite bool) (*Saved, error) {
	const op = "save trail"
	s := &Saved{Path: name, File: filepath.Join(workspace, filepath.FromSlash(name)), Change: Created, Steps: c.Steps,
		Actions: c.Actions, Warnings: c.Warnings}
	t := *c.Trail
	t.Path = name
	classes := t.Config.Classes(c.Classifier)
	old, err := file.ReadIn(root, filepath.FromSlash(name), yaml.MaxSize)
	var data []byte
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if t.Config.ID == "" {
			t.Config.ID = IDOf(name)
		}
		data, err = trail.Encode(&t)
		data = append([]byte(trail.Modeline(root, name, "trail")), data...)
	case err != nil:
		return nil, confined(err, name)
	default:
		var notes []string
		data, notes, err = trail.Merge(old, &t, classes...)
		s.Warnings = append(append([]string{}, notes...), s.Warnings...)
		s.Change = Merged
		if err == nil && string(data) == string(old) {
			s.Change = Unchanged
			return s, nil
		}
		if err == nil && holds(name, old, classes) {
			if s.Change = Replaced; !overwrite {
				return nil, refuseReplacement(name, strings.Join(classes, " and "), old, data)
			}
		}
	}
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	if _, err := yaml.Tokens(string(data)); err != nil {
		return nil, tooLong(c, err)
	}
	if _, problems := trail.Parse(name, data, trail.Strict); problems.Err() != nil {
		return nil, fault.New(fault.Internal, op, "what would be written is no valid trail: %w", problems.Err())
	}
	if err := replace(root, filepath.FromSlash(name), data); err != nil {
		return nil, confined(err, name)
	}
	return s, nil
}

// Vacant refuses a place in which a file has recordings for a class of devices: Save would have to replace them.
func Vacant(workspace, place, class string) error {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "save trail")
	}
	defer func() { _ = root.Close() }()
	switch old, err := file.ReadIn(root, filepath.FromSlash(place), yaml.MaxSize); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return confined(err, place)
	case holds(place, old, []string{class}):
		return fault.New(fault.Conflict, "save trail", "%s already holds a recording for %s", place, class).
			WithHint("Overwrite it, or give another title or path.")
	}
	return nil
}

// holds reports whether a file has recordings for one of these device classes.
func holds(name string, data []byte, classes []string) bool {
	t, _ := trail.Parse(name, data, trail.Lenient)
	if t == nil {
		return false
	}
	steps := t.Steps
	if t.Trailhead != nil {
		steps = append([]trail.Step{*t.Trailhead}, steps...)
	}
	for _, st := range steps {
		for class, calls := range st.Recordings {
			if len(calls) > 0 && (class == trail.V1Classifier || slices.Contains(classes, class)) {
				return true
			}
		}
	}
	return false
}

// refuseReplacement refuses to replace a recording, and shows what would change.
func refuseReplacement(name, classifier string, old, fresh []byte) error {
	d := diff(string(old), string(fresh))
	return fault.New(fault.Conflict, "save trail", "%s already holds a recording for %s, and this one differs:\n%s", name,
		classifier, d).
		WithHint("Save again with overwrite to replace it, or give another title or path.")
}

// tooLong returns the error for a session that does not fit into one trail.
func tooLong(c *Composed, why error) error {
	return fault.New(fault.Invalid, "save trail", "the session has %s in %s, too many for one trail: %w",
		phrase.Count(c.Actions, "call"), phrase.Count(c.Steps, "step"), why).
		WithHint("Nothing is lost: trailblaze session recording prints the whole, to be cut into several files. " +
			"Next time begin a new session for each part of the work.")
}

// replace writes a file so that a reader sees the old or the new one, and a crash leaves one of them.
func replace(root *os.Root, name string, data []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := root.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(name), ".tmp-"+rand.Text())
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

// Preview is the file that Save would write were there none yet.
func Preview(c *Composed) (string, error) {
	data, err := trail.Encode(c.Trail)
	return string(data), fault.Wrap(err, "", "write trail")
}

// Rewrite replaces a file of the workspace by the result of change, under the same lock and with the same care as
// Save. Path is below the workspace, with slashes.
func Rewrite(ctx context.Context, workspace, path string, change func(old []byte) ([]byte, error)) error {
	const op = "change trail"
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	defer func() { _ = root.Close() }()
	name := filepath.FromSlash(path)
	unlock, err := lockFolder(ctx, root, filepath.Dir(name), 0)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := file.ReadIn(root, name, yaml.MaxSize)
	if err != nil {
		return confined(err, path)
	}
	data, err := change(old)
	if err != nil || string(data) == string(old) {
		return err
	}
	if err := replace(root, name, data); err != nil {
		return confined(err, path)
	}
	return nil
}

// lockFolder keeps other savers, of this process and of others, out of a folder. The kernel frees the lock when its
// holder dies.
func lockFolder(ctx context.Context, root *os.Root, folder string, wait time.Duration) (unlock func(), err error) {
	const op = "lock trails folder"
	if wait <= 0 {
		wait = lockWait
	}
	f, err := file.OpenFolderLock(root, folder)
	if err != nil {
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	switch err := file.Lock(ctx, f); {
	case err == nil:
		return func() { _ = f.Close() }, nil
	case ctx.Err() == nil:
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	return nil, fault.New(fault.Busy, op, "somebody else has been saving in %s for %s", folder, wait).
		WithHint("Try again when that is done.")
}

// confined rewords the errors of a confined folder: a symbolic link that leads out of it is refused.
func confined(err error, name string) error {
	if strings.Contains(err.Error(), "escapes from parent") {
		return outside(name)
	}
	return fault.Wrap(err, fault.Denied, "save trail")
}
