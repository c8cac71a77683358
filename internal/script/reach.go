package script

import (
	"context"
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// reach is what a tool may touch outside of the tools it calls: nothing, unless it declares it.
type reach struct{ tool string }

func (r *reach) fetch(context.Context, json.RawMessage) (any, error) {
	return nil, fault.New(fault.Denied, "fetch", "%s declares no hosts", r.tool)
}

func (r *reach) read(string) (any, error) {
	return nil, fault.New(fault.Denied, "read file", "%s declares no files", r.tool)
}

func (r *reach) write(json.RawMessage) error {
	return fault.New(fault.Denied, "write file", "%s declares no files", r.tool)
}
