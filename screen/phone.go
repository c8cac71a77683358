package screen

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// PhoneField pairs a field of a phone's driver block with the field of a node that it asks about.
type PhoneField struct {
	Key     string // in a selector
	Ask     int    // its place in the block
	Tell    int    // its place in the node; -1: the text that the node shows
	Pattern bool   // a text is asked for by a regular expression
	List    bool   // the node has several, and one of them is asked for
	Not     bool   // the block asks for enabled, the node says disabled
}

// PhoneBlock is a driver block of a phone.
type PhoneBlock struct {
	Place  int // in Selector
	Fold   bool
	Fields []PhoneField
}

// showsText is a node with a text that may come from one of several fields.
type showsText interface{ ResolveText() *string }

// Phones lists the native vocabularies of phones, an empty node of each.
var Phones = []Native{&AndroidAccessibility{}, &AndroidMaestro{}, &IOSMaestro{}, &IOSAxe{}, &Compose{}}

// PhoneBlocks returns the driver blocks of phones by the type of their nodes. The names of the fields pair them:
// textRegex asks about text, isEnabled about disabled.
var PhoneBlocks = sync.OnceValue(func() map[reflect.Type]*PhoneBlock {
	out := map[reflect.Type]*PhoneBlock{}
	for _, n := range Phones {
		node := reflect.TypeOf(n).Elem()
		place, _ := reflect.TypeFor[Selector]().FieldByName(node.Name())
		b := &PhoneBlock{Place: place.Index[0], Fold: strings.HasSuffix(node.Name(), "Maestro")}
		_, shows := n.(showsText)
		for f := range place.Type.Elem().Fields() {
			name, pattern := strings.CutSuffix(f.Name, "Regex")
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			field := PhoneField{Key: key, Ask: f.Index[0], Tell: -1, Pattern: pattern}
			switch {
			case name == "Text" && shows:
			case name == "IsEnabled", name == "Enabled":
				name, field.Not = "Disabled", true
				fallthrough
			default:
				t, ok := node.FieldByName(name)
				if !ok {
					t, _ = node.FieldByName(name + "s") // customAction asks for one of customActions
				}
				field.Tell, field.List = t.Index[0], t.Type.Kind() == reflect.Slice
			}
			b.Fields = append(b.Fields, field)
		}
		out[reflect.TypeOf(n)] = b
	}
	return out
})

// TextOf returns the text of a node in a field, nil when it does not have the field.
func (f *PhoneField) TextOf(n Native, v reflect.Value) *string {
	if f.Tell < 0 {
		return n.(showsText).ResolveText() //nolint:forcetypeassert // only such nodes have the field
	}
	s, _ := v.Field(f.Tell).Interface().(*string)
	return s
}

// Holds reports whether the value of a node's field matches the block.
func (f *PhoneField) Holds(ctx context.Context, want any, n Native, v reflect.Value, fold bool) (bool, error) {
	switch want := want.(type) {
	case *bool:
		return v.Field(f.Tell).Bool() != f.Not == *want, nil
	case *int:
		got, _ := v.Field(f.Tell).Interface().(*int)
		return got != nil && *got == *want, nil
	case *string:
		if f.List {
			list, _ := v.Field(f.Tell).Interface().([]string)
			return slices.Contains(list, *want), nil
		}
		got := f.TextOf(n, v)
		if got == nil || !f.Pattern {
			return got != nil && *got == *want, nil
		}
		return words.Compile(*want, fold).Match(ctx, *got)
	}
	return false, nil
}

// asked is the first of these fields that a phone's block asks for, "" when it asks for none.
func (sel *Selector) asked(keys ...string) string {
	for _, n := range Phones {
		b := PhoneBlocks()[reflect.TypeOf(n)]
		asks := reflect.ValueOf(sel).Elem().Field(b.Place)
		if asks.IsNil() {
			continue
		}
		for _, key := range keys {
			for i := range b.Fields {
				if want, _ := asks.Elem().Field(b.Fields[i].Ask).Interface().(*string); b.Fields[i].Key == key && want != nil {
					return *want
				}
			}
		}
	}
	return ""
}

// FirstOf returns the first of these fields that a phone's node has, "" when it has none.
func FirstOf(n Native, keys ...string) string {
	b := PhoneBlocks()[reflect.TypeOf(n)]
	if b == nil {
		return ""
	}
	for _, key := range keys {
		for i := range b.Fields {
			if f := &b.Fields[i]; f.Key == key {
				if s := f.TextOf(n, reflect.ValueOf(n).Elem()); s != nil && *s != "" {
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
	b := PhoneBlocks()[reflect.TypeOf(n)]
	if b == nil {
		return false, nil
	}
	asks := reflect.ValueOf(sel).Elem().Field(b.Place)
	if asks.IsNil() {
		return false, nil
	}
	asks = asks.Elem()
	v := reflect.ValueOf(n).Elem()
	for i := range b.Fields {
		f := &b.Fields[i]
		want := asks.Field(f.Ask)
		if want.IsNil() {
			continue
		}
		if ok, err := f.Holds(ctx, want.Interface(), n, v, b.Fold); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// Saying returns the key of a text in the table of texts of a snapshot.
func (f *PhoneField) Saying(b *PhoneBlock, text string) string {
	if b.Fold {
		text = strings.ToLower(text)
	}
	return f.Key + "\x00" + text
}

// PhoneSayings returns the places in all of the nodes that say each text, made when they are first asked for.
func (s *Snapshot) PhoneSayings() map[string][]int32 {
	s.roles.phones.Do(func() {
		s.roles.replyNames = map[string][]int32{}
		for i, n := range s.all {
			b := PhoneBlocks()[reflect.TypeOf(n.Native)]
			if b == nil {
				continue
			}
			v := reflect.ValueOf(n.Native).Elem()
			for k := range b.Fields {
				f := &b.Fields[k]
				if f.List || f.Tell >= 0 && v.Field(f.Tell).Type() != reflect.TypeFor[*string]() {
					continue
				}
				if t := f.TextOf(n.Native, v); t != nil && *t != "" {
					key := f.Saying(b, *t)
					s.roles.replyNames[key] = append(s.roles.replyNames[key], int32(i))
				}
			}
		}
	})
	return s.roles.replyNames
}
