package script

import (
	"context"
	"encoding/json"
	"os"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/script/tstype"
	"github.com/trailblaze-dev/trailblaze/internal/script/worker"
)

// Caller is a file with calls of tools.
type Caller struct {
	File  string // below the workspace
	Text  []byte
	Calls []tstype.Call
}

// Callers are the scripts of folders that call tools, also those that are modules of others. Tests are none: what they
// call is a stand-in. A file that cannot be read is told of when its tools are loaded.
func Callers(ctx context.Context, workspace string, dirs []string) ([]Caller, error) {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, "open workspace")
	}
	defer func() { _ = root.Close() }()
	ctx, cancel := context.WithTimeoutCause(ctx, readyTime, fault.New(fault.Invalid, "",
		"the scripts take longer than %v to be read", readyTime))
	defer cancel()
	var out []Caller
	for _, dir := range dirs {
		names, err := files(root, dir, isToolFile)
		if err != nil {
			return nil, fault.Wrap(err, "", "list scripts")
		}
		for _, name := range names {
			text, err := file.ReadIn(root, name, maxFile)
			if err != nil {
				continue
			}
			c := Caller{File: name, Text: text}
			end, err := worker.Do(ctx, worker.Job{Op: worker.Calls, File: name, Blob: text}, &run{world: nobody{}})
			if err == nil {
				err = json.Unmarshal(end.Args, &c.Calls)
			}
			if err != nil {
				return nil, fault.Wrap(err, "", "read the calls of "+name)
			}
			out = append(out, c)
		}
	}
	return out, nil
}
