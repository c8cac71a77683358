package hub

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// seatLife is how long a seat is remembered after it was last used.
const seatLife = 7 * 24 * time.Hour

var handlePattern = regexp.MustCompile(`^tb_[a-z2-7]{26}$`)

// ValidHandle says whether h can name a seat. Nothing else is ever joined to a path.
func ValidHandle(h string) bool { return handlePattern.MatchString(h) }

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func newHandle() string { return "tb_" + strings.ToLower(rand.Text()) }

// sharedHandle is the seat that all commands of one shell user share in one workspace, so that what one command sets the
// next one finds.
func sharedHandle(n NewSeat) string {
	sum := sha256.Sum256([]byte(n.Client + "\x00" + n.Name + "\x00" + n.Workspace))
	return "tb_" + lowerBase32.EncodeToString(sum[:])[:26]
}

// seatStore keeps seats as one file each. Calls for one seat are made one at a time.
type seatStore struct {
	dir string // "" keeps nothing
	now func() time.Time
}

func (st seatStore) path(handle string) string { return filepath.Join(st.dir, handle+".json") }

func (st seatStore) save(s SeatState) error {
	const op = "save seat"
	if st.dir == "" {
		return nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		return fault.Wrap(err, fault.Internal, op)
	}
	return fault.Wrap(replaceFile(st.path(s.Handle), data), fault.Unavailable, op)
}

// load reads a seat back; ok is false when there is none, or none that is still good.
func (st seatStore) load(handle string) (s SeatState, ok bool) {
	if st.dir == "" || !ValidHandle(handle) {
		return s, false
	}
	data, err := os.ReadFile(st.path(handle))
	if err != nil || json.Unmarshal(data, &s) != nil || s.Handle != handle || st.now().Sub(s.Seen) > seatLife {
		return SeatState{}, false
	}
	return s, true
}

// sweep forgets seats that nobody has used for a week, and the longest unused of very many.
func (st seatStore) sweep() {
	if st.dir == "" {
		return
	}
	entries, err := os.ReadDir(st.dir)
	if err != nil {
		return
	}
	seats := map[string]time.Time{}
	defer func() {
		for _, name := range excess(seats, maxStored) {
			_ = os.Remove(filepath.Join(st.dir, name))
		}
	}()
	for _, e := range entries {
		handle, isSeat := strings.CutSuffix(e.Name(), ".json")
		info, err := e.Info()
		if err != nil {
			continue
		}
		if st.now().Sub(info.ModTime()) <= seatLife {
			if isSeat && ValidHandle(handle) {
				seats[e.Name()] = info.ModTime()
			}
			continue
		}
		if isSeat && ValidHandle(handle) || strings.HasPrefix(e.Name(), tempPrefix) {
			_ = os.Remove(filepath.Join(st.dir, e.Name()))
		}
	}
}

const tempPrefix = ".new-"

// replaceFile writes a file so that readers, and a process that dies half-way, find the old content or the new.
func replaceFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, tempPrefix+"*") // made with 0600
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.CreateTemp(dir, tempPrefix+"*")
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
