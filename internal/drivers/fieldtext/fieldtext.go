// Package fieldtext compares the text that was typed into a field with the text that the field
// holds afterwards.
//
// A field may format a text without changing it: group its digits, put in or drop spaces, dashes
// and brackets, add a currency sign, turn all of it into capitals. A field that drops, adds or
// changes anything else holds a different text: a value cut off at its longest length, another
// number, a missing sign.
package fieldtext

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Field is the kind of a field and its content before the text is typed; see Entry in entry.ts.
type Field struct {
	Sort   string   `json:"sort"` // text, number, value, rich
	Type   string   `json:"type"`
	Before string   `json:"before"`
	Cut    string   `json:"cut"`   // the part of Before that is selected, which typing replaces
	Drawn  []string `json:"drawn"` // the lines that an editor shows which draws its text itself
}

// Reading is the content of a field; see Reading in act.ts.
type Reading struct {
	Read  string   `json:"read"`
	Typed string   `json:"typed"`
	Drawn []string `json:"drawn"`
}

// Now is the reading of a field before the text is typed.
func (f *Field) Now() Reading { return Reading{Read: f.Before, Drawn: f.Drawn} }

// Holds reports whether the field holds the text want. A completion that the page added and left
// selected does not count.
func (f *Field) Holds(want string, r Reading) bool {
	if len(f.Drawn) == 0 {
		return f.same(want, r.Read) || r.Typed != "" && strings.EqualFold(want, r.Typed)
	}
	return slices.ContainsFunc(r.Drawn, func(d string) bool { return drawnAs(want, d) })
}

// Took reports whether the field holds what it held before with text in it: the caret may have
// stood anywhere.
func (f *Field) Took(text string, r Reading) bool {
	if len(f.Drawn) == 0 {
		return f.contains(r.Read, f.Before, f.Cut, text)
	}
	for i, d := range r.Drawn {
		if i < len(f.Drawn) && f.contains(solid(d), solid(f.Drawn[i]), "", solid(text)) {
			return true
		}
	}
	return false
}

// VisibleText is the text that people read in the field.
func (r Reading) VisibleText() string {
	if n := len(r.Drawn); n > 0 {
		return strings.NewReplacer("\u00a0", " ", "\u200b", "").Replace(r.Drawn[n-1])
	}
	return r.Read
}

// drawnAs compares a text with the one an editor shows. The editor draws spaces in its own way, and
// of a long text only the part around the caret.
func drawnAs(want, got string) bool {
	w, g := solid(want), solid(got)
	return w == g || g != "" && strings.HasSuffix(w, g) && strings.Count(want, "\n") > strings.Count(got, "\n")
}

// solid is s without white space and characters of no width.
func solid(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\ufeff' {
			return -1
		}
		return r
	}, s)
}

// same reports whether the text got is the text want, apart from formatting.
func (f *Field) same(want, got string) bool {
	if f.Sort == "rich" {
		return lines(want) == lines(got) || formatted(lines(want), lines(got))
	}
	if want == got || f.Type != "textarea" && strings.TrimSpace(want) == got {
		return true
	}
	switch f.Type {
	case "password":
		return false
	case "number", "range":
		return sameNumber(want, got)
	case "color":
		return strings.EqualFold(want, got)
	case "textarea":
		return strings.ReplaceAll(want, "\r\n", "\n") == got || formatted(want, got)
	case "date", "time", "datetime-local", "month", "week":
		return sameTime(want, got)
	}
	return formatted(want, got)
}

// contains reports whether got is before with text added. The caret may have stood in the middle;
// text replaces cut, which was selected.
func (f *Field) contains(got, before, cut, text string) bool {
	if f.Type == "password" {
		return len(got) == len(before)-len(cut)+len(text) && strings.Contains(got, text)
	}
	if text == "" || !strings.Contains(got, text) {
		return false
	}
	rest := strings.Replace(got, text, "", 1)
	if cut == "" {
		return rest == before
	}
	for i := range before {
		if strings.HasPrefix(before[i:], cut) && before[:i]+before[i+len(cut):] == rest {
			return true
		}
	}
	return false
}

// lines drops the blank lines and the spaces that editors add around paragraphs.
func lines(s string) string {
	var out []string
	for l := range strings.SplitSeq(strings.ReplaceAll(s, "\u00a0", " "), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

func sameNumber(want, got string) bool {
	w, err1 := strconv.ParseFloat(strings.TrimSpace(want), 64)
	g, err2 := strconv.ParseFloat(strings.TrimSpace(got), 64)
	return err1 == nil && err2 == nil && w == g
}

// sameTime ignores seconds of zero, which fields drop or add.
func sameTime(want, got string) bool {
	trim := func(s string) string {
		s = strings.Replace(strings.TrimSpace(s), " ", "T", 1)
		s = strings.TrimSuffix(strings.TrimSuffix(s, ".000"), ".00")
		if strings.Count(s, ":") == 2 {
			s = strings.TrimSuffix(s, ":00")
		}
		return s
	}
	return trim(want) == trim(got)
}

// formatted reports whether got is want with formatting put in or taken out.
func formatted(want, got string) bool {
	if got == "" {
		return strings.TrimSpace(want) == ""
	}
	w, g := bare(want), bare(got)
	if equal(w, g) {
		return true
	}
	// Separators that a mask put in, where none were asked for: 31122026 and 31/12/2026.
	for _, sep := range []string{"/", ":", ".", "_", ",", "+", "%"} {
		if !strings.Contains(want, sep) && strings.Contains(got, sep) && maskable(got, sep) {
			g = strings.ReplaceAll(g, sep, "")
			if equal(w, g) {
				return true
			}
		}
	}
	return false
}

// maskable reports whether sep can be a mask's separator in s. A single point or comma could be a
// decimal one.
func maskable(s, sep string) bool {
	switch sep {
	case ".", ",":
		return strings.Count(s, sep) > 1
	case "+":
		return strings.HasPrefix(strings.TrimSpace(s), "+")
	case "%":
		return strings.HasSuffix(strings.TrimSpace(s), "%")
	}
	return true
}

// equal compares two texts and accepts that a field turned everything into capitals or small
// letters.
func equal(w, g string) bool {
	return w == g || strings.EqualFold(w, g) && (g == strings.ToUpper(g) || g == strings.ToLower(g))
}

// bare removes formatting: white space, brackets around a part, dashes between characters, currency
// signs, and the separators between groups of three digits.
func bare(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") && strings.Count(s, "(") == 1 {
		return s // brackets around all of a number mean that it is negative
	}
	s = ungroup(s)
	var b strings.Builder
	for i, r := range s {
		switch {
		case unicode.IsSpace(r), r == '(', r == ')', r == '\u200b', r == '\u00a0', r == '\u202f', unicode.Is(unicode.Sc, r):
		case (r == '-' || r == '\u2010' || r == '\u2011' || r == '\u2013') && i > 0 && b.Len() > 0:
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ungroup removes the separators between thousands from a number: 1,234,567.80 and 1.234.567,80 and
// 1'234.
func ungroup(s string) string {
	digits := strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) })
	sign := strings.HasPrefix(digits, "-")
	n := strings.TrimPrefix(digits, "-")
	for _, sep := range []string{",", ".", "'", "\u2019"} {
		whole, fraction := n, ""
		for _, point := range []string{".", ","} {
			if i := strings.LastIndex(n, point); point != sep && i > 0 {
				whole, fraction = n[:i], n[i:]
			}
		}
		if plain, ok := thousands(whole, sep); ok {
			if sign {
				plain = "-" + plain
			}
			return plain + fraction
		}
	}
	return s
}

func thousands(s, sep string) (string, bool) {
	parts := strings.Split(s, sep)
	if len(parts) < 2 || len(parts[0]) == 0 || len(parts[0]) > 3 {
		return "", false
	}
	for i, p := range parts {
		if i > 0 && len(p) != 3 || strings.Trim(p, "0123456789") != "" {
			return "", false
		}
	}
	return strings.Join(parts, ""), true
}

// Multiline reports whether a text has more than one line.
func Multiline(s string) bool { return strings.ContainsAny(s, "\n\r") }

// Quote is a field's text for an error, or a placeholder for a secret.
func Quote(s string, secret bool) string {
	if secret {
		return "a hidden value"
	}
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return strconv.Quote(s)
}
