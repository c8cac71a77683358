package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
)

// How a front says what its client's seat begins with. A seat that is taken again keeps what its client has chosen since.
const (
	headerDevice     = "Trailblaze-Device"
	headerMode       = "Trailblaze-Mode"
	headerTools      = "Trailblaze-Tools"
	headerCategories = "Trailblaze-Categories"
	headerHeadless   = "Trailblaze-Headless"

	headerReceipts = "Trailblaze-Receipts" // the front wants to be told of calls before they are carried out
	headerSecrets  = "Trailblaze-Secrets"  // of the front's environment: names and values, as JSON in base64
)

// secretsIn are the secrets that a front's client was given.
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
	if err != nil { // which may quote them
		return nil, fault.New(fault.Invalid, "begin session", "the header %s cannot be read", headerSecrets)
	}
	return secrets, nil
}

// begin gives a new seat what its front's command line asks for.
func begin(seat *hub.Seat, h http.Header) error {
	const op = "begin session"
	wish := func(name string) string { return strings.TrimSpace(h.Get(name)) }
	if wish(headerDevice)+wish(headerMode)+wish(headerTools)+wish(headerCategories)+wish(headerHeadless) == "" {
		return nil
	}
	return seat.Update(func(st *hub.SeatState) error {
		if w := wish(headerDevice); w != "" {
			st.Device = w
		}
		if w := wish(headerMode); w != "" {
			if st.Mode = toolset.Mode(w).Canonical(); !slices.Contains(toolset.Modes(), st.Mode) {
				return fault.New(fault.Invalid, op, "there is no mode %q", w).WithHint("The modes are %s.", spell(toolset.Modes()))
			}
		}
		if w := wish(headerTools); w != "" {
			on, ok := toolset.Preset(strings.ToLower(w))
			if !ok {
				return fault.New(fault.Invalid, op, "there is no preset of tools %q", w).WithHint("Use minimal, standard, testing or all.")
			}
			st.Categories = on
		}
		if w := wish(headerCategories); w != "" {
			st.Categories = nil
			for part := range strings.SplitSeq(w, ",") {
				c := toolset.Category(strings.TrimSpace(part)).Canonical()
				if !slices.Contains(toolset.Categories(), c) {
					return fault.New(fault.Invalid, op, "there is no tool category %q", part).WithHint("The categories are %s.", spell(toolset.Categories()))
				}
				st.Categories = toolset.With(st.Categories, c)
			}
		}
		if w := wish(headerHeadless); w != "" {
			b, err := strconv.ParseBool(w)
			if err != nil {
				return fault.Wrap(err, fault.Invalid, op)
			}
			st.Headless = &b
		}
		return nil
	})
}

func spell[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}
