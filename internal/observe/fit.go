package observe

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Keeper keeps what does not fit into a reply. An event.Log is one.
type Keeper interface {
	PutBlob(data []byte, mime string) (name string, err error)
}

// Spill is where all of a text is that did not fit.
type Spill struct {
	Blob  string // name in the session's blobs
	MIME  string
	Bytes int
}

// Tokens is about how many tokens a text takes: four bytes each.
func Tokens(text string) int { return (len(text) + 3) / 4 }

// Fit cuts a text to a budget at line ends, keeping its beginning and its end, and keeps the whole of it with keep (which
// may be nil). A text that fits comes back as it is.
func Fit(text string, maxTokens int, keep Keeper) (string, *Spill, error) {
	if Tokens(text) <= maxTokens {
		return text, nil, nil
	}
	var spill *Spill
	where := ""
	if keep != nil {
		name, err := keep.PutBlob([]byte(text), "text/plain")
		if err != nil {
			return "", nil, err
		}
		if name != "" {
			spill = &Spill{Blob: name, MIME: "text/plain", Bytes: len(text)}
			where = "; all of it is kept as blob " + name[:min(12, len(name))]
		}
	}
	note := fmt.Sprintf("… %d of about %d tokens left out%s …", max(0, Tokens(text)-maxTokens), Tokens(text), where)
	room := max(0, 4*maxTokens-len(note)-2)
	head, tail := cutHead(text, room*3/4), cutTail(text, room/4)
	return strings.TrimRight(head, "\n") + "\n" + note + "\n" + tail, spill, nil
}

func cutHead(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if i := strings.LastIndexByte(s[:n], '\n'); i > n/2 {
		n = i
	}
	return s[:n]
}

func cutTail(s string, n int) string {
	from := max(0, len(s)-n)
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 && i < n/2 {
		from += i + 1
	}
	return s[from:]
}
