package session

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// maxActivity bounds each list of an Activity, and maxActivityText each text of it, in bytes.
const (
	maxActivity     = 500
	maxActivityText = 4 << 10
)

// Activity is the newest 500 of all that the pages of a session have asked for, logged and saved, oldest first. It
// is without headers and bodies, and without secrets.
type Activity struct {
	Requests []driver.Request        `json:"requests,omitempty"`
	Console  []driver.ConsoleMessage `json:"console,omitempty"`
	Files    []driver.Download       `json:"files,omitempty"`
}

// ActivityOf returns what pages of a device did since then.
func ActivityOf(
	ctx context.Context, dev driver.Device, since time.Time, mask func(string) string,
) (a Activity, err error) {
	text := func(s string) string { // a secret that a cut divides would not be found
		s = mask(s[:min(len(s), 16*maxActivityText)])
		return strings.ToValidUTF8(s[:min(len(s), maxActivityText)], "")
	}
	if n, ok := driver.As[driver.Network](dev); ok {
		all, err := n.Requests(ctx, 0)
		if err != nil {
			return a, err
		}
		for _, r := range newest(all) {
			if !r.Started.Before(since) {
				r.Headers, r.PostData = nil, ""
				r.Method, r.URL, r.Error, r.MIME = text(r.Method), text(r.URL), text(r.Error), text(r.MIME)
				a.Requests = append(a.Requests, r)
			}
		}
	}
	if c, ok := driver.As[driver.Console](dev); ok {
		all, err := c.ConsoleMessages(ctx, 0)
		if err != nil {
			return a, err
		}
		for _, m := range newest(all) {
			if !m.Time.Before(since) {
				m.Text, m.Source = text(m.Text), text(m.Source)
				a.Console = append(a.Console, m)
			}
		}
	}
	if d, ok := driver.As[driver.Downloader](dev); ok {
		all, err := d.Downloads(ctx)
		if err != nil {
			return a, err
		}
		for _, f := range newest(all) {
			f.Name, f.URL, f.Path = text(f.Name), text(f.URL), ""
			a.Files = append(a.Files, f)
		}
	}
	return a, nil
}

func newest[T any](all []T) []T { return all[max(len(all)-maxActivity, 0):] }

// keepActivity writes what the pages of the session did, its actors' included, before it ends.
func (s *Session) keepActivity() error {
	var all Activity
	for _, of := range append([]*Session{s}, slices.Collect(maps.Values(s.actors))...) {
		if of.Device == nil {
			continue
		}
		a, err := ActivityOf(context.Background(), of.Device, s.started, s.Memory.Mask)
		if err != nil {
			return err
		}
		all.Requests, all.Console = append(all.Requests, a.Requests...), append(all.Console, a.Console...)
		all.Files = append(all.Files, a.Files...)
	}
	if len(all.Requests)+len(all.Console)+len(all.Files) == 0 {
		return nil
	}
	slices.SortStableFunc(all.Requests, func(a, b driver.Request) int { return a.Started.Compare(b.Started) })
	slices.SortStableFunc(all.Console, func(a, b driver.ConsoleMessage) int { return a.Time.Compare(b.Time) })
	raw, err := json.Marshal(all)
	if err != nil {
		return err
	}
	blob, err := s.Log.PutBlob(raw, "application/json")
	if err != nil {
		return err
	}
	_, err = s.Log.Append(event.Event{Type: event.PageActivity, Activity: &event.Activity{
		Blob: blob, Requests: len(all.Requests), Console: len(all.Console), Files: len(all.Files),
	}})
	return err
}

// KeptActivity reads what the pages of a session that has ended did; the zero Activity when they did nothing.
func KeptActivity(dir string) (a Activity, err error) {
	const op = "read activity"
	blob := ""
	for e, err := range event.Read(dir) {
		if err != nil {
			return a, err
		}
		if e.Type == event.PageActivity && e.Activity != nil {
			blob = e.Activity.Blob
		}
	}
	if blob == "" {
		return a, nil
	}
	raw, err := event.ReadBlob(dir, blob)
	if err != nil {
		return a, err
	}
	return a, fault.Wrap(json.Unmarshal(raw, &a), fault.Unavailable, op)
}
