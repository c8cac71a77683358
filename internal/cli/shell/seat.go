package shell

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// seatEnv names the seat of a shell's commands: a handle that a daemon gave, or any word that two shells shall share.
const seatEnv = "TRAILBLAZE_SESSION"

// Seat is the handle that this shell's commands have at the daemon: what one command chooses (a device, a mode) the
// next one finds. Each terminal has a seat of its own in each workspace. Commands without a terminal, such as those
// of a coding agent, whose every command may run in a session of its own, share the workspace's.
//
// It is computed, not kept: there is no file to go stale.
func (a *Shell) Seat(workspace string) string {
	word := a.Getenv(seatEnv)
	if isHandle(word) {
		return word
	}
	switch key := terminalKey(); {
	case word != "":
	case key == "":
		word = "cli" // as the daemon's door has it for a client that names no seat
	default:
		word = "terminal " + key
	}
	sum := sha256.Sum256([]byte(word + "\x00" + workspace))
	return handlePrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:handleLetters]
}

const (
	handlePrefix  = "tb_"
	handleLetters = 26
)

// isHandle says whether a word is a seat's handle.
func isHandle(s string) bool {
	rest, ok := strings.CutPrefix(s, handlePrefix)
	return ok && len(rest) == handleLetters && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// Getenv is a variable of the environment, "" when there is none.
func (a *Shell) Getenv(name string) string {
	if a.Env == nil {
		return ""
	}
	return a.Env(name)
}
