// Package jsonsize bounds how many keys and items a JSON text of a client may have. Each of them takes up to a
// hundred times the memory of its text, so that a bound on bytes is none on memory. The doors call Check before they
// decode a request.
package jsonsize

import (
	"bytes"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Max limits the keys, items, lists and objects in a request: a login state with 5,000 cookies.
const Max = 50_000

// Check refuses JSON with more than Max keys and items. It does not look whether raw is JSON.
func Check(raw []byte) error {
	n := 0
	for len(raw) > 0 {
		quote := bytes.IndexByte(raw, '"')
		plain := raw
		if quote >= 0 {
			plain = raw[:quote]
		}
		for _, b := range plain {
			if b == ',' || b == '[' || b == '{' {
				n++
			}
		}
		if n > Max {
			return fault.New(fault.Invalid, "", "it has more than %d keys and items", Max).WithHint("Send less at once.")
		}
		if quote < 0 {
			return nil
		}
		raw = afterText(raw[quote+1:])
	}
	return nil
}

// afterText returns the rest after the text that raw begins within.
func afterText(raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return raw[i+1:]
		}
	}
	return nil
}
