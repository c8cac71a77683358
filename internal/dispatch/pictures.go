package dispatch

import (
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// keepPictures puts the pictures of a result beside the log, so that the report can show what a takeSnapshot saw. The
// line of a call holds text only.
func keepPictures(inv *Invocation, res *tool.Result) error {
	if res == nil || inv.Session.Dir == "" {
		return nil
	}
	var named struct {
		ScreenName string `json:"screenName"`
	}
	_ = json.Unmarshal(inv.Call.Args, &named) // a picture without a name is a picture
	for _, part := range res.Content {
		if part.Type != "image" || len(part.Data) == 0 {
			continue
		}
		blob, err := inv.Session.Log.PutBlob(part.Data, part.MIME)
		if err != nil {
			return err
		}
		shot := &event.Screen{Blob: blob, MIME: part.MIME, Why: inv.Authored.Name, Name: named.ScreenName,
			Step: inv.Session.Step(), CallID: inv.ID}
		if _, err := inv.Session.Log.Append(event.Event{Type: event.Screenshot, Screen: shot}); err != nil {
			return err
		}
	}
	return nil
}
