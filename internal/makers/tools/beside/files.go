package beside

import (
	"context"
	"embed"
	"os"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// The bounds of texts that are read and sent.
const (
	maxText = 64 << 10 // of a text that is given back
	maxSent = 1 << 20  // of a text that is written or sent
)

var set = descriptions.Set{Files: texts}

func spec(name, title, category string, kind tool.Kind, touches *tool.Effects) tool.Spec {
	s := set.Of(kind).Any(name, title)
	s.ExposedToLLM = false
	return s.With(tool.Facts{Categories: []string{category}, Device: tool.NoDevice, Effects: touches})
}

type readIn struct {
	Path string `json:"path" jsonschema:"path of the file below the workspace" minLength:"1"`
}

type writeIn struct {
	Path string `json:"path" jsonschema:"path of the file below the workspace; folders are made" minLength:"1"`
	Text string `json:"text" jsonschema:"the whole new content"`
}

func readFile(root string) tool.Tool {
	return tool.Define(spec("readFile", "Read a file", "FILES", tool.Query, &tool.Effects{Reads: []string{"path"}}),
		func(_ context.Context, _ tool.Env, in readIn) (*tool.Result, error) {
			const op = "read file"
			var data []byte
			err := file.Within(op, root, in.Path, func(r *os.Root, name string) (err error) {
				data, err = file.ReadIn(r, name, maxText)
				return err
			})
			if err != nil {
				return nil, err
			}
			return tool.TextResult("%s", strings.ToValidUTF8(string(data), "\uFFFD")), nil
		})
}

func writeFile(root string) tool.Tool {
	s := spec("writeFile", "Write a file", "FILES", tool.Action, &tool.Effects{Writes: []string{"path"}})
	s.Idempotent = true
	return tool.Define(s, func(_ context.Context, _ tool.Env, in writeIn) (*tool.Result, error) {
		const op = "write file"
		if len(in.Text) > maxSent {
			return nil, fault.New(fault.Invalid, op, "the text has more than %d bytes", maxSent)
		}
		err := file.Within(op, root, in.Path, func(r *os.Root, name string) error {
			return file.ReplaceIn(r, name, []byte(in.Text))
		})
		if err != nil {
			return nil, err
		}
		return done("wrote " + in.Path), nil
	})
}
