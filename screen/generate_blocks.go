package screen

import (
	"regexp"
	"strings"
)

// literal is a pattern that matches exactly this text, written plainly where that means the same.
func literal(text string) string {
	text = squeeze(text)
	if text == "" || regexp.QuoteMeta(text) == text {
		return text
	}
	if !strings.Contains(text, `\E`) {
		return `\Q` + text + `\E`
	}
	return regexp.QuoteMeta(text)
}

// variable are parts of names that change from run to run: long numbers, dates, times, amounts.
var variable = regexp.MustCompile(`\d{4,}|\d+[:./-]\d+|[$€£]\s?\d`)

func meaningful(role string) string {
	switch role {
	case "", "generic", "none", "presentation", "text":
		return ""
	}
	return role
}
