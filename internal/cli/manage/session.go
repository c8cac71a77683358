package manage

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

// sessionCmd are the options of the session commands.
type sessionCmd struct {
	*shell.Shell
	cfg     *config.Config
	limit   int
	all     bool
	trail   string
	outcome string
	search  string
	older   time.Duration
}

// NewSession makes the command trailblaze session.
func NewSession(a *shell.Shell) *cobra.Command {
	c := &sessionCmd{Shell: a}
	list := &cobra.Command{
		Use: "list", Short: "List kept sessions, newest first",
		Example: "  trailblaze session list --outcome failed -n 5\n  trailblaze session list --search \"payment frame\"",
		Args:    shell.Exactly(0, "no arguments"), RunE: c.with(c.list),
	}
	f := list.Flags()
	f.IntVarP(&c.limit, "limit", "n", 20, "at most `n`")
	f.BoolVar(&c.all, "all", false, "list all")
	f.StringVar(&c.trail, "trail", "", "only sessions that played this `trail` (path or id)")
	f.StringVar(&c.outcome, "outcome", "", "only sessions that ended so: "+strings.Join(outcomes(), ", "))
	shell.Offer(list, "outcome", outcomes()...)
	f.StringVar(&c.search, "search", "", "only sessions whose titles, steps, calls or failures have these `words`")

	show := &cobra.Command{
		Use: "show <id|last>", Short: "Show what a session did",
		Args:    shell.Exactly(1, "a session id, its beginning, or last"),
		Example: "  trailblaze session show last\n  trailblaze session show 2026_11_21_09 --json", RunE: c.with(c.show),
		ValidArgsFunction: a.CompleteSessions,
	}
	del := &cobra.Command{
		Use: "delete <id>...", Short: "Delete kept sessions",
		Example: "  trailblaze session delete 2026_11_21_09_05\n  trailblaze session delete --older-than 720h",
		RunE:    c.with(c.remove), ValidArgsFunction: a.CompleteSessions,
	}
	del.Flags().DurationVar(&c.older, "older-than", 0, "delete the sessions that began longer than this `time` ago")
	return shell.Parent("session", "Save what was done as a trail; list, show and delete sessions", "drive",
		append(newLiveSession(a), list, show, del)...)
}

func (c *sessionCmd) with(run shell.Runner) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		if c.cfg, err = c.Settings(cmd); err != nil {
			return err
		}
		return run(cmd.Context(), args)
	}
}

// outcomes are the words for how a session may end.
func outcomes() (out []string) {
	for _, o := range event.Outcomes() {
		out = append(out, string(o))
	}
	return append(out, string(event.Damaged))
}

type sessionsDoc struct {
	Schema   string          `json:"schema"`
	Sessions []index.Session `json:"sessions"`
}

func (c *sessionCmd) list(ctx context.Context, _ []string) error {
	if words := outcomes(); c.outcome != "" && !slices.Contains(words, c.outcome) {
		return fault.New(fault.Invalid, "read command line", "no session ends %q: --outcome is one of %s", c.outcome,
			strings.Join(words, ", "))
	}
	x, err := index.Open(ctx, c.cfg.Sessions())
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	if err := x.Sync(ctx); err != nil {
		return err
	}
	limit := c.limit
	if c.all {
		limit = 1 << 30
	}
	found, err := x.Sessions(ctx,
		index.Filter{Trail: c.trail, Outcome: event.Outcome(c.outcome), Text: c.search, Limit: limit})
	if err != nil {
		return err
	}
	if c.JSON {
		if found == nil {
			found = []index.Session{}
		}
		return c.PrintJSON(sessionsDoc{"trailblaze.sessions/1", found})
	}
	st := c.Style()
	for _, s := range found {
		word := st.Outcome(s.Outcome)
		if s.Outcome == "" {
			word = st.Warn("OPEN ") // no end was written: it runs, or what ran it died
		}
		if s.Outcome == event.Outcome(event.Damaged) {
			s.Title = strings.TrimSpace("damaged: " + s.Message + "  " + s.Title)
		}
		c.Printf("%s %s  %s\n", word, s.ID, st.Dim(s.Title))
	}
	if len(found) == 0 {
		c.Printf("No session matches.\n")
	}
	return nil
}

type sessionDoc struct {
	Schema string         `json:"schema"`
	Dir    string         `json:"dir"`
	Report *report.Report `json:"report"`
}

func (c *sessionCmd) show(_ context.Context, args []string) error {
	id, err := session.Find(c.cfg.Sessions(), args[0])
	if err != nil {
		return err
	}
	dir := filepath.Join(c.cfg.Sessions(), id)
	r, err := report.Build(report.Input{ID: id, Sessions: []string{dir}})
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(sessionDoc{"trailblaze.session/1", dir, r})
	}
	for _, t := range r.Trails {
		for _, a := range t.Attempts {
			c.attempt(t, a)
		}
	}
	c.Printf("%s %s\n", c.Style().Dim("kept in"), dir)
	return nil
}

func (c *sessionCmd) attempt(t report.Trail, a report.Attempt) {
	st := c.Style()
	c.Printf("%s %s  %s\n", st.Outcome(a.Outcome), st.Bold(t.Title), st.Dim(a.Browser))
	for _, s := range a.Steps {
		c.Printf("  %s %s %s\n", st.Outcome(s.Outcome), s.Text,
			st.Dim(shell.ShortDuration(time.Duration(s.DurationMS*float64(time.Millisecond)))))
		if s.Price != nil {
			c.Printf("        %s\n", st.Dim(s.Price.String()))
		}
		for _, call := range s.Calls {
			args := call.Authored
			if args == nil {
				args = call.Args
			}
			c.Printf("        %s\n", st.Dim(phrase.Clip(call.Name+" "+string(args), 140)))
		}
		if s.Failure != nil {
			c.Printf("%s\n", shell.ExplainFailure(s.Failure))
		}
	}
}

type deletedDoc struct {
	Schema  string   `json:"schema"`
	Deleted []string `json:"deleted"`
}

func (c *sessionCmd) remove(_ context.Context, args []string) error {
	root := c.cfg.Sessions()
	var ids []string
	for _, a := range args {
		id, err := session.Find(root, a)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if c.older > 0 {
		list, err := session.List(root)
		if err != nil {
			return err
		}
		for _, s := range list {
			if time.Since(s.Started) > c.older {
				ids = append(ids, s.ID)
			}
		}
	}
	if len(args) == 0 && c.older == 0 {
		return fault.New(fault.Invalid, "read command line", "expected session ids, or --older-than")
	}
	for _, id := range ids {
		if err := session.Delete(root, id); err != nil {
			return err
		}
	}
	if c.JSON {
		return c.PrintJSON(deletedDoc{"trailblaze.deleted/1", append([]string{}, ids...)})
	}
	c.Printf("%s deleted\n", phrase.Count(len(ids), "session"))
	return nil
}
