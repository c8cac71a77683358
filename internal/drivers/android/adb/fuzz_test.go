package adb

import (
	"bytes"
	"io"
	"testing"
)

// No answer of a server or phone makes the readers panic or keep more than they may.
func FuzzReaders(f *testing.F) {
	f.Add([]byte("OKAY0004abcd"))
	f.Add([]byte("p1\tdevice product:x model:y device:z\nno permissions (why); see\n"))
	f.Add([]byte("\x01\x02\x00\x00\x00hi\x03\x01\x00\x00\x00\x07"))
	f.Add([]byte("DATA\x02\x00\x00\x00hiDONE\x00\x00\x00\x00"))
	f.Add([]byte("FAIL\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, l := range parseList(string(data)) {
			if l.Serial == "" {
				t.Error("a phone without a serial")
			}
			_ = l.Unready()
		}
		if b, err := readText(bytes.NewReader(data)); err == nil && len(b) > maxText {
			t.Errorf("a text of %d bytes", len(b))
		}
		if res, err := readShell(bytes.NewReader(data), 100, nil); err == nil && len(res.Stdout)+len(res.Stderr) > 100 {
			t.Errorf("kept %d bytes", len(res.Stdout))
		}
		_ = receive(bytes.NewReader(data), io.Discard, 100)
	})
}
