package mask

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf16"
)

// longSecret is the length from which the base64 of a secret inside a longer text is no chance, nor a spaced-out
// text that reads like a secret.
const longSecret = 6

// spellings returns the ways a value shows up where undoing escapes (see undo.go) does not lead back to it: in forms,
// capitals, old charsets, headers and dumps.
func spellings(v string) []string {
	out := []string{v, strings.TrimSpace(v), strings.ReplaceAll(v, " ", "+"), latin1(v)}
	if !Short(v) {
		out = append(out, strings.ToUpper(v), strings.ToLower(v), wide(v))
	}
	if strings.ContainsAny(v, "\n\r") {
		for line := range strings.Lines(v) { // a log prints a key line by line
			if line = strings.TrimSpace(line); len(line) >= 8 {
				out = append(out, line)
			}
		}
	}
	if len(v) >= longSecret {
		low, big := utf16Bytes(v, binary.LittleEndian), utf16Bytes(v, binary.BigEndian)
		for _, b := range []string{v, latin1(v), low, big} {
			out = append(out, dumps(b)...)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// gapless returns the forms of a value in which gaps are skipped: without characters that a page may put between its
// letters, forwards and backwards, and the dumps that are written in lines or groups.
func gapless(v string) []string {
	c := condense(v)
	back := []rune(c)
	slices.Reverse(back)
	out := []string{c, strings.ToUpper(c), strings.ToLower(c), string(back)}
	if len(v) >= longSecret {
		out = append(out, dumps(v)...)
	}
	return out
}

// dumps are a value in hexadecimal and in base64, wherever in a longer text it stood.
func dumps(v string) []string {
	digits := hex.EncodeToString([]byte(v))
	out := []string{digits, strings.ToUpper(digits)}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			out = append(out, base64Core(enc, v, shift))
		}
	}
	return out
}

// latin1 is the value in that charset as far as it goes: what escape() and old servers make bytes of.
func latin1(v string) string {
	var b bytes.Buffer
	for _, r := range v {
		if r >= 0x80 && r <= 0xff {
			b.WriteByte(byte(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// wide returns a value in UTF-16 as a reader of bytes sees it.
func wide(v string) string {
	return strings.TrimSuffix(utf16Bytes(v, binary.LittleEndian), "\x00")
}

func utf16Bytes(v string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(v)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// base64Core returns the characters that depend on v alone when shift bytes precede it, as in "user:password".
func base64Core(enc *base64.Encoding, v string, shift int) string {
	s := enc.EncodeToString(append(make([]byte, shift), v...))
	start := (shift*8 + 5) / 6
	end := (shift + len(v)) * 8 / 6
	return s[start:end]
}
