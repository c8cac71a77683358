package mask

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// longSecret is the length from which the base64 of a secret inside a longer text is no chance, nor a spaced-out
// text that reads like a secret.
const longSecret = 6

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

// gap reports whether a character is invisible between two letters: blanks, line ends, and characters without a shape.
func gap(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) ||
		unicode.Is(unicode.Variation_Selector, r)
}

// condense is a text without gaps.
func condense(text string) string {
	return strings.Map(func(r rune) rune {
		if gap(r) {
			return -1
		}
		return r
	}, text)
}

// gapAt returns the length of the gap that a text has at a byte, 0 when there is none.
func gapAt(text string, at int) int {
	switch c := text[at]; {
	case c <= ' ' || c == 0x7f:
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if r, n := utf8.DecodeRuneInString(text[at:]); gap(r) {
		return n
	}
	return 0
}
