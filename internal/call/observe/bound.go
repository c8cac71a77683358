package observe

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// Bound returns a result that keeps to the budget: texts are cut and the whole of them is kept, pictures that the
// client does not take are replaced by their places, and data gets shorter lists. The result that comes in is not
// changed; it comes back when it fits.
func Bound(res *tool.Result, s Settings) (*tool.Result, *Overflow, error) {
	if res == nil {
		return res, nil, nil
	}
	left := max(s.Budget()-frameTokens, leastTokens)
	long := Tokens(res.Text()) > left
	bulky := s.BoundData && len(res.Value) > 4*left
	if !long && !bulky && !(s.NoPictures && pictured(res)) {
		return res, nil, nil
	}
	out := *res
	if bulky {
		out.Value = shrink(res.Value, 4*left)
	}
	out.Content = make([]tool.Content, 0, len(res.Content))
	var overflow *Overflow
	var failed error
	for _, c := range res.Content {
		if c.Type == "image" {
			if s.NoPictures {
				c = s.instead(c)
				left -= Tokens(c.Text + "\n")
			}
			out.Content = append(out.Content, c)
			continue
		}
		text, rest, err := s.fit(c.Text, left)
		overflow, failed = cmp.Or(rest, overflow), cmp.Or(err, failed)
		if left -= Tokens(text + "\n"); text != "" {
			c.Text = text
			out.Content = append(out.Content, c)
		}
	}
	return &out, overflow, failed
}

func pictured(res *tool.Result) bool {
	for _, c := range res.Content {
		if c.Type == "image" {
			return true
		}
	}
	return false
}

// instead names the place of a picture. The dispatcher keeps the pictures of results under the hash of their bytes.
func (s Settings) instead(c tool.Content) tool.Content {
	sum := sha256.Sum256(c.Data)
	p := &Overflow{Session: s.Session, Blob: hex.EncodeToString(sum[:]), MIME: c.MIME, Bytes: len(c.Data), dir: s.Blobs}
	if s.Keeper == nil || p.Where() == "" {
		return tool.Content{Type: "text", Text: "(a picture was taken; this session's screenshotFormat is NONE)"}
	}
	return tool.Content{Type: "text",
		Text: fmt.Sprintf("(a picture of %d kB: %s; this session's screenshotFormat is NONE)", (p.Bytes+1023)/1024,
			p.Where())}
}
