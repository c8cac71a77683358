package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// NewID makes a session id in upstream's form, yyyy_MM_dd_HH_mm_ss_<seed>_<0-9998>. It sorts by time, reads well in a
// directory listing and is safe as a directory name whatever the seed is.
func NewID(now time.Time, seed string) string {
	seed = sanitise(seed)
	if seed == "" {
		seed = "session"
	}
	return fmt.Sprintf("%s_%s_%d", now.Format("2006_01_02_15_04_05"), seed, rand.IntN(9999))
}

// maxSeed keeps ids well under the 255 bytes that file systems allow for a name.
const maxSeed = 80

var unsafeRun = regex.Lazy(`[^A-Za-z0-9]+`)

func sanitise(seed string) string {
	s := strings.Trim(unsafeRun().ReplaceAllString(seed, "_"), "_")
	if len(s) > maxSeed {
		s = strings.TrimRight(s[:maxSeed], "_")
	}
	return s
}

// maxID leaves room for a suffix within the 255 bytes that file systems allow for a name.
const maxID = 200

// ValidID reports whether id can name a session: one path element, nothing hidden, nothing that leads elsewhere.
func ValidID(id string) bool {
	if id == "" || len(id) > maxID || !alphanumeric(id[0]) || strings.Contains(id, "..") {
		return false
	}
	for i := range len(id) {
		if c := id[i]; !alphanumeric(c) && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
