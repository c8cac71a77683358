package handover

import (
	"reflect"
	"strings"
	"testing"
)

func TestTakes(t *testing.T) {
	for line, want := range map[string]bool{
		"tool web_click": true, "--json snapshot": true, "ask What is it?": true, "": false, "mcp": false, "run tool": false,
		"-- tool x": false, "--json": false, "daemon serve": false, "__complete tool x": false,
	} {
		if got := Takes(strings.Fields(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// FuzzParse: bad input is an error, and what was asked is read as it was written, to the byte.
func FuzzParse(f *testing.F) {
	good := Request{Caller: Caller{Dir: "/w", Temp: "/tmp", Tab: "1 2", Color: true}, Args: []string{"tool", "caf\xe9", ""},
		Environ: []string{"A=b", "C=\xff"}}
	f.Add(good.Encode())
	f.Add([]byte(""))
	f.Add([]byte("/w\x00/tmp\x00\x000\x000\x000\x00-1\x00tool"))
	f.Add([]byte("/w\x00/tmp\x00\x000\x000\x000\x0099999999999\x00tool"))
	f.Add([]byte(strings.Repeat("\x00", maxFields+1)))
	f.Add(make([]byte, MaxRequest+1))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			return
		}
		if !Takes(r.Args) {
			t.Errorf("it took %q", r.Args)
		}
		again, err := Parse(r.Encode())
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%+v became %+v, %v", r, again, err)
		}
	})
}
