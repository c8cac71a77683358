package mcpfront

import (
	"crypto/rand"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// ids keep the exact JSON form of a client's request ids. The daemon reads numbers as 64-bit integers, so 1.5, 1e3 and
// integers over 15 digits are sent to it as strings and turned back in its answers.
type ids struct {
	prefix string // no client can know it
}

func newIDs() ids { return ids{prefix: "id-" + rand.Text() + "-"} }

// toDaemon replaces such an id in a request, or the one that a cancellation names.
func (x ids) toDaemon(s surface, line []byte) []byte {
	if s.id != nil {
		if number(s.id) && !kept(s.id) {
			return withID(line, strconv.Quote(x.prefix+string(s.id)))
		}
		return line
	}
	if s.method != methodCancelled {
		return line
	}
	var m, params map[string]json.RawMessage
	if json.Unmarshal(s.params, &params) != nil || !number(params["requestId"]) || kept(params["requestId"]) || json.Unmarshal(line, &m) != nil {
		return line
	}
	params["requestId"] = json.RawMessage(strconv.Quote(x.prefix + string(params["requestId"])))
	m["params"] = encode(params)
	return encode(m)
}

// original is the client's id that a daemon's answer means, if the daemon was given another.
func (x ids) original(id json.RawMessage) (json.RawMessage, bool) {
	text, ok := strings.CutPrefix(string(id), `"`+x.prefix)
	return json.RawMessage(strings.TrimSuffix(text, `"`)), ok
}

func number(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// kept reports whether a number is an integer that every JSON reader keeps, in its usual spelling.
func kept(id json.RawMessage) bool {
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && len(id) <= 15 && strconv.FormatInt(n, 10) == string(id)
}

// keyOf tells ids apart by their value: 1e3 and 1000 are one id, 9007199254740993 and 9007199254740992 are two.
func keyOf(id json.RawMessage) string {
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
