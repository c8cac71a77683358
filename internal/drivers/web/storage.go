package web

import (
	"context"
	"encoding/json"
	"net/url"
	"sort"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/domstorage"
	protonet "github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

var _ driver.Storage = (*Device)(nil)

// The storage state file, as Playwright writes it.
type (
	storageState struct {
		Cookies []stateCookie `json:"cookies"`
		Origins []stateOrigin `json:"origins"`
	}
	stateCookie struct {
		Name     string  `json:"name"`
		Value    string  `json:"value"`
		Domain   string  `json:"domain"`
		Path     string  `json:"path"`
		Expires  float64 `json:"expires"` // seconds since the epoch; -1 for a session cookie
		HTTPOnly bool    `json:"httpOnly"`
		Secure   bool    `json:"secure"`
		SameSite string  `json:"sameSite"`
	}
	stateOrigin struct {
		Origin       string      `json:"origin"`
		LocalStorage []stateItem `json:"localStorage"`
	}
	stateItem struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// StorageState implements driver.Storage: all cookies of the context, and the local storage of the
// origins that are open.
func (d *browserContext) StorageState(ctx context.Context) (json.RawMessage, error) {
	const op = "read storage state"
	res, err := cdp.Call(ctx, d.browser.conn.Root(), storage.GetCookies,
		storage.GetCookiesParams{BrowserContextID: d.context})
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	state := storageState{Cookies: []stateCookie{}, Origins: []stateOrigin{}}
	for _, c := range res.Cookies {
		sc := stateCookie{c.Name, c.Value, c.Domain, c.Path, c.Expires, c.HTTPOnly, c.Secure, string(c.SameSite)}
		if c.Session {
			sc.Expires = -1
		}
		if sc.SameSite == "" {
			sc.SameSite = "Lax"
		}
		state.Cookies = append(state.Cookies, sc)
	}
	for origin, f := range d.origins() {
		items, err := cdp.Call(ctx, f.Host.Session, domstorage.GetDOMStorageItems, domstorage.GetDOMStorageItemsParams{
			StorageID: &domstorage.StorageID{SecurityOrigin: origin, IsLocalStorage: true},
		})
		if err != nil {
			if ctx.Err() != nil {
				return nil, fault.Wrap(err, "", op)
			}
			continue // the frame went away meanwhile, or its origin may not store
		}
		o := stateOrigin{Origin: origin, LocalStorage: []stateItem{}}
		for _, it := range items.Entries {
			if len(it) == 2 {
				o.LocalStorage = append(o.LocalStorage, stateItem{it[0], it[1]})
			}
		}
		if len(o.LocalStorage) > 0 {
			sort.Slice(o.LocalStorage, func(i, j int) bool { return o.LocalStorage[i].Name < o.LocalStorage[j].Name })
			state.Origins = append(state.Origins, o)
		}
	}
	sort.Slice(state.Origins, func(i, j int) bool { return state.Origins[i].Origin < state.Origins[j].Origin })
	return json.Marshal(state)
}

// origins are the origins that frames show now, with one frame of each.
func (d *browserContext) origins() map[string]*frames.Frame {
	d.frames.Lock()
	defer d.frames.Unlock()
	out := map[string]*frames.Frame{}
	for _, t := range d.frames.Tabs {
		for _, f := range t.Frames {
			if u, err := url.Parse(f.URL); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
				out[u.Scheme+"://"+u.Host] = f
			}
		}
	}
	return out
}

// SetStorageState implements driver.Storage. Local storage is written through documents of each
// origin that never reach the network.
func (d *browserContext) SetStorageState(ctx context.Context, raw json.RawMessage) error {
	const op = "set storage state"
	var state storageState
	if err := json.Unmarshal(raw, &state); err != nil {
		return fault.New(fault.Invalid, op, "not a storage state: %w", err).
			WithHint("It is JSON with cookies and origins, as Playwright writes it.")
	}
	params := storage.SetCookiesParams{BrowserContextID: d.context}
	for _, c := range state.Cookies {
		p := &protonet.CookieParam{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure,
			SameSite: protonet.CookieSameSite(c.SameSite),
		}
		if c.Expires > 0 {
			p.Expires = proto.TimeSinceEpoch(c.Expires)
		}
		params.Cookies = append(params.Cookies, p)
	}
	if err := cdp.Do(ctx, d.browser.conn.Root(), storage.SetCookies, params); err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	var origins []stateOrigin
	for _, o := range state.Origins {
		if len(o.LocalStorage) > 0 {
			origins = append(origins, o)
		}
	}
	if len(origins) == 0 {
		return nil
	}
	return fault.Wrap(d.seedOrigins(ctx, origins), "", op)
}
