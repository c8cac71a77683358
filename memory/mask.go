package memory

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Masked is what stands in place of a secret.
const Masked = "••••••"

// shortSecret is the length below which a secret is masked only where it stands alone as a word: hiding every "1" of
// a text because somebody's floor number is a secret would destroy the text and hide nothing.
const shortSecret = 4

// base64Secret is the length from which the base64 of a secret inside a longer text can be told from chance.
const base64Secret = 6

// masker finds all forms of all secrets in a text. It is immutable.
type masker struct {
	forms []string // longest first
	words []string // short ones, masked as whole words only
}

func newMasker(marks []mark) *masker {
	forms, words := map[string]bool{}, map[string]bool{}
	for _, m := range marks {
		for _, f := range spellings(m.value) {
			if utf8.RuneCountInString(f) < shortSecret {
				words[f] = true
			} else {
				forms[f] = true
			}
		}
	}
	k := &masker{forms: sortedSet(forms), words: sortedSet(words)}
	byLength := func(a, b string) int { return len(b) - len(a) }
	slices.SortStableFunc(k.forms, byLength)
	slices.SortStableFunc(k.words, byLength)
	return k
}

// spellings returns the ways a value shows up in URLs, JSON, HTML and headers.
func spellings(v string) []string {
	out := []string{v, strings.TrimSpace(v), url.QueryEscape(v), url.PathEscape(v), html.EscapeString(v)}
	out = append(out, lowerHex(url.QueryEscape(v)), lowerHex(url.PathEscape(v)))
	// encodeURIComponent leaves these alone, Go escapes them.
	out = append(out, strings.NewReplacer("%20", "%20", "+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(url.QueryEscape(v)))
	for _, set := range browserEscapes {
		esc := percent(v, set)
		out = append(out, esc, lowerHex(esc))
	}
	if b, err := json.Marshal(v); err == nil {
		out = append(out, string(b[1:len(b)-1]))
	}
	out = append(out, numeric.Replace(v))
	plain := string(quoteJSON(v))
	out = append(out, plain[1:len(plain)-1], asciiJSON(plain[1:len(plain)-1]), escape(v))
	for _, r := range serialized {
		out = append(out, r.Replace(v))
	}
	out = append(out, again(out)...)
	if strings.ContainsAny(v, "\n\r") {
		for line := range strings.Lines(v) { // a log prints a key line by line
			if line = strings.TrimSpace(line); len(line) >= 8 {
				out = append(out, line)
			}
		}
	}
	if len(v) >= base64Secret {
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for shift := range 3 {
				out = append(out, base64Core(enc, v, shift))
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// browserEscapes are the ASCII characters that browsers escape in what a page puts, unescaped, into a fragment, a query and
// a path of a URL (URL standard, percent-encode sets).
var browserEscapes = []string{" \"<>`", " \"#<>", " \"#<>'", " \"#<>?^`{}"}

// percent escapes these characters, control characters, and all that is not ASCII.
func percent(v, set string) string {
	var b strings.Builder
	for i := range len(v) {
		if c := v[i]; c <= 0x1f || c >= 0x7f || strings.IndexByte(set, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// again are the spellings of what is spelled once already: markup inside an attribute, JSON inside JSON, a URL inside a URL.
func again(once []string) []string {
	var out []string
	for _, s := range once {
		out = append(out, serialized[2].Replace(s), serialized[1].Replace(s), url.QueryEscape(s))
		inside := string(quoteJSON(s))
		out = append(out, inside[1:len(inside)-1])
		if b, err := json.Marshal(s); err == nil {
			out = append(out, string(b[1:len(b)-1]))
		}
	}
	return out
}

// numeric is markup that spells what is special by number.
var numeric = strings.NewReplacer("&", "&#38;", "<", "&#60;", ">", "&#62;", `"`, "&#34;", "'", "&#39;")

// serialized are the ways in which a page's own markup (outerHTML) spells text and attributes: fewer characters than a
// server escapes.
var serialized = []*strings.Replacer{
	strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;"),
	strings.NewReplacer("&", "&amp;", `"`, "&quot;", "\u00a0", "&nbsp;"),
	strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;"),
}

// asciiJSON is the inside of a JSON string as writers spell it that keep to ASCII; the browser is one.
func asciiJSON(inside string) string {
	var b strings.Builder
	for _, r := range inside {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// escape is what the function of that name in JavaScript makes of a text.
func escape(v string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(v)) {
		switch {
		case u < 0x80 && (unicode.IsLetter(rune(u)) || unicode.IsDigit(rune(u)) || strings.ContainsRune("@*_+-./", rune(u))):
			b.WriteByte(byte(u))
		case u < 0x100:
			fmt.Fprintf(&b, "%%%02X", u)
		default:
			fmt.Fprintf(&b, "%%u%04X", u)
		}
	}
	return b.String()
}

// base64Core returns the characters that depend on v alone when shift bytes precede it, as in "user:password".
func base64Core(enc *base64.Encoding, v string, shift int) string {
	s := enc.EncodeToString(append(make([]byte, shift), v...))
	start := (shift*8 + 5) / 6
	end := (shift + len(v)) * 8 / 6
	return s[start:end]
}

func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			b[i+1], b[i+2] = lower(b[i+1]), lower(b[i+2])
			i += 2
		}
	}
	return string(b)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'F' {
		return c + 'a' - 'A'
	}
	return c
}

// span is a stretch of bytes to hide.
type span struct{ from, to int }

// mask hides every form in text. Overlapping finds become one mask, so that no end of the longer one sticks out.
func (k *masker) mask(text string) string {
	if k == nil || text == "" {
		return text
	}
	var spans []span
	for _, f := range k.forms {
		for at := 0; ; {
			i := strings.Index(text[at:], f)
			if i < 0 {
				break
			}
			spans = append(spans, span{at + i, at + i + len(f)})
			at += i + 1
		}
	}
	for _, w := range k.words {
		for at := 0; ; {
			i := indexWord(text, w, at)
			if i < 0 {
				break
			}
			spans = append(spans, span{i, i + len(w)})
			at = i + len(w)
		}
	}
	if len(spans) == 0 {
		return text
	}
	return hide(text, spans)
}

func hide(text string, spans []span) string {
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from < to; i++ {
			to = max(to, spans[i].to)
		}
		b.WriteString(text[done:from])
		b.WriteString(Masked)
		done = to
	}
	b.WriteString(text[done:])
	return b.String()
}

// contains is whether a secret's value stands in text, by the rule that mask hides it.
func contains(text, value string) bool {
	if utf8.RuneCountInString(value) < shortSecret {
		return indexWord(text, value, 0) >= 0
	}
	return strings.Contains(text, value)
}

// indexWord finds w in text from at on, where no letter or digit touches it.
func indexWord(text, w string, at int) int {
	for {
		i := strings.Index(text[at:], w)
		if i < 0 {
			return -1
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(w):])
		if !wordRune(before) && !wordRune(after) {
			return i
		}
		at = i + len(w)
	}
}

func wordRune(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// Mask replaces every occurrence of every secret in text, whatever it was encoded as on the way.
func (s *Store) Mask(text string) string {
	s.mu.RLock()
	k := s.masker
	s.mu.RUnlock()
	return k.mask(text)
}

// Shows returns a check whether a text shows a secret, in whatever spelling; nil while there are no secrets.
func (s *Store) Shows() func(text string) bool {
	s.mu.RLock()
	k := s.masker
	s.mu.RUnlock()
	if k == nil || len(k.forms)+len(k.words) == 0 {
		return nil
	}
	return func(text string) bool { return text != "" && k.mask(text) != text }
}

// MaskJSON masks the strings, keys and numbers of a JSON document and leaves all other bytes as they are. What is not
// JSON is masked as text and comes back as a JSON string.
func (s *Store) MaskJSON(raw json.RawMessage) json.RawMessage {
	s.mu.RLock()
	k := s.masker
	s.mu.RUnlock()
	if k == nil || len(raw) == 0 {
		return raw
	}
	out, err := maskJSON(k, raw)
	if err != nil {
		return json.RawMessage(quoteJSON(k.mask(string(raw))))
	}
	return out
}
