package page

import (
	"strconv"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// fields is a cursor over the tab-separated fields of a line.
type fields struct {
	rest string
	done bool
	err  error
}

func (f *fields) next() string {
	if f.done {
		return ""
	}
	i := strings.IndexByte(f.rest, '\t')
	if i < 0 {
		f.done = true
		return f.rest
	}
	s := f.rest[:i]
	f.rest = f.rest[i+1:]
	return s
}

func (f *fields) int() int64 {
	s := f.next()
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n
}

func (f *fields) float() float64 {
	s := f.next()
	if n, ok := small(s); ok {
		return n
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n
}

// small parses the plain numbers that boxes are made of, several times faster than strconv.
func small(s string) (float64, bool) {
	if s == "" {
		return 0, true
	}
	i, neg := 0, s[0] == '-'
	if neg {
		i = 1
	}
	if len(s) > 12 || i == len(s) {
		return 0, false
	}
	n, frac := int64(0), int64(0)
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			n, frac = n*10+int64(c-'0'), frac*10
		case c == '.' && frac == 0:
			frac = 1
		default:
			return 0, false
		}
	}
	v := float64(n)
	if frac > 1 {
		v /= float64(frac)
	}
	if neg {
		v = -v
	}
	return v, true
}

// px reads a length, sent in tenths of a pixel.
func (f *fields) px() float64 { return f.float() / 10 }

func (f *fields) rect() screen.Rect {
	return screen.Rect{X: f.px(), Y: f.px(), W: f.px(), H: f.px()}
}

func (f *fields) ints() []int64 {
	if f.done {
		return nil
	}
	out := make([]int64, 0, 1+strings.Count(f.rest, "\t"))
	for !f.done {
		out = append(out, f.int())
	}
	return out
}

// unescape undoes src/wire.ts escape. It copies, so that a long-lived node does not keep a whole
// capture in memory.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return strings.Clone(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'u':
			b.WriteByte('\x1f')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// Roles, tags and input types come from small sets; every node of a kind shares one string.
var interned = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for w := range strings.FieldsSeq(`
		generic text link button heading list listitem paragraph cell row rowgroup table columnheader rowheader caption
		textbox searchbox combobox listbox option checkbox radio switch slider spinbutton img navigation main banner
		contentinfo complementary region form search article group dialog alert status separator tab tablist tabpanel
		menu menubar menuitem menuitemcheckbox menuitemradio tree treeitem grid gridcell document iframe strong emphasis
		code blockquote figure term definition progressbar meter none time mark a abbr address area article aside audio
		b body br button canvas cite dd del details dfn div dl dt em fieldset figcaption footer h1 h2 h3 h4 h5 h6 header
		hgroup hr html i iframe input ins kbd label legend li nav ol optgroup output p pre q s section select small span
		sub summary sup svg tbody td textarea tfoot th thead tr ul video path email tel url password number date file
		submit reset color range hidden`) {
		m[w] = w
	}
	return m
})

func intern(s string) string {
	if w, ok := interned()[s]; ok {
		return w
	}
	return strings.Clone(s)
}
