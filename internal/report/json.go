package report

import (
	"encoding/json"
	"io"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// WriteJSON writes the report as one indented document. Pictures stay in the sessions' folders, named by their blobs.
func WriteJSON(w io.Writer, r *Report) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return fault.Wrap(enc.Encode(r), fault.Unavailable, "write JSON report")
}
