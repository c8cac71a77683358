package screen

import (
	"context"
	"reflect"
	"slices"
	"strings"
)

// phoneField pairs a field of a phone's driver block with the field of a node that it asks about.
type phoneField struct {
	key     string // in a selector
	ask     int    // its place in the block
	tell    int    // its place in the node; -1: the text that the node shows
	pattern bool   // a text is asked for by a regular expression
	list    bool   // the node has several, and one of them is asked for
	not     bool   // the block asks for enabled, the node says disabled
}

// phoneBlock is a driver block of a phone.
type phoneBlock struct {
	place  int // in Selector
	fold   bool
	fields []phoneField
}

// showsText is a node with a text that may come from one of several fields.
type showsText interface{ ResolveText() *string }

var phones = []Native{&AndroidAccessibility{}, &AndroidMaestro{}, &IOSMaestro{}, &IOSAxe{}, &Compose{}}

// phoneBlocks are the driver blocks of phones by the type of their nodes. The names of the fields pair them:
// textRegex asks about text, isEnabled about disabled.
var phoneBlocks = func() map[reflect.Type]*phoneBlock {
	out := map[reflect.Type]*phoneBlock{}
	for _, n := range phones {
		node := reflect.TypeOf(n).Elem()
		place, _ := reflect.TypeFor[Selector]().FieldByName(node.Name())
		b := &phoneBlock{place: place.Index[0], fold: strings.HasSuffix(node.Name(), "Maestro")}
		_, shows := n.(showsText)
		for f := range place.Type.Elem().Fields() {
			name, pattern := strings.CutSuffix(f.Name, "Regex")
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			field := phoneField{key: key, ask: f.Index[0], tell: -1, pattern: pattern}
			switch {
			case name == "Text" && shows:
			case name == "IsEnabled", name == "Enabled":
				name, field.not = "Disabled", true
				fallthrough
			default:
				t, ok := node.FieldByName(name)
				if !ok {
					t, _ = node.FieldByName(name + "s") // customAction asks for one of customActions
				}
				field.tell, field.list = t.Index[0], t.Type.Kind() == reflect.Slice
			}
			b.fields = append(b.fields, field)
		}
		out[reflect.TypeOf(n)] = b
	}
	return out
}()

// text returns the text of a node in a field, nil when it does not have the field.
func (f *phoneField) text(n Native, v reflect.Value) *string {
	if f.tell < 0 {
		return n.(showsText).ResolveText() //nolint:forcetypeassert // only such nodes have the field
	}
	s, _ := v.Field(f.tell).Interface().(*string)
	return s
}

// holds reports whether the value of a node's field matches the block.
func (f *phoneField) holds(ctx context.Context, want any, n Native, v reflect.Value, fold bool) (bool, error) {
	switch want := want.(type) {
	case *bool:
		return v.Field(f.tell).Bool() != f.not == *want, nil
	case *int:
		got, _ := v.Field(f.tell).Interface().(*int)
		return got != nil && *got == *want, nil
	case *string:
		if f.list {
			list, _ := v.Field(f.tell).Interface().([]string)
			return slices.Contains(list, *want), nil
		}
		got := f.text(n, v)
		if got == nil || !f.pattern {
			return got != nil && *got == *want, nil
		}
		return compile(*want, fold).match(ctx, *got)
	}
	return false, nil
}

// asked is the first of these fields that a phone's block asks for, "" when it asks for none.
func (sel *Selector) asked(keys ...string) string {
	for _, n := range phones {
		b := phoneBlocks[reflect.TypeOf(n)]
		asks := reflect.ValueOf(sel).Elem().Field(b.place)
		if asks.IsNil() {
			continue
		}
		for _, key := range keys {
			for i := range b.fields {
				if want, _ := asks.Elem().Field(b.fields[i].ask).Interface().(*string); b.fields[i].key == key && want != nil {
					return *want
				}
			}
		}
	}
	return ""
}

// firstOf is the first of these fields that a phone's node has, "" when it has none.
func firstOf(n Native, keys ...string) string {
	b := phoneBlocks[reflect.TypeOf(n)]
	if b == nil {
		return ""
	}
	for _, key := range keys {
		for i := range b.fields {
			if f := &b.fields[i]; f.key == key {
				if s := f.text(n, reflect.ValueOf(n).Elem()); s != nil && *s != "" {
					return *s
				}
			}
		}
	}
	return ""
}

// phoneMatches reports whether a phone's node has all that the selector's block for it asks for. A text that the node
// does not have is not an empty one: no pattern matches it.
func (sel *Selector) phoneMatches(ctx context.Context, n Native) (bool, error) {
	b := phoneBlocks[reflect.TypeOf(n)]
	if b == nil {
		return false, nil
	}
	asks := reflect.ValueOf(sel).Elem().Field(b.place)
	if asks.IsNil() {
		return false, nil
	}
	asks = asks.Elem()
	v := reflect.ValueOf(n).Elem()
	for i := range b.fields {
		f := &b.fields[i]
		want := asks.Field(f.ask)
		if want.IsNil() {
			continue
		}
		if ok, err := f.holds(ctx, want.Interface(), n, v, b.fold); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
