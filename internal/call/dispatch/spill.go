package dispatch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// These limit the answer of a tool that is not ours: a longer text or value is put beside the log, and its beginning
// stays.
const (
	maxAnswer  = 1 << 20
	keptAnswer = 64 << 10
)

// spilled keeps long answers of other servers, processes and scripts out of the log and of replies. They are masked
// before, since they are stored.
func spilled(inv *Invocation, res *tool.Result, err error) (*tool.Result, error) {
	s := inv.Spec()
	if res == nil || s == nil {
		return res, err
	}
	if e := s.Effects; e != nil && !e.Server && !e.Process && !e.Script {
		return res, err
	}
	short, e := shortened(inv, res)
	if e != nil {
		return nil, e
	}
	return short, err
}

// shortened returns a result without the parts that are too long. A value cannot be cut: all of it goes.
func shortened(inv *Invocation, res *tool.Result) (*tool.Result, error) {
	c := *res
	c.Content = slices.Clone(res.Content)
	for i, part := range c.Content {
		if len(part.Text) <= maxAnswer {
			continue
		}
		where, err := putAway(inv, []byte(part.Text), "text/plain")
		if err != nil {
			return nil, err
		}
		c.Content[i].Text = "(" + where + "; it begins:)\n" + strings.ToValidUTF8(part.Text[:keptAnswer], "") + "…"
	}
	if len(res.Value) > maxAnswer {
		where, err := putAway(inv, res.Value, "application/json")
		if err != nil {
			return nil, err
		}
		c.Value = nil
		c.Content = append(c.Content, tool.Content{Type: "text", Text: "(its value: " + where + ")"})
	}
	return &c, nil
}

// putAway keeps data with the session and says where it is.
func putAway(inv *Invocation, data []byte, mime string) (string, error) {
	s := inv.Session
	if s.Dir == "" {
		return fmt.Sprintf("%d bytes are more than the %d that an answer may have, and this session keeps nothing",
			len(data), maxAnswer), nil
	}
	name, err := s.Log.PutBlob(data, mime)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("all %d bytes are in trailblaze://sessions/%s/blobs/%s", len(data), s.ID, name), nil
}
