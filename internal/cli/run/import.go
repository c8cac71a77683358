package run

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/importer"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

type importCmd struct {
	*shell.Shell
	cfg       *config.Config
	dir       string // what trails are written into
	root      string // paths of called trails begin here
	platform  string
	overwrite bool

	specs map[string]*tool.Spec
	doc   importDoc
	done  map[string]bool // files that were read
	base  string          // folder that all named files are in
}

// importDoc is the output of import with --json.
type importDoc struct {
	Schema   string      `json:"schema"`
	Flows    []importRow `json:"flows"`
	Commands int         `json:"commands"`
	Imported int         `json:"imported"`
	ExitCode int         `json:"exitCode"`
}

// importRow is a flow or a test that became a trail.
type importRow struct {
	From     string         `json:"from"`
	To       string         `json:"to,omitempty"` // nothing: it could not be read
	Title    string         `json:"title,omitempty"`
	Commands int            `json:"commands"`
	Imported int            `json:"imported"`
	Left     []importRemark `json:"left,omitempty"`
	Notes    []importRemark `json:"notes,omitempty"`
	Error    string         `json:"error,omitempty"`
}

type importRemark struct {
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Command string `json:"command"`
	Text    string `json:"text,omitempty"`
	Reason  string `json:"reason"`
}

// kinds of files that are imported, by their ending.
var (
	maestroFiles    = []string{".yaml", ".yml"}
	playwrightFiles = []string{".ts", ".js", ".mjs", ".cjs", ".mts", ".tsx", ".jsx", ".py"}
)

// NewImport makes the command trailblaze import.
func NewImport(a *shell.Shell) *cobra.Command {
	c := &importCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "import file|folder...", Short: "Make trails of Maestro flows and of Playwright tests", GroupID: "trails",
		Long: `Make a trail of each flow of Maestro (YAML), and of each test as playwright codegen writes it (TypeScript,
JavaScript, Python). Files are read, never run. A flow that another one runs is imported, too.

What has no equal is told with its line and the reason. In the trail a step without calls stands in its place, so that
a run refuses the trail until you have decided; the exit status is 3. Play the trails once with run --record, so that
their elements are kept by more than what the file says of them.`,
		Example: `  trailblaze import .maestro -o trails/app           # a trail per flow
  trailblaze import tests/login.spec.ts                # into the trails folder of the project
  trailblaze import recorded.py --json                 # what was left out, and why`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return shell.Misuse(cmd, "name a file or a folder to import")
			}
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&c.dir, "output-dir", "o", "", "write into this `folder`; default: the trails folder")
	f.StringVar(&c.platform, "platform", "", "`platform` of Maestro's flows: android, ios or web; default: web where "+
		"the flow has a url, else android")
	f.BoolVar(&c.overwrite, "overwrite", false, "replace trails that are there")
	return cmd
}

// Run imports the files and says what became of them.
func (c *importCmd) Run(_ context.Context, args []string) error {
	const op = "import"
	if c.platform != "" {
		if _, err := app.PlatformOf(c.platform); err != nil && c.platform != string(driver.IOSPlatform) {
			return err
		}
	}
	dir, err := c.WorkingDir()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	c.root = cmp.Or(c.cfg.Workspace, dir)
	if c.dir = cmp.Or(c.dir, c.cfg.TrailsDir()); !filepath.IsAbs(c.dir) {
		c.dir = filepath.Join(dir, c.dir)
	}
	c.specs, c.done = map[string]*tool.Spec{}, map[string]bool{}
	for _, t := range app.BuiltInTools() {
		c.specs[t.Spec().Name] = t.Spec()
	}
	c.doc = importDoc{Schema: "trailblaze.import/1", Flows: []importRow{}}
	files, err := importFiles(dir, args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fault.New(fault.NotFound, op, "there is nothing to import in %s", strings.Join(args, ", ")).
			WithHint("Files end with %s for Maestro, or with %s for Playwright.", strings.Join(maestroFiles, ", "),
				strings.Join(playwrightFiles, ", "))
	}
	if c.base = commonFolder(files); len(files) == 1 {
		c.base = filepath.Dir(files[0])
	}
	for i := 0; i < len(files); i++ { // a flow adds those that it runs
		if c.done[files[i]] {
			continue
		}
		c.done[files[i]] = true
		called, err := c.file(files[i])
		if err != nil {
			return err
		}
		files = append(files, called...)
	}
	if len(c.doc.Flows) == 0 {
		return fault.New(fault.NotFound, op, "there is no flow and no test in %s", strings.Join(args, ", ")).
			WithHint("A flow is a list of commands; a test is a call of test(), a function test_… or what codegen writes.")
	}
	return c.print(dir)
}

// importFiles finds the files that are named, and those of folders.
func importFiles(dir string, args []string) (files []string, err error) {
	for _, arg := range args {
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(dir, arg)
		}
		info, err := os.Stat(arg)
		if err != nil {
			return nil, fault.Wrap(err, fault.NotFound, "import")
		}
		if !info.IsDir() {
			files = append(files, arg)
			continue
		}
		err = filepath.WalkDir(arg, func(name string, d fs.DirEntry, err error) error {
			switch base := filepath.Base(name); {
			case err != nil:
				return err
			case d.IsDir() && name != arg && (base == "node_modules" || base[0] == '.' && base != ".maestro"):
				return filepath.SkipDir
			case d.Type().IsRegular() && !strings.HasSuffix(base, ".trail.yaml") && base != "config.yaml" &&
				slices.Contains(slices.Concat(maestroFiles, playwrightFiles), filepath.Ext(base)):
				files = append(files, name)
			}
			return nil
		})
		if err != nil {
			return nil, fault.Wrap(err, fault.Unavailable, "import")
		}
	}
	return files, nil
}

// commonFolder is the folder that all files are in.
func commonFolder(files []string) string {
	dir := filepath.Dir(files[0])
	for _, f := range files {
		for !strings.HasPrefix(f, dir+string(filepath.Separator)) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
	}
	return dir
}

// file imports one file, and returns the flows that it runs.
func (c *importCmd) file(name string) (called []string, err error) {
	data, err := file.Read(name, yaml.MaxSize)
	if err != nil {
		c.doc.Flows = append(c.doc.Flows, importRow{From: name, Error: err.Error()})
		return nil, nil
	}
	o := importer.Options{
		Platform: driver.Platform(c.platform),
		Spec:     func(name string) *tool.Spec { return c.specs[name] },
		Called:   func(file string) string { return c.pathOf(filepath.Join(filepath.Dir(name), filepath.FromSlash(file))) },
	}
	if slices.Contains(playwrightFiles, filepath.Ext(name)) {
		flows := importer.Playwright(filepath.Base(name), string(data), o)
		for _, f := range flows {
			to := c.target(name)
			if len(flows) > 1 {
				to = strings.TrimSuffix(to, trailSuffix) + "-" + slug(f.Title) + trailSuffix
			}
			if err := c.write(name, to, f); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	f, problems := importer.Maestro(name, string(data), o)
	if f == nil {
		err := cmp.Or(problems.Err(), errors.New("it is empty"))
		c.doc.Flows = append(c.doc.Flows, importRow{From: name, Error: err.Error()})
		return nil, nil
	}
	for _, to := range f.Calls {
		to = filepath.Join(filepath.Dir(name), filepath.FromSlash(to))
		if _, err := os.Stat(to); err != nil {
			f.Notes = append(f.Notes, importer.Left{Command: "runFlow", Reason: to + " is not there: import it, too"})
			continue
		}
		called = append(called, to)
	}
	return called, c.write(name, c.target(name), f)
}

const trailSuffix = ".trail.yaml"

// target is the file of the trail that a file becomes.
func (c *importCmd) target(name string) string {
	rel, err := filepath.Rel(c.base, name)
	if err != nil || !filepath.IsLocal(rel) {
		rel = filepath.Base(name)
	}
	base, _, _ := strings.Cut(filepath.Base(rel), ".")
	return filepath.Join(c.dir, filepath.Dir(rel), cmp.Or(base, "flow")+trailSuffix)
}

// pathOf is the path by which a trail calls the one that a file becomes.
func (c *importCmd) pathOf(name string) string {
	to := c.target(name)
	if rel, err := filepath.Rel(c.root, to); err == nil && filepath.IsLocal(rel) {
		to = rel
	}
	return filepath.ToSlash(to)
}

// slug is a title as a part of a file's name.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	s := strings.Join(words, "-")
	return cmp.Or(s[:min(len(s), 60)], "test")
}

// write writes a trail. A file of Maestro without commands, such as a configuration, makes none.
func (c *importCmd) write(from, to string, f *importer.Flow) error {
	if f.Commands == 0 {
		return nil
	}
	data, err := trail.Encode(f.Trail)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "import "+from)
	}
	if _, problems := trail.Parse(to, data, trail.Strict); problems.Err() != nil {
		return fault.New(fault.Internal, "import "+from, "what would be written is no valid trail: %w", problems.Err())
	}
	if rel := c.pathOf(from); !path.IsAbs(rel) {
		if root, err := os.OpenRoot(c.root); err == nil {
			data = append([]byte(trail.Modeline(root, rel, "trail")), data...)
			_ = root.Close()
		}
	}
	if _, err := os.Stat(to); err == nil && !c.overwrite {
		c.doc.Flows = append(c.doc.Flows, importRow{From: from, Error: to + " is there: name another folder with -o, or " +
			"replace it with --overwrite"})
		return nil
	}
	if err := writeFile(to, data); err != nil {
		return err
	}
	row := importRow{From: from, To: to, Title: f.Title, Commands: f.Commands, Imported: f.Imported()}
	row.Left, row.Notes = remarks(f.Left), remarks(f.Notes)
	c.doc.Flows = append(c.doc.Flows, row)
	c.doc.Commands, c.doc.Imported = c.doc.Commands+row.Commands, c.doc.Imported+row.Imported
	return nil
}

func remarks(list []importer.Left) (out []importRemark) {
	for _, l := range list {
		out = append(out, importRemark{l.Pos.Line, l.Pos.Col, l.Command, l.Text, l.Reason})
	}
	return out
}

func (c *importCmd) print(dir string) error {
	for _, row := range c.doc.Flows {
		if len(row.Left) > 0 || row.Error != "" {
			c.doc.ExitCode = int(shell.ExitMisuse)
		}
	}
	if c.JSON {
		if err := c.PrintJSON(c.doc); err != nil {
			return err
		}
		return shell.Exit(shell.Code(c.doc.ExitCode))
	}
	st := c.Style()
	for _, row := range c.doc.Flows {
		from := displayPath(dir, row.From)
		if row.Error != "" {
			c.Printf("%s: %s\n", from, st.Bad(row.Error))
			continue
		}
		c.Printf("%s → %s: %d of %s\n", from, displayPath(dir, row.To), row.Imported, phrase.Count(row.Commands, "command"))
		for _, l := range row.Left {
			c.Printf("  %s:%d:%d: %s: %s\n", from, l.Line, l.Col, st.Warn(cmp.Or(l.Command, "command")), l.Reason)
		}
		for _, l := range row.Notes {
			c.Printf("  %s:%d:%d: %s\n", from, l.Line, l.Col, st.Dim(l.Reason))
		}
	}
	c.Printf("%s: %d of %s imported\n", phrase.Count(len(c.doc.Flows), "flow"), c.doc.Imported,
		phrase.Count(c.doc.Commands, "command"))
	return shell.Exit(shell.Code(c.doc.ExitCode))
}
