package run

import (
	"context"
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// typesDir is the folder that --types writes to, below the workspace.
const typesDir = ".trailblaze"

// testsDoc is the output of check with --test --json.
type testsDoc struct {
	Schema   string    `json:"schema"`
	Tests    []testDoc `json:"tests"`
	Failed   int       `json:"failed"`
	ExitCode int       `json:"exitCode"`
}

type testDoc struct {
	File    string   `json:"file"`
	Name    string   `json:"name,omitempty"`
	Passed  bool     `json:"passed"`
	Millis  int64    `json:"ms"`
	Error   string   `json:"error,omitempty"`
	Console []string `json:"console,omitempty"`
}

// writeTypes writes the types of all tools for editors.
func (c *checkCmd) writeTypes(root string, tools []tool.Tool) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "write types")
	}
	defer func() { _ = dir.Close() }()
	for name, text := range map[string]string{
		"trailblaze.d.ts": script.Declarations(tools), "tsconfig.json": script.TSConfig,
	} {
		if err := file.ReplaceIn(dir, filepath.Join(typesDir, name), []byte(text)); err != nil {
			return fault.Wrap(err, fault.Invalid, "write types")
		}
	}
	if !c.JSON {
		c.Printf("%s/trailblaze.d.ts has the types of %s\n", typesDir, phrase.Count(len(tools), "tool"))
	}
	if _, err := os.Stat(filepath.Join(root, "tsconfig.json")); err != nil && !c.JSON {
		c.Printf("Write {\"extends\": \"./%s/tsconfig.json\"} to tsconfig.json, so that editors find them.\n", typesDir)
	}
	return nil
}

// test runs the tests beside the tools of a workspace.
func (c *checkCmd) test(ctx context.Context, root string, dirs []string) error {
	list, err := script.Test(ctx, root, dirs)
	if err != nil {
		return err
	}
	doc := testsDoc{Schema: "trailblaze.tests/1", Tests: []testDoc{}}
	for _, t := range list {
		d := testDoc{File: t.File, Name: t.Name, Passed: t.Err == nil, Millis: t.Took.Milliseconds(), Console: t.Log}
		if t.Err != nil {
			doc.Failed++
			d.Error = t.Err.Error()
		}
		doc.Tests = append(doc.Tests, d)
	}
	if doc.Failed > 0 {
		doc.ExitCode = int(shell.ExitFailed)
	}
	return c.printTests(doc)
}

func (c *checkCmd) printTests(doc testsDoc) error {
	if c.JSON {
		if err := c.PrintJSON(doc); err != nil {
			return err
		}
		return shell.Exit(shell.Code(doc.ExitCode))
	}
	st := c.Style()
	for _, t := range doc.Tests {
		word := st.Good("passed")
		if !t.Passed {
			word = st.Bad("failed")
		}
		c.Printf("%s  %s  %s\n", word, t.File, t.Name)
		if t.Passed {
			continue
		}
		c.Printf("        %s\n", t.Error)
		for _, l := range t.Console {
			c.Printf("        %s\n", st.Dim(l))
		}
	}
	c.Printf("%s, %d failed\n", phrase.Count(len(doc.Tests), "test"), doc.Failed)
	return shell.Exit(shell.Code(doc.ExitCode))
}
