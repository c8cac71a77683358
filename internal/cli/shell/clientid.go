package shell

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// clientEnv names the client of a shell's commands: an id that a daemon gave, or any word that two shells shall share.
const clientEnv = "TRAILBLAZE_SESSION"

// ClientID is the id that this shell's commands have at the daemon: the next command finds the device and the mode that
// one command chooses. Each terminal has a client of its own in each workspace. Commands without a terminal, such as
// those of a coding agent, whose every command may run in a session of its own, share the workspace's.
//
// It is computed, not kept: there is no file to go stale.
func (a *Shell) ClientID(workspace string) string {
	word := a.Getenv(clientEnv)
	if isClientID(word) {
		return word
	}
	switch key := a.Tab; {
	case word != "":
	case key == "":
		word = "cli" // as the daemon has it for a client without an id
	default:
		word = "terminal " + key
	}
	sum := sha256.Sum256([]byte(word + "\x00" + workspace))
	return idPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:idLetters]
}

const (
	idPrefix  = "tb_"
	idLetters = 26
)

// isClientID reports whether a word is the id of a client.
func isClientID(s string) bool {
	rest, ok := strings.CutPrefix(s, idPrefix)
	return ok && len(rest) == idLetters && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// Getenv is a variable of the environment, "" when there is none.
func (a *Shell) Getenv(name string) string {
	if a.Env == nil {
		return ""
	}
	return a.Env(name)
}
