package web

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// What a field may do to the text typed into it without having changed it: group its digits, put in or drop spaces,
// dashes and brackets, add a currency sign, turn all of it into capitals. Dropping, adding or changing anything else is a
// different text: a value cut off at its longest length, another number, a sign that went missing.

// holds says whether what was read of the field is the text want, apart from what the page completed and left selected.
func (f *field) holds(want string, r reading) bool {
	if len(f.Drawn) == 0 {
		return sameText(want, r.Read, f) || r.Typed != "" && strings.EqualFold(want, r.Typed)
	}
	return slices.ContainsFunc(r.Drawn, func(d string) bool { return drawnAs(want, d) })
}

// took says whether the field holds what it held before with text in it: the caret may have stood anywhere.
func (f *field) took(text string, r reading) bool {
	if len(f.Drawn) == 0 {
		return contains(r.Read, f.Before, f.Cut, text, f)
	}
	for i, d := range r.Drawn {
		if i < len(f.Drawn) && contains(solid(d), solid(f.Drawn[i]), "", solid(text), f) {
			return true
		}
	}
	return false
}

// shown is what people read in a field.
func shown(r reading) string {
	if n := len(r.Drawn); n > 0 {
		return strings.NewReplacer("\u00a0", " ", "\u200b", "").Replace(r.Drawn[n-1])
	}
	return r.Read
}

// drawnAs compares with what an editor shows: it draws spaces in its own way, and of a long text the part around the caret.
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

// sameText says whether got is what was asked for, apart from formatting.
func sameText(want, got string, f *field) bool {
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

// contains is for appended text: the caret may have stood in the middle, or cut may have been selected, which text replaces.
func contains(got, before, cut, text string, f *field) bool {
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

// lines is text without what editors add around paragraphs.
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

// sameTime allows for seconds of zero, which fields drop or add.
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

// formatted says whether got is want with formatting put in or taken out.
func formatted(want, got string) bool {
	if got == "" {
		return strings.TrimSpace(want) == ""
	}
	w, g := bare(want), bare(got)
	if same(w, g) {
		return true
	}
	// Separators that a mask put in, where none were asked for: 31122026 and 31/12/2026.
	for _, sep := range []string{"/", ":", ".", "_", ",", "+", "%"} {
		if !strings.Contains(want, sep) && strings.Contains(got, sep) && maskable(got, sep) {
			g = strings.ReplaceAll(g, sep, "")
			if same(w, g) {
				return true
			}
		}
	}
	return false
}

// maskable says whether sep can be a mask's separator in s. A single point or comma could be a decimal one.
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

// same compares, and lets a field have turned everything into capitals or small letters.
func same(w, g string) bool {
	return w == g || strings.EqualFold(w, g) && (g == strings.ToUpper(g) || g == strings.ToLower(g))
}

// bare takes formatting out: white space, brackets around a part, dashes between characters, currency signs, and the
// separators between groups of three digits.
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

// ungroup takes the separators between thousands out of a number: 1,234,567.80 and 1.234.567,80 and 1'234.
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

func multiline(s string) bool { return strings.ContainsAny(s, "\n\r") }

// quote shows a field's text in an error, unless it is a secret.
func quote(s string, secret bool) string {
	if secret {
		return "a hidden value"
	}
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return strconv.Quote(s)
}
