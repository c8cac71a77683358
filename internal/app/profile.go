package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// keptProfile is a named login state, cookies and local storage, that outlives the browser. A device with the profile
// begins with it and saves it on closing. The zero value is no profile.
type keptProfile struct {
	root string
	name string
}

var profileName = regex.Lazy(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// profile returns the profile of a name. It refuses a name that could lead out of the folder.
func (p *browsers) profile(name string) (keptProfile, error) {
	if name == "" {
		return keptProfile{}, nil
	}
	if len(name) > 60 || !profileName().MatchString(name) {
		return keptProfile{}, fault.New(fault.Invalid, "open profile", "%q is not a name of a profile", name).
			WithHint("Use letters, digits, dashes and underscores.")
	}
	if p.Profiles == "" {
		return keptProfile{}, fault.New(fault.Unsupported, "open profile", "profiles are kept by the daemon only")
	}
	if err := os.MkdirAll(p.Profiles, 0o700); err != nil {
		return keptProfile{}, fault.Wrap(err, fault.Denied, "open profile")
	}
	return keptProfile{p.Profiles, name + ".json"}, nil
}

// load reads the login state; a profile that is used for the first time has none.
func (k keptProfile) load() (json.RawMessage, error) {
	if k.name == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(k.root)
	if err != nil {
		return nil, fault.Wrap(err, fault.Denied, "open profile")
	}
	defer func() { _ = root.Close() }()
	data, err := file.ReadIn(root, k.name, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Denied, "open profile")
	}
	if !json.Valid(data) {
		return nil, fault.New(fault.Invalid, "open profile", "%s is damaged", k.name).
			WithHint("Remove it from %s to begin anew.", k.root)
	}
	return data, nil
}

// saveTime bounds reading the login state of a device that is about to be closed.
const saveTime = 3 * time.Second

// save replaces the login state in one step. It holds the user's logins: only the user can read it.
func (k keptProfile) save(dev driver.Device) error {
	if k.name == "" {
		return nil
	}
	st, ok := driver.As[driver.Storage](dev)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), saveTime)
	defer cancel()
	data, err := st.StorageState(ctx)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(k.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	tmp := k.name + "." + rand.Text()[:8]
	if err := root.WriteFile(tmp, data, 0o600); err != nil {
		return err
	}
	if err := root.Rename(tmp, k.name); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	return nil
}
