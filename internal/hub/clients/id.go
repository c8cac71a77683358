package clients

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"strings"
)

var idPattern = regexp.MustCompile(`^tb_[a-z2-7]{26}$`)

// ValidID says whether id can name a client. Nothing else is ever joined to a path.
func ValidID(id string) bool { return idPattern.MatchString(id) }

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func newID() string { return "tb_" + strings.ToLower(rand.Text()) }

// sharedID is the id that all commands of one shell user share in one workspace, so that a setting
// of one command holds for the next.
func sharedID(n Identity) string {
	sum := sha256.Sum256([]byte(n.Kind + "\x00" + n.Name + "\x00" + n.Workspace))
	return "tb_" + lowerBase32.EncodeToString(sum[:])[:26]
}

const shortID = len("tb_") + 5

func short(id string) string { return id[:min(len(id), shortID)] }

// Matches says whether text names the client: its id, or at least the beginning of it that listings
// show.
func (c *Client) Matches(text string) bool {
	return text == c.id || len(text) >= shortID && strings.HasPrefix(c.id, text)
}
