package cdp

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Clip returns at most the first max bytes of a text that a page sent, and keeps nothing of the
// rest in memory.
func Clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(strings.Clone(s[:max]), "")
}

// Text is a value of a page as its console would show it.
func Text(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	var s string
	switch {
	case o.Type == "string" && jsonv2.Unmarshal(o.Value, &s) == nil:
		return s
	case o.UnserializableValue != "":
		return string(o.UnserializableValue)
	case o.Preview != nil && o.Subtype == "":
		return previewText(o.Preview)
	case o.Description != "":
		return o.Description
	case len(o.Value) > 0:
		return string(o.Value)
	}
	return string(o.Type)
}

func previewText(p *runtime.ObjectPreview) string {
	parts := make([]string, 0, len(p.Properties))
	for _, f := range p.Properties {
		parts = append(parts, f.Name+": "+f.Value)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// ExceptionText returns the message of a value that a script threw.
func ExceptionText(x *runtime.ExceptionDetails) string {
	if x.Exception != nil && x.Exception.Description != "" {
		return x.Exception.Description
	}
	if x.Exception != nil && len(x.Exception.Value) > 0 {
		return fmt.Sprintf("%s %s", x.Text, x.Exception.Value)
	}
	return x.Text
}

// String encodes a string as an argument of a call.
func String(s string) jsonv2.Value {
	raw, err := jsonv2.Marshal(s, chromedp.DefaultMarshalOptions)
	if err != nil {
		return jsonv2.Value(`""`) // cannot happen: invalid UTF-8 is replaced
	}
	return raw
}

// ShortURL is a URL for a message: without its query, and at most 120 bytes long.
func ShortURL(url string) string {
	url, _, _ = strings.Cut(url, "?")
	if len(url) > 120 {
		return url[:119] + "…"
	}
	return url
}
