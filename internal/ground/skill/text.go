package skill

import (
	"crypto/sha256"
	_ "embed" // the text
	"encoding/hex"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// Name is the skill's, and that of its folder.
const Name = "trailblaze"

//go:embed SKILL.md
var source string

// unversioned is the line of the source that holds the version in an installed text.
const unversioned = `version: "0"`

var versionLine = regex.Lazy(`version: "([0-9a-f]+)"`)

// Text is the skill as it is installed.
func Text() string {
	return strings.Replace(source, unversioned, `version: "`+Version()+`"`, 1)
}

// Version names the text: it changes exactly when the text does.
func Version() string { return hash(source) }

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:12]
}

// versionOf returns the version in a text, and whether the text is still the one installed then.
func versionOf(text string) (version string, intact bool) {
	text = strings.ReplaceAll(text, "\r\n", "\n") // a checkout may have changed the line ends
	at := versionLine().FindStringSubmatchIndex(text)
	if at == nil || !strings.Contains(text, "\nname: "+Name+"\n") {
		return "", false
	}
	version = text[at[2]:at[3]]
	return version, hash(text[:at[0]]+unversioned+text[at[1]:]) == version
}
