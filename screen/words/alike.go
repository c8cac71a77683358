package words

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Likeness says how much two names say the same.
type Likeness int

// The grades of likeness.
const (
	Conflicting Likeness = iota - 1 // they say different things: "Add" and "Remove"
	Unlike
	Partial // a word in common
	Similar // the same in other words: "Add to cart" and "Add to basket"
	Same
)

// Alike compares two names as a person reads them: without case, punctuation and words that say nothing, and with
// words that labels use for one another taken as one. It knows English; of other languages only what is (nearly)
// spelled the same is similar.
func Alike(a, b string) Likeness {
	wa, wb := Split(a), Split(b)
	switch {
	case slices.Equal(wa, wb) && !otherSigns(a, b) && (len(wa) > 0 || strings.TrimSpace(a) == strings.TrimSpace(b)):
		return Same
	case slices.Equal(wa, wb):
		return Conflicting
	}
	ca, cb := concepts(wa), concepts(wb)
	if opposed(wa, wb, ca, cb) {
		return Conflicting
	}
	shared := 0
	for _, c := range ca {
		if slices.ContainsFunc(cb, func(o string) bool { return spelled(c, o) }) {
			shared++
		}
	}
	switch {
	case shared == 0:
		return Unlike
	case len(apart(a, b)) == 0 && len(ca) == len(cb):
		return Similar
	}
	return Partial
}

// otherSigns reports whether both names have signs, such as + and -, and none in common.
func otherSigns(a, b string) bool {
	signs := func(name string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSymbol(r) || unicode.Is(unicode.Pd, r) {
				return r
			}
			return -1
		}, name)
	}
	sa, sb := signs(a), signs(b)
	return sa != "" && sb != "" && !strings.ContainsAny(sa, sb)
}

// opposed reports whether both names say what is done, and not the same, or one says no.
func opposed(wa, wb, ca, cb []string) bool {
	if negated(wa) != negated(wb) {
		return true
	}
	deeds := func(all []string) []string {
		all = slices.DeleteFunc(slices.Clone(all), func(c string) bool { return !Deed(c) })
		slices.Sort(all)
		return slices.Compact(all)
	}
	da, db := deeds(ca), deeds(cb)
	if len(da) > 0 && len(db) > 0 {
		return !slices.Equal(da, db)
	}
	undoes := func(all []string) bool {
		return slices.ContainsFunc(all, func(c string) bool { return slices.Contains(undoing, c) })
	}
	return undoes(da) != undoes(db)
}

func negated(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "not", "no", "don", "never", "without", "non", "kein", "keine", "nicht", "ohne", "pas", "sans", "sin":
			return true
		}
		return false
	})
}

// spelled reports whether two words are one, but for a plural or the spelling of another country. One letter more or
// less is another word: an employer is no employee.
func spelled(a, b string) bool { return british(a) == british(b) || a+"s" == b || b+"s" == a }

func british(w string) string {
	if len(w) < 6 {
		return w
	}
	return strings.NewReplacer("z", "s", "our", "or").Replace(w)
}

// apart are the words that only one of two names has. A word that is there once more or in another number counts.
func apart(a, b string) []string {
	ca, cb := concepts(Split(a)), concepts(Split(b))
	var out []string
	for i, all := range [][]string{ca, cb} {
		others := [][]string{cb, ca}[i]
		for _, w := range all {
			if !slices.ContainsFunc(others, func(o string) bool { return british(o) == british(w) }) {
				out = append(out, w)
			}
		}
	}
	return out
}

// Explained reports whether the texts say the words in which two names differ. A deed, a number, and a word that is
// there in singular and plural are never explained.
func Explained(a, b string, texts ...string) bool {
	var context []string
	for _, text := range texts {
		context = append(context, concepts(Split(text))...)
	}
	differ := apart(a, b)
	for i, w := range differ {
		says := func(c string) bool { return spelled(w, c) }
		if Deed(w) || !strings.ContainsFunc(w, unicode.IsLetter) || slices.ContainsFunc(differ[i+1:], says) ||
			!slices.ContainsFunc(context, says) {
			return false
		}
	}
	return true
}

// Plain returns the words of a text, with one space between them.
func Plain(text string) string { return strings.Join(Split(text), " ") }

// Split returns the words and numbers of a text, in lower case, with two that make one put together.
func Split(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if n := len(out); n > 0 && pairs[out[n-1]+" "+w] {
			out[n-1] += w
			continue
		}
		out = append(out, w)
	}
	return out
}

// concepts returns the meanings of the words of a name: fillers dropped, unless that leaves nothing.
func concepts(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(fillers, w) {
			out = append(out, concept(w))
		}
	}
	if len(out) == 0 {
		return words
	}
	return out
}

func concept(w string) string {
	if c, ok := meanings()[w]; ok {
		return c
	}
	if c, ok := meanings()[strings.TrimSuffix(w, "s")]; ok {
		return c
	}
	return w
}

// Deed reports whether a word or a concept says what is done; two names with different ones mean different elements.
func Deed(w string) bool { return strings.HasPrefix(concept(w), "!") }

var pairs = map[string]bool{"sign in": true, "log in": true, "sign out": true, "log out": true, "log off": true,
	"sign up": true, "e mail": true, "email address": true, "phone number": true, "check out": true, "post code": true,
	"zip code": true}

var fillers = strings.Fields("a an the to of in on at for with and is it i me my your our this that these please now " +
	"here have go all-new new-style")

// undoing are deeds that a name without any other deed has no room for.
var undoing = []string{"!remove", "!cancel", "!decline", "!close", "!stop", "!hide", "!signout", "!less", "!back",
	"!disable", "!undo"}

// meanings gives words that labels use for one another the same concept.
var meanings = means(
	"!add add put", "!remove remove delete clear erase discard trash", "!cancel cancel abort quit",
	"!decline decline reject refuse deny disagree", "!accept accept agree allow approve", "!save save keep store",
	"!send send submit", "!buy buy purchase pay", "!signin signin login", "!signout signout logout logoff",
	"!signup signup register join", "!next next continue proceed", "!back back previous prev", "!open open",
	"!close close dismiss", "!show show view see display", "!hide hide", "!edit edit change modify update",
	"!find search find", "!download download", "!upload upload", "!print print", "!share share", "!copy copy",
	"!more more increase plus", "!less less decrease minus fewer", "!start start begin run", "!stop stop pause end",
	"!enable enable activate", "!disable disable deactivate", "!undo undo revert restore", "!track track",
	"!archive archive", "!reset reset", "!notify notify", "!reserve reserve book", "!compare compare",
	"!choose choose select pick", "!place place", "!use use apply redeem", "!create create", "!report report",
	"cart cart basket bag", "email email mail emailaddress", "phone phone phonenumber telephone mobile tel",
	"postcode postcode zipcode zip postal",
	"photo photo picture image", "colour colour color", "review review feedback opinion", "voucher voucher coupon",
	"home home homepage", "help help support", "name name", "country country", "town town city",
	"checkout checkout", "account account profile", "sum total sum", "comment comment note remark message",
	"goods goods products items", "newsletter newsletter", "password password passphrase", "category category section",
	"terms terms conditions", "quantity quantity amount qty", "street street", "date date day", "order order",
)

// means reads groups of words when the outcome is first asked for: the concept, then the words that have it.
func means(groups ...string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		out := map[string]string{}
		for _, g := range groups {
			all := strings.Fields(g)
			for _, w := range all[1:] {
				out[w] = all[0]
			}
		}
		return out
	})
}
