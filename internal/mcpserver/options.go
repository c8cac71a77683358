package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
)

// The headers with which a proxy sets the options of a new client. A client that exists keeps its
// own.
const (
	headerDevice     = "Trailblaze-Device"
	headerMode       = "Trailblaze-Mode"
	headerTools      = "Trailblaze-Tools"
	headerCategories = "Trailblaze-Categories"
	headerHeadless   = "Trailblaze-Headless"

	headerReceipts = "Trailblaze-Receipts" // the proxy wants a receipt before each call runs
	headerSecrets  = "Trailblaze-Secrets"  // of the proxy's environment: names and values, as JSON in base64
)

// secretsIn are the secrets that a proxy sends for its client.
func secretsIn(h http.Header) (map[string]string, error) {
	text := h.Get(headerSecrets)
	if text == "" {
		return nil, nil
	}
	var secrets map[string]string
	data, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &secrets)
	}
	if err != nil { // the error may quote them
		return nil, fault.New(fault.Invalid, "begin session", "the header %s cannot be read", headerSecrets)
	}
	return secrets, nil
}

// applyOptions gives a new client the options of its proxy's command line.
func applyOptions(client *clients.Client, h http.Header) error {
	const op = "begin session"
	option := func(name string) string { return strings.TrimSpace(h.Get(name)) }
	if option(headerDevice)+option(headerMode)+option(headerTools)+option(headerCategories)+option(headerHeadless) == "" {
		return nil
	}
	return client.Update(func(st *clients.State) error {
		if w := option(headerDevice); w != "" {
			st.Device = w
		}
		if w := option(headerMode); w != "" {
			if st.Mode = toolset.Mode(w).Canonical(); !slices.Contains(toolset.Modes(), st.Mode) {
				return fault.New(fault.Invalid, op, "there is no mode %q", w).
					WithHint("The modes are %s.", joined(toolset.Modes()))
			}
		}
		if w := option(headerTools); w != "" {
			on, ok := toolset.Preset(strings.ToLower(w))
			if !ok {
				return fault.New(fault.Invalid, op, "there is no preset of tools %q", w).
					WithHint("Use minimal, standard, testing or all.")
			}
			st.Categories = on
		}
		if w := option(headerCategories); w != "" {
			st.Categories = nil
			for part := range strings.SplitSeq(w, ",") {
				c := toolset.Category(strings.TrimSpace(part)).Canonical()
				if !slices.Contains(toolset.Categories(), c) {
					return fault.New(fault.Invalid, op, "there is no tool category %q", part).
						WithHint("The categories are %s.", joined(toolset.Categories()))
				}
				st.Categories = toolset.With(st.Categories, c)
			}
		}
		if w := option(headerHeadless); w != "" {
			b, err := strconv.ParseBool(w)
			if err != nil {
				return fault.Wrap(err, fault.Invalid, op)
			}
			st.Headless = &b
		}
		return nil
	})
}

func joined[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}
