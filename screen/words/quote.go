package words

import (
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// Short returns the beginning of a long text.
func Short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

// Reads reports whether got is the text that was printed as want, which may have been cut.
func Reads(want, got string) bool {
	if want == got || Squeeze(want) == Squeeze(got) {
		return got != ""
	}
	head, cut := strings.CutSuffix(want, "…")
	return cut && head != "" && (strings.HasPrefix(got, head) || strings.HasPrefix(Squeeze(got), Squeeze(head)))
}

// Unquote parses the text between the quotes of a descriptor, as Descriptor writes it.
func Unquote(s string) string {
	if plain, err := strconv.Unquote(`"` + s + `"`); err == nil {
		return plain
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s)
}

// MaxQuoted bounds one piece of page text on a line; detail all has the whole of it.
const MaxQuoted = 300

// Bare keeps text that is to stand unquoted from being anything but one word.
func Bare(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
	}) >= 0 {
		return Quote(s, 40)
	}
	return s
}

// Quote makes page text safe: in quotes, control and format characters escaped, cut at limit characters.
func Quote(s string, limit int) string {
	return strconv.Quote(phrase.Clip(s, limit))
}
