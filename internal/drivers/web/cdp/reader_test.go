package cdp

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestReaderBounds(t *testing.T) {
	long := strings.Repeat("long ", 100)
	for _, tt := range []struct{ name, in, want string }{
		{"a short event", `{"method":"a","params":{"t":"short"}}`, `{"method":"a","params":{"t":"short"}}`},
		{"a long text", `{"method":"a","params":{"t":"` + long + `","u":1}}`, `{"method":"a","params":{"t":"` + long[:40] + `","u":1}}`},
		{"a long name", `{"method":"a","params":{"` + long + `":"x"}}`, `{"method":"a","params":{"` + long[:40] + `":"x"}}`},
		{"escapes", `{"method":"a","params":{"t":"` + strings.Repeat(`\"`, 99) + `","u":"\\"}}`,
			`{"method":"a","params":{"t":"` + strings.Repeat(`\"`, 20) + `","u":"\\"}}`},
		{"codes", `{"method":"a","params":{"t":"` + strings.Repeat(`\u0041`, 99) + `"}}`, `{"method":"a","params":{"t":"` + strings.Repeat(`\u0041`, 7) + `"}}`},
		{"many texts", `{"method":"a","params":[` + strings.Repeat(`"`+long+`",`, 20) + `1]}`, ""},
		{"a large answer", `{"id":7,"result":{"t":"` + strings.Repeat(long, 4) + `"},"sessionId":"S"}`,
			`{"id":7,"error":{"code":-32000,"message":"the page's answer is larger than 0 MiB; ask for less of it"}}`},
		{"an answer", `{"id":7,"result":{"t":"` + long + `"}}`, `{"id":7,"result":{"t":"` + long + `"}}`},
	} {
		for _, in := range []io.Reader{strings.NewReader(tt.in + "\x00{}\x00"), iotest.OneByteReader(strings.NewReader(tt.in + "\x00{}\x00"))} {
			r := newReader(in)
			r.longText, r.event, r.answer = 40, 400, 1000
			got, err := r.raw()
			if err != nil || string(got) != tt.want {
				t.Errorf("%s: %s, %v", tt.name, got, err)
			}
			if got, err = r.raw(); string(got) != "{}" || err != nil {
				t.Errorf("after %s: %s, %v", tt.name, got, err)
			}
			if _, err = r.raw(); !errors.Is(err, io.EOF) {
				t.Errorf("after the end: %v", err)
			}
		}
	}
}

// What is cut is still JSON, and what is not is what it was.
func FuzzCutter(f *testing.F) {
	f.Add(`{"method":"a","params":{"t":"ä\ud83d\ude00\\\"x"}}`, 3, 5)
	f.Add(`["",{"aaaaaaaaaaaa":["bbbbbbbbbbbb\n"]}]`, 4, 1)
	f.Fuzz(func(t *testing.T, in string, max, at int) {
		if max < 0 || at < 0 || at > len(in) || !json.Valid([]byte(in)) {
			return
		}
		c := cutter{max: max}
		out := c.add(c.add(nil, []byte(in[:at])), []byte(in[at:]))
		if utf8.ValidString(in) && !json.Valid(out) {
			t.Errorf("%q became %q", in, out)
		}
		if max >= len(in) && string(out) != in {
			t.Errorf("%q became %q", in, out)
		}
	})
}
