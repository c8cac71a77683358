// Package rpcid keeps the exact JSON form of the ids of JSON-RPC requests. The SDK reads numbers as 64-bit integers,
// so 1.5, 1e3 and integers over 15 digits are given to it as strings, and turned back in its answers.
package rpcid

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

const methodCancelled = "notifications/cancelled"

// Keeper makes stand-ins for ids and knows them again. Make it with New.
type Keeper struct {
	quoted []byte // how the string of a stand-in begins; no client can know it
}

// New makes a Keeper.
func New() Keeper { return Keeper{quoted: []byte(`"id-` + rand.Text() + `-`)} }

// Replace puts a stand-in for such an id into a message from a client, or for the one that a cancellation names.
func (k Keeper) Replace(line []byte, id json.RawMessage, method string, params json.RawMessage) []byte {
	if method == "" {
		return line // an answer has an id of ours
	}
	if len(id) > 0 {
		if number(id) && !kept(id) {
			return With(line, string(k.standIn(id)))
		}
		return line
	}
	if method != methodCancelled {
		return line
	}
	var m, p map[string]json.RawMessage
	if json.Unmarshal(params, &p) != nil || !number(p["requestId"]) || kept(p["requestId"]) ||
		json.Unmarshal(line, &m) != nil {
		return line
	}
	p["requestId"] = k.standIn(p["requestId"])
	m["params"] = encode(p)
	return encode(m)
}

func (k Keeper) standIn(id json.RawMessage) json.RawMessage {
	return append(append(bytes.Clone(k.quoted), id...), '"')
}

// Restore turns every stand-in in a message to a client back into its id.
func (k Keeper) Restore(text []byte) []byte {
	before, after, found := bytes.Cut(text, k.quoted)
	if !found {
		return text
	}
	out := make([]byte, 0, len(text))
	for found {
		id, rest, whole := bytes.Cut(after, []byte(`"`))
		if !whole {
			return text
		}
		out = append(append(out, before...), id...)
		before, after, found = bytes.Cut(rest, k.quoted)
	}
	return append(out, before...)
}

// Usable reports whether a request can be answered to: an id is a string or a number. Programs that write null in a
// notification mean none.
func Usable(id json.RawMessage, method string) bool {
	return len(id) == 0 || id[0] == '"' || number(id) ||
		bytes.Equal(id, []byte("null")) && strings.HasPrefix(method, "notifications/")
}

func number(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// kept reports whether a number is an integer that every JSON reader keeps, in its usual spelling.
func kept(id json.RawMessage) bool {
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && len(id) <= 15 && strconv.FormatInt(n, 10) == string(id)
}

// Key distinguishes ids by their value: 1e3 and 1000 are one id, 9007199254740993 and 9007199254740992 are two.
func Key(id json.RawMessage) string {
	if len(id) > 0 && id[0] == '"' {
		var s string
		if json.Unmarshal(id, &s) == nil {
			return `"` + s
		}
		return string(id)
	}
	_, exponent, _ := strings.Cut(strings.ToLower(string(id)), "e")
	if number(id) && len(id) <= 400 && len(exponent) <= 4 { // a larger exponent would make a number of gigabytes
		if n, ok := new(big.Rat).SetString(string(id)); ok {
			return n.RatString()
		}
	}
	return string(id)
}

// With returns a message with another id.
func With(line []byte, id string) []byte {
	var m map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil {
		return line
	}
	m["id"] = json.RawMessage(id)
	return encode(m)
}

// encode is one line of JSON. HTML escapes would only make it longer.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // only values read as JSON
	return b.Bytes()
}
