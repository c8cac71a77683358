package script

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/tstype"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/worker"
)

// Caller is a file with calls of tools.
type Caller struct {
	File  string // below the workspace
	Text  []byte
	Calls []tstype.Call
	Err   error // of a file whose calls cannot be read
}

// Callers returns the scripts of folders that call tools, also those that are modules of others. Tests are none, as
// they call stand-ins. A file that cannot be opened is reported when its tools are loaded.
func Callers(ctx context.Context, workspace string, dirs []string) ([]Caller, error) {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, "open workspace")
	}
	defer func() { _ = root.Close() }()
	var out []Caller
	for _, dir := range dirs {
		names, err := files(root, dir, isToolFile)
		if err != nil {
			return nil, fault.Wrap(err, "", "list scripts")
		}
		for _, name := range names {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if text, err := file.ReadIn(root, name, maxFile); err == nil {
				c := Caller{File: name, Text: text}
				c.Calls, c.Err = calls(ctx, name, text)
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// calls reads the calls of one file.
func calls(ctx context.Context, name string, text []byte) (out []tstype.Call, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, typesTime, fault.New(fault.Invalid, "",
		"the calls of %s take longer than %v to be read", name, typesTime))
	defer cancel()
	end, err := worker.Do(ctx, worker.Job{Op: worker.Calls, File: name, Blob: text}, &run{world: nobody{}})
	if over, is := errors.AsType[*worker.Stopped](err); is {
		return nil, over.Cause
	}
	if err == nil {
		err = json.Unmarshal(end.Args, &out)
	}
	return out, err
}
