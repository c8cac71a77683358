package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

type schemaCmd struct {
	*shell.Shell
	cfg   *config.Config
	dir   string
	trust bool
}

type schemaDoc struct {
	Schema string   `json:"schema"`
	Files  []string `json:"files"`
	Tools  int      `json:"tools"`
	Open   bool     `json:"open"` // there may be tools that the schemas do not know
}

// NewSchema makes the command trailblaze schema.
func NewSchema(a *shell.Shell) *cobra.Command {
	c := &schemaCmd{Shell: a}
	kinds := strings.Join(fileKinds(), "|")
	cmd := &cobra.Command{
		Use: "schema [" + kinds + "]", Short: "Describe the files of a project for editors", GroupID: "trails",
		Long: `Print the JSON Schema of trails, of YAML tools, of settings (trailblaze.yaml) or of policies, so that an editor
completes their keys and marks mistakes; or with --write, write those of all as <kind>.schema.json. In a project the
tools of the project are known too; where all could be loaded, a name that is none of them is marked as well.

An editor finds a schema by the first line of a file, # yaml-language-server: $schema=PATH. Where the project has
` + trail.SchemaFolder + `/trail.schema.json, new trails begin with that line, and with
tools.schema.json new YAML tools.`,
		Example: `  trailblaze schema trail > trail.schema.json
  trailblaze schema --write ` + trail.SchemaFolder + `          # new trails of the project name their schema then
  trailblaze schema policy --write docs`,
		ValidArgs: fileKinds(),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			known := func(kind string) bool { return slices.Contains(fileKinds(), kind) }
			if len(args) > 1 || len(args) == 0 && c.dir == "" || len(args) == 1 && !known(args[0]) {
				return shell.Misuse(cmd, "of which files? Name one of %s, or --write a folder", strings.Join(fileKinds(), ", "))
			}
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context(), args)
		},
	}
	cmd.Flags().StringVar(&c.dir, "write", "", "write into this `folder`, relative to the project")
	cmd.Flags().BoolVar(&c.trust, "trust", false, shell.TrustHelp)
	return cmd
}

// Run prints a schema, or writes those that are named.
func (c *schemaCmd) Run(ctx context.Context, args []string) error {
	tools, open := app.BuiltInTools(), true
	if c.cfg.Workspace != "" {
		loaded, err := c.OpenTools(ctx, c.cfg, app.ToolOptions{Root: c.cfg.Workspace, Trust: c.trust})
		if err != nil {
			return err
		}
		defer func() { _ = loaded.Close() }()
		c.WarnOfTools(loaded.Problems())
		tools, open = loaded.Registry().All(), len(loaded.Problems()) > 0
	}
	if c.dir == "" {
		data, err := schemaOf(args[0], tools, open)
		if err == nil {
			c.Printf("%s", data)
		}
		return err
	}
	if len(args) == 0 {
		args = fileKinds()
	}
	return c.write(args, tools, open)
}

func (c *schemaCmd) write(kinds []string, tools []tool.Tool, open bool) error {
	dir := c.dir
	if !filepath.IsAbs(dir) && c.cfg.Workspace != "" {
		dir = filepath.Join(c.cfg.Workspace, dir)
	}
	doc := schemaDoc{Schema: "trailblaze.schemas/1", Tools: len(tools), Open: open}
	for _, kind := range kinds {
		data, err := schemaOf(kind, tools, open)
		if err == nil {
			err = c.replace(dir, kind+".schema.json", data)
		}
		if err != nil {
			return err
		}
		doc.Files = append(doc.Files, filepath.Join(dir, kind+".schema.json"))
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	for _, name := range doc.Files {
		c.Printf("%s\n", name)
	}
	if info, err := os.Stat(filepath.Join(c.cfg.Workspace, trail.SchemaFolder)); slices.Contains(kinds, trailFiles) &&
		c.cfg.Workspace != "" && err == nil && info.IsDir() && filepath.Base(dir) == trail.SchemaFolder {
		c.Printf("They know %s. New trails name their schema in the first line; put it into those that are there:\n"+
			"  # yaml-language-server: $schema=%s\n", phrase.Count(len(tools), "tool"),
			filepath.ToSlash(filepath.Join("..", trail.SchemaFolder, "trail.schema.json")))
	}
	return nil
}

// replace writes a file. No link leads out of the project: one that was just cloned is no place to write by.
func (c *schemaCmd) replace(dir, name string, data []byte) error {
	const op = "write schema"
	below, err := filepath.Rel(c.cfg.Workspace, dir)
	if c.cfg.Workspace == "" || err != nil || !filepath.IsLocal(below) {
		return fault.Wrap(file.ReplaceAs(filepath.Join(dir, name), 0o644, data), fault.Unavailable, op)
	}
	root, err := os.OpenRoot(c.cfg.Workspace)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = root.Close() }()
	return fault.Wrap(file.ReplaceIn(root, filepath.Join(below, name), data), fault.Invalid, op)
}
