package run

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/eval"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// evalCmd evaluates on the devices, tools and policy that a run has.
type evalCmd struct {
	runCmd
	models    []string
	planner   string
	pagesRoot string
	outputDir string
}

// evalDoc is the output of eval with --json.
type evalDoc struct {
	*eval.Report
	ExitCode int    `json:"exitCode"`
	HTML     string `json:"html"`
	File     string `json:"file"` // the same as JSON
}

// NewEval makes the command trailblaze eval.
func NewEval(a *shell.Shell) *cobra.Command {
	c := &evalCmd{runCmd: runCmd{Shell: a, noLogging: true}}
	cmd := &cobra.Command{
		Use: "eval [tasks.yaml|page|folder]...", Short: "Measure a model: success, cost and false passes on tasks",
		GroupID: "trails",
		Long: `Give tasks in plain language to a model and check what came of each: success, calls, tokens, cost, seconds, and
false passes, which are tasks that the model says are done and the checker says are not. No argument takes the tasks of
the sample shop, which is served meanwhile. A file of tasks has a goal, calls to start with, and calls that check. A
page, or a folder of them, is a task of a public set such as MiniWoB++: it begins with core.startEpisodeReal, and
WOB_DONE_GLOBAL and WOB_REWARD_GLOBAL tell how it went. --llm scripted asks no model: it plays the tasks' scripts.`,
		Example: `  trailblaze eval                                      # the sample shop, with the model of the settings
  trailblaze eval --llm openai/gpt-4.1 --llm ollama/qwen3 --repeat 3
  trailblaze eval --llm scripted                       # no model: are the tasks and their checkers right?
  trailblaze eval checkout.tasks.yaml --base-url http://localhost:3000
  trailblaze eval miniwob/html/miniwob/click-button.html`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&c.models, "llm", nil, "`model` that tries the tasks: provider/model, a provider, or scripted; "+
		"may be given again to compare; default: that of the settings")
	f.StringVar(&c.planner, "outer", "",
		"`model` that plans each task and hands its steps to the other; default: the task is one step")
	f.IntVar(&c.repeat, "repeat", 1, "try each task `n` times")
	f.Duration("timeout", 10*time.Minute, "stop a try after this `time`")
	f.StringVar(&c.pagesRoot, "pages-root", "", "serve pages from this `folder`; default: the one above theirs")
	f.StringVar(&c.outputDir, "output-dir", "", "write the report into this `folder`")
	f.Bool("headed", false, "show the browser")
	f.String("browser", "", "`path` or name of the browser; default: the first that is found")
	f.String("base-url", "", "remember this `URL` as baseUrl")
	f.StringArrayVar(&c.memory, "memory", nil, "remember `name=value`")
	f.StringArrayVar(&c.secrets, "secret", nil, "remember `name=value` and show it nowhere")
	f.StringArrayVar(&c.origins, "secret-origin", nil, "type a secret only into pages of an origin: `name=https://…`")
	f.String("policy", "", "obey this policy `file`; default trails/config/policy.yaml, if there is one")
	return cmd
}

// Run evaluates and prints the result.
func (c *evalCmd) Run(ctx context.Context, args []string) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.find(ctx); err != nil {
		return err
	}
	if len(args) == 0 {
		shop, err := demo.Serve(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = shop.Close() }()
		c.memory = append(c.memory, "shop="+shop.URL)
		c.secrets = append(c.secrets, "password="+demo.Password)
		c.origins = append(c.origins, "password="+shop.URL)
	}
	seeds, err := c.seeds(c.selection)
	if err != nil {
		return err
	}
	began := time.Now()
	c.id = session.NewID(began, "eval")
	r, err := c.runner(ctx)
	if err != nil {
		return err
	}
	defer r.Close(ctx)
	title, tasks, end, err := c.tasks(ctx, r, args)
	defer end()
	if err != nil {
		return err
	}
	b := eval.Bench{
		Dispatcher: r.Dispatcher, Registry: r.Registry, Repeat: c.repeat, Timeout: c.cfg.Duration("timeout"),
		Open: func(ctx context.Context, title string) (*session.Session, func(event.Outcome), error) {
			mem := memory.New()
			seeds.Seed(mem, nil)
			s, end, err := r.Session(ctx, title, mem, map[string]string{"run": c.id}, true)
			return s, func(o event.Outcome) { end(ctx, o, nil) }, err
		},
	}
	if !c.JSON {
		b.Observe = c.result
	}
	contenders, err := c.contenders(ctx)
	if err != nil {
		return err
	}
	results := b.Run(ctx, tasks, contenders)
	return c.conclude(ctx, eval.Summarise(title, shell.BuildVersion().Version, began, results))
}

// tasks reads what the arguments name. end ends what serves the pages among them.
func (c *evalCmd) tasks(ctx context.Context, r *app.Runner, args []string) (
	title string, tasks []eval.Task, end func(), err error,
) {
	var served []*eval.Pages
	end = func() {
		for _, p := range served {
			_ = p.Close()
		}
	}
	read := func(name string, data []byte) error {
		set, problems := eval.Read(name, data, r.Registry)
		title = cmp.Or(title, set.Name)
		tasks = append(tasks, set.Tasks...)
		return problems.Err()
	}
	if len(args) == 0 {
		err := read("shop.tasks.yaml", demo.Tasks())
		return title, tasks, end, err
	}
	for _, name := range args {
		info, err := os.Stat(name)
		if err == nil && (info.IsDir() || strings.HasSuffix(name, ".html")) {
			p, err := eval.ServePages(ctx, name, c.pagesRoot)
			if err != nil {
				return "", nil, end, err
			}
			served, tasks, title = append(served, p), append(tasks, p.Tasks...), cmp.Or(title, filepath.Base(name))
			continue
		}
		data, err := file.Read(name, yaml.MaxSize)
		if err != nil {
			return "", nil, end, fault.Wrap(err, fault.Invalid, "read tasks")
		}
		if err := read(name, data); err != nil {
			return "", nil, end, err
		}
	}
	return title, tasks, end, nil
}

// contenders returns the models to compare. An unknown one is reported before any task is tried.
func (c *evalCmd) contenders(ctx context.Context) (out []eval.Contender, err error) {
	find := c.runCmd.models.Of(c.root)
	if c.planner != "" {
		if _, err := find(ctx, c.planner); err != nil {
			return nil, err
		}
	}
	names := c.models
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		one := eval.Contender{Name: cmp.Or(name, "settings")}
		if name != eval.Scripted {
			if _, err := find(ctx, name); err != nil {
				return nil, err
			}
			one.Use = func(ctx context.Context) (*agent.Use, error) { return find(ctx, name) }
			if c.planner != "" {
				one.Name += " under " + c.planner
				one.Outer = func(ctx context.Context) (*agent.Use, error) { return find(ctx, c.planner) }
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// result prints how a try went.
func (c *evalCmd) result(r *eval.Result) {
	st := c.Style()
	mark := st.Bad("✗")
	if r.Verdict == eval.Right {
		mark = st.Good("✓")
	}
	c.Printf("%s %s  %s  %s\n", mark, r.Task, r.Verdict, st.Dim(r.Tier))
	for _, why := range []string{r.Checker, failureText(r.Failure)} {
		if why != "" {
			c.Printf("    %s\n", st.Dim(why))
		}
	}
}

func failureText(f *fault.Failure) string {
	if f == nil {
		return ""
	}
	return f.Message
}

// conclude writes the report and says where it is. A task that was not done, and a false pass, are failures.
func (c *evalCmd) conclude(ctx context.Context, r *eval.Report) error {
	dir := c.outputDir
	if dir == "" {
		dir = filepath.Join(c.cfg.Reports(), c.id)
	}
	doc := evalDoc{Report: r, HTML: filepath.Join(dir, "eval.html"), File: filepath.Join(dir, "eval.json")}
	mode := private
	if c.outputDir != "" {
		mode = public
	}
	if err := writeWith(doc.HTML, mode, func(w io.Writer) error { return r.WriteHTML(w) }); err != nil {
		return err
	}
	if err := writeWith(doc.File, mode, func(w io.Writer) error { return r.WriteJSON(w) }); err != nil {
		return err
	}
	exit := shell.ExitOK
	for _, t := range r.Tiers {
		switch {
		case t.Broken > 0:
			exit = shell.Worst(exit, shell.ExitBroken)
		case t.Right < t.Tries:
			exit = shell.Worst(exit, shell.ExitFailed)
		}
	}
	if ctx.Err() != nil {
		exit = shell.ExitBroken
	}
	doc.ExitCode = int(exit)
	if c.JSON {
		if err := c.PrintJSON(doc); err != nil {
			return err
		}
		return shell.Exit(exit)
	}
	c.Printf("\n")
	for _, t := range r.Tiers {
		c.Printf("%s: %d of %d right, %d false passes, %d questions, %d+%d tokens, $%.4f, %.1f s\n", t.Tier, t.Right, t.Tries,
			t.FalsePasses, t.Usage.Calls, t.Usage.Input, t.Usage.Output, t.Usage.Cost, t.Seconds)
	}
	c.Printf("%s %s\n", c.Style().Dim("report:"), doc.HTML)
	return shell.Exit(exit)
}
