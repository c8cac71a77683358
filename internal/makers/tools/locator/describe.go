package locator

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// Describe describes in words the element that a selector looks for: `button "Save" in form "Login"`.
func Describe(sel screen.Selector) string {
	var what []string
	v := reflect.ValueOf(sel)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() && f.Type() != reflect.TypeFor[*screen.Selector]() &&
			f.Elem().Kind() == reflect.Struct {
			what = append(what, block(f.Elem()))
		}
	}
	if len(what) == 0 {
		what = []string{"an element"}
	}
	out := strings.Join(what, ", ")
	for _, at := range []struct {
		how string
		of  *screen.Selector
	}{
		{"above", sel.Above}, {"below", sel.Below}, {"left of", sel.LeftOf}, {"right of", sel.RightOf},
		{"in", sel.ChildOf}, {"that directly contains", sel.ContainsChild},
	} {
		if at.of != nil {
			out += " " + at.how + " " + Describe(*at.of)
		}
	}
	for _, d := range sel.ContainsDescendants {
		out += " that contains " + Describe(d)
	}
	if sel.Index != nil {
		out += fmt.Sprintf(", number %d", *sel.Index+1)
	}
	return out
}

// block lists the conditions in a platform's block, in the order of its fields.
func block(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		f := v.Field(i)
		if f.IsZero() {
			continue
		}
		for f.Kind() == reflect.Pointer {
			f = f.Elem()
		}
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		parts = append(parts, field(key, f.Interface()))
	}
	return strings.Join(parts, " ")
}

func field(key string, want any) string {
	switch w := want.(type) {
	case string:
		switch key {
		case "ariaRole", "ariaDescriptorRegex":
			return w
		case "ariaNameRegex":
			return strconv.Quote(w)
		}
		return splitWords(strings.TrimSuffix(key, "Regex")) + " " + strconv.Quote(w)
	case bool:
		is := strings.TrimPrefix(splitWords(key), "is ")
		if !w {
			is = "not " + is
		}
		return is
	case int:
		if key == "nthIndex" {
			return fmt.Sprintf("number %d", w+1)
		}
	}
	return fmt.Sprintf("%s %v", splitWords(key), want)
}

// splitWords writes a key as words: "dataTestId" is "data test id".
func splitWords(key string) string {
	var b strings.Builder
	for _, r := range key {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
