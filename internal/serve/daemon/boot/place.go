package boot

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// Boot is a daemon's description for its clients, in a file that only its user can read.
type Boot struct {
	PID     int       `json:"pid"`
	Build   string    `json:"build"`
	Version string    `json:"version"`
	Socket  string    `json:"socket"`         // of the unix socket
	Port    int       `json:"port,omitempty"` // on 127.0.0.1; 0 when TCP could not be had
	Token   string    `json:"token"`
	Started time.Time `json:"started"`
}

// buildHead is the number of bytes of a program's beginning that identify it: they hold the linker's build id on every
// system. Size and time alone would do if package managers did not set all times alike.
const buildHead = 8 << 10

// Build names the program on disk. A replaced file is another build; a process of the old one
// computes the same name for it as the new one does.
func Build() (string, error) {
	const op = "look at our own program"
	exe, err := proc.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(exe)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, op)
	}
	head, err := io.ReadAll(io.LimitReader(f, buildHead))
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, op)
	}
	sum := sha256.Sum256(fmt.Appendf(head, "|%d|%d", info.Size(), info.ModTime().UnixNano()))
	return hex.EncodeToString(sum[:6]), nil
}

// Place is the folder of the files of a build's daemon.
type Place struct{ Dir string }

// PlaceOf is the place of a build below a home.
func PlaceOf(home, build string) Place { return Place{filepath.Join(home, "run", build)} }

// Places lists the places of every build that has run below a home.
func Places(home string) []Place {
	entries, err := os.ReadDir(filepath.Join(home, "run"))
	if err != nil {
		return nil
	}
	var out []Place
	for _, e := range entries {
		p := PlaceOf(home, e.Name())
		if e.IsDir() {
			if _, err := os.Stat(p.BootFile()); err == nil {
				out = append(out, p)
			}
		}
	}
	return out
}

// BootFile holds the daemon's address and token.
func (p Place) BootFile() string { return filepath.Join(p.Dir, "daemon.json") }

// LogFile is the daemon's log.
func (p Place) LogFile() string { return filepath.Join(p.Dir, "daemon.log") }

// LockFile is locked by the daemon while it runs.
func (p Place) LockFile() string { return filepath.Join(p.Dir, "daemon.lock") }

// startFile is locked by a client while it starts the daemon.
func (p Place) startFile() string { return filepath.Join(p.Dir, "start.lock") }

// maxSocket is the length of a socket's path that every system accepts.
const maxSocket = 100

// Socket is the path of the daemon's socket: in its place, or in the system's temporary folder when
// that path would be too long. The folder there must be this user's alone.
func (p Place) Socket() (string, error) {
	own := filepath.Join(p.Dir, "daemon.sock")
	if len(own) <= maxSocket {
		return own, nil
	}
	sum := sha256.Sum256([]byte(p.Dir))
	dir := filepath.Join(os.TempDir(), "trailblaze-"+strconv.Itoa(os.Getuid()))
	if err := Private(dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".sock"), nil
}

// Private makes a folder that only its user can enter, or refuses one that others own or can enter.
func Private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.New(fault.Denied, "make folder", "%w", err).
			WithHint("Set %s to a folder that you can write in.", homedir.Env)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fault.Wrap(err, fault.Denied, "look at folder")
	}
	if !info.IsDir() || !isOwn(info) {
		return fault.New(fault.Denied, "look at folder", "%s is not a folder of this user", dir).
			WithHint("Remove it, or set TRAILBLAZE_HOME to a folder of yours.")
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder needs its x
			return fault.Wrap(err, fault.Denied, "close folder to others")
		}
	}
	return nil
}

// Read reads the boot file of a place; fault.NotFound when there is none.
func Read(p Place) (*Boot, error) {
	const op = "find daemon"
	info, err := os.Lstat(p.BootFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, op, "no daemon is running").
			WithHint("Any command that drives a device starts it; so does `trailblaze daemon start`.")
	}
	if err != nil {
		return nil, fault.New(fault.Denied, op, "%w", err).
			WithHint("Set %s to a folder that you can write in.", homedir.Env)
	}
	if !info.Mode().IsRegular() || !isOwn(info) || tooOpen(info) {
		return nil, fault.New(fault.Denied, op, "%s is not a file that only this user can read; it may be a trap",
			p.BootFile()).WithHint("Remove it.")
	}
	data, err := os.ReadFile(p.BootFile())
	if err != nil {
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	var b Boot
	if err := json.Unmarshal(data, &b); err != nil || b.Token == "" || b.Socket == "" && b.Port == 0 {
		return nil, fault.New(fault.NotFound, op, "%s is damaged", p.BootFile())
	}
	return &b, nil
}

// Write replaces the boot file in one step.
func Write(p Place, b Boot) error {
	data, err := json.Marshal(b)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "write boot file")
	}
	tmp := p.BootFile() + "." + rand.Text()[:8]
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return fault.Wrap(err, fault.Denied, "write boot file")
	}
	if err := os.Rename(tmp, p.BootFile()); err != nil {
		_ = os.Remove(tmp)
		return fault.Wrap(err, fault.Denied, "write boot file")
	}
	return nil
}
