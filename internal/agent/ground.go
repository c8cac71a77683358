package agent

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ungrounded says why an answer does not count; "" when it does. Its numbers, names and quoted texts stand in what the
// model was shown of the device, or follow from texts that do: as their count, or by adding up their numbers. A yes
// needs the names of the question on the screen as well, or texts that it rests on. A no needs nothing: a screen cannot
// show that something is missing.
func (a *Agent) ungrounded(v *verdict) string {
	for _, text := range v.From {
		if !a.shows(text) {
			return "the screen does not show " + clip(text, 100) + ", which the answer is said to rest on. " + regroundHint
		}
	}
	answer := strings.Fields(strings.TrimSpace(words(v.Answer)))
	if len(answer) == 0 || slices.Contains(denials, answer[0]) {
		return ""
	}
	question := a.mask(a.objective.Text)
	needed := particulars(v.Answer)
	switch {
	case slices.Contains(affirmations, answer[0]):
		if len(v.From) == 0 {
			needed = append(needed, particulars(question)...)
		}
	case len(answer) <= shortAnswer: // each of its words is the answer
		needed = answer
	}
	for _, part := range needed {
		if !a.shows(part) && !follows(part, v.From) && !(len(answer) > shortAnswer && stands(part, question)) {
			return "the answer has " + clip(part, 100) + ", which the screen does not show. " + regroundHint
		}
	}
	return ""
}

const (
	shortAnswer  = 3
	regroundHint = "Look for it, answer in the words of the screen, or report FAILED. What is counted or added up goes " +
		"into the field from, a text of the screen each."
)

// The words with which an answer says yes or no, in the languages that people most ask in.
var (
	affirmations = []string{"yes", "ja", "oui", "sí", "si", "sim", "да", "はい", "是"}
	denials      = []string{"no", "none", "nothing", "nobody", "never", "not", "nein", "kein", "keine", "keiner", "nichts",
		"non", "aucun", "aucune", "não", "нет", "いいえ", "不", "无"}
)

// shows says whether the model was shown a text.
func (a *Agent) shows(text string) bool {
	return slices.ContainsFunc(a.shown, func(s string) bool { return stands(text, s) })
}

// stands says whether a text has another one as whole words, or as it is where words have no blanks between them. A
// number may be written in another way.
func stands(part, text string) bool {
	in := words(text)
	if strings.Contains(in, words(part)) {
		return true
	}
	if strings.ContainsFunc(part, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
	}) {
		return strings.Contains(text, strings.TrimSpace(part))
	}
	want, ok := quantity(part)
	return ok && slices.ContainsFunc(digits().FindAllString(in, -1), func(d string) bool {
		n, ok := quantity(d)
		return ok && n == want
	})
}

// follows says whether a number is the count of texts, or the sum, the difference or the product of their numbers.
func follows(number string, from []string) bool {
	want, ok := quantity(number)
	if !ok || len(from) == 0 {
		return false
	}
	var each []float64
	for _, text := range from {
		for _, d := range digits().FindAllString(text, -1) {
			if n, ok := quantity(d); ok {
				each = append(each, n)
			}
		}
	}
	could := []float64{float64(len(from))}
	if len(each) > 1 {
		sum, product := 0.0, 1.0
		for _, n := range each {
			sum, product = sum+n, product*n
		}
		could = append(could, sum, 2*each[0]-sum, product)
	}
	return slices.ContainsFunc(could, func(n float64) bool { return math.Abs(math.Abs(n)-want) < 0.005 })
}

// quantity reads a number as people write it: 1,234.50 or 1.234,50.
func quantity(text string) (float64, bool) {
	text = strings.TrimSpace(words(text))
	if i := strings.LastIndexAny(text, ".,"); i >= 0 && len(text)-i != 4 {
		text = strings.NewReplacer(".", "", ",", "").Replace(text[:i]) + "." + text[i+1:]
	} else {
		text = strings.NewReplacer(".", "", ",", "").Replace(text)
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}
