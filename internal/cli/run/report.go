package run

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

type reportCmd struct {
	*shell.Shell
	cfg *config.Config
	dir string
	outputs
	title string
}

type reportDoc struct {
	Schema     string        `json:"schema"`
	HTML       string        `json:"html"`
	JSON       string        `json:"json"`
	JUnit      string        `json:"junit,omitempty"`
	CTRF       string        `json:"ctrf,omitempty"`
	Markdown   string        `json:"markdown,omitempty"`
	Storyboard string        `json:"storyboard,omitempty"`
	Counts     report.Counts `json:"counts"`
}

// NewReport makes the command trailblaze report.
func NewReport(a *shell.Shell) *cobra.Command {
	c := &reportCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "report [session]...", Short: "Make the report of the last run, or of some sessions, again", GroupID: "results",
		Long: `Make a report from kept session logs: of the last run, or of the sessions that are named. Sessions of
several machines or shards, put into one folder, make one report.`,
		Example: `  trailblaze report                                   # the last run
  trailblaze report last --output-dir out --junit out/junit.xml
  trailblaze report --storyboard run.webm            # a film of the last run
  trailblaze report ci/shard-1/* ci/shard-2/*          # folders of sessions`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.dir, "output-dir", "", "write into this `folder`")
	c.outputs.flags(cmd)
	f.StringVar(&c.title, "title", "", "`title` of the report")
	return cmd
}

// Run writes the report and says where it is.
func (c *reportCmd) Run(ctx context.Context, args []string) error {
	if err := c.check(); err != nil {
		return err
	}
	in, err := c.input(args)
	if err != nil {
		return err
	}
	r, err := report.Build(in)
	if err != nil {
		return err
	}
	dir, inHome := c.dir, c.dir == ""
	if dir == "" {
		dir = filepath.Join(c.cfg.Reports(), in.ID)
	}
	doc := reportDoc{Schema: "trailblaze.reports/1", Counts: r.Counts, JUnit: c.junit, CTRF: c.ctrf, Markdown: c.markdown,
		Storyboard: c.storyboard}
	if doc.HTML, doc.JSON, err = writeReport(dir, r, inHome); err != nil {
		return err
	}
	annotations, err := c.write(ctx, r, c.Getenv)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	c.Printf("%s\n", doc.HTML)
	printFiles(c.Shell, [][2]string{{"junit", doc.JUnit}, {"ctrf", doc.CTRF}, {"markdown", doc.Markdown},
		{"storyboard", doc.Storyboard}})
	shell.Control(c.Out, "%s", annotations)
	return nil
}

// input finds the sessions: folders, ids or their beginnings; none means those of the last run.
func (c *reportCmd) input(args []string) (report.Input, error) {
	if len(args) == 0 {
		return c.lastRun()
	}
	in := report.Input{ID: session.NewID(time.Now(), "report"), Title: c.title}
	for _, a := range args {
		if info, err := os.Stat(filepath.Join(a, "events.ndjson")); err == nil && info.Mode().IsRegular() {
			in.Sessions = append(in.Sessions, a)
			continue
		}
		id, err := session.Find(c.cfg.Sessions(), a)
		if err != nil {
			return in, err
		}
		in.Sessions = append(in.Sessions, filepath.Join(c.cfg.Sessions(), id))
	}
	return in, nil
}

// lastRun reads which sessions the newest report was made of.
func (c *reportCmd) lastRun() (report.Input, error) {
	var in report.Input
	entries, err := os.ReadDir(c.cfg.Reports())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return in, fault.Wrap(err, fault.Unavailable, "find last run")
	}
	slices.Reverse(entries) // names begin with the time
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(c.cfg.Reports(), e.Name(), "report.json"))
		if err != nil {
			continue
		}
		var old report.Report
		if json.Unmarshal(data, &old) != nil {
			continue
		}
		in = report.Input{ID: e.Name(), Title: old.Title}
		if c.title != "" {
			in.Title = c.title
		}
		for _, t := range old.Trails {
			for _, a := range t.Attempts {
				in.Sessions = append(in.Sessions, filepath.Join(c.cfg.Sessions(), a.Session))
			}
			if len(t.Attempts) == 0 {
				in.Extra = append(in.Extra, t)
			}
		}
		return in, nil
	}
	return in, fault.New(fault.NotFound, "find last run", "no run has left a report in %s", c.cfg.Reports()).
		WithHint("Name a session: trailblaze session list shows them.")
}
