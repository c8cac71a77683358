package trail

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// kind is the kind of a YAML node, by the core schema of YAML 1.2.
type kind string

const (
	kindNull     kind = "null"
	kindBool     kind = "a boolean"
	kindInt      kind = "an integer"
	kindFloat    kind = "a number"
	kindString   kind = "a string"
	kindMapping  kind = "a mapping"
	kindSequence kind = "a list"
)

var (
	intPattern   = regex.Lazy(`^[-+]?[0-9]+$`)
	hexPattern   = regex.Lazy(`^0x[0-9a-fA-F]+$`)
	octPattern   = regex.Lazy(`^0o[0-7]+$`)
	floatPattern = regex.Lazy(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	zeroPattern  = regex.Lazy(`^[-+]?0[0-9]+$`)
)

// plain resolves an unquoted scalar: its kind, and for numbers their JSON spelling.
//
// YAML 1.1 words (yes, no, on, off) are strings, as in YAML 1.2. Digits with a leading zero are one number in 1.1 and
// another in 1.2, and people mean neither but a code or a PIN: they stay a string.
func plain(s string) (kind, string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return kindNull, "null"
	case "true", "True", "TRUE":
		return kindBool, "true"
	case "false", "False", "FALSE":
		return kindBool, "false"
	}
	if c := s[0]; c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') {
		return kindString, ""
	}
	switch {
	case zeroPattern().MatchString(s):
		return kindString, ""
	case intPattern().MatchString(s):
		return kindInt, strings.TrimPrefix(s, "+")
	case hexPattern().MatchString(s), octPattern().MatchString(s):
		n, ok := new(big.Int).SetString(s, 0)
		if !ok {
			return kindString, ""
		}
		return kindInt, n.String()
	case floatPattern().MatchString(s):
		return kindFloat, jsonFloat(s)
	}
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case ".inf", ".nan":
		return kindFloat, ""
	}
	return kindString, ""
}

// jsonFloat spells a YAML float as JSON, keeping the author's spelling where JSON allows it. "" means JSON has none.
func jsonFloat(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) {
		return ""
	}
	s = strings.TrimPrefix(s, "+")
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", rest
	}
	if s[0] == '.' {
		s = "0" + s
	}
	whole, exp := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		whole, exp = s[:i], s[i:]
	}
	if strings.HasSuffix(whole, ".") {
		whole += "0"
	}
	if len(whole) > 1 && whole[0] == '0' && whole[1] != '.' {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return sign + whole + exp
}
