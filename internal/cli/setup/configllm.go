package setup

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
)

// llmCmd are the options of config llm.
type llmCmd struct {
	*shell.Shell
	cfg          *config.Config
	keep, forget string
}

// newConfigLLM makes the command trailblaze config llm.
func newConfigLLM(a *shell.Shell) *cobra.Command {
	c := &llmCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "llm", Short: "Show which language model is asked, and keep keys in the keyring",
		Long: `Show which language model each tier asks, where its key comes from, and what it costs. Nobody is asked, and
no key is printed. --keep reads a key from standard input and puts it into the keyring of the operating system, where it
is found when the setting llm, or --llm, names its provider and the environment has no key for it.`,
		Example: `  trailblaze config llm
  trailblaze config llm --keep anthropic < key.txt
  trailblaze config llm --forget anthropic`,
		Args: shell.Exactly(0, "no arguments"), RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if c.cfg, err = c.Settings(cmd); err != nil {
				return err
			}
			return c.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&c.keep, "keep", "", "keep the key of this `provider`, which is read from standard input")
	cmd.Flags().StringVar(&c.forget, "forget", "", "take the key of this `provider` out of the keyring")
	shell.Exclusive(cmd, [2]string{"keep", "forget"})
	return cmd
}

// maxKey bounds a key.
const maxKey = 16 << 10

func (c *llmCmd) run(ctx context.Context) error {
	switch {
	case c.keep != "":
		return c.keepKey()
	case c.forget != "":
		was, err := llm.ForgetKey(c.forget)
		if err == nil && !was {
			err = fault.New(fault.NotFound, "forget key", "the keyring has no key of %s", c.forget)
		}
		if err == nil && !c.JSON {
			c.Printf("the keyring has no key of %s any more\n", c.forget)
		}
		return err
	}
	return c.showModels(ctx)
}

func (c *llmCmd) keepKey() error {
	const op = "keep key"
	if err := llm.HasProvider(c.keep, c.cfg.Project.LLM); err != nil {
		return err
	}
	if c.Ask {
		c.Errorf("Paste the key of %s, and end the line:\n", c.keep)
	}
	raw, err := io.ReadAll(io.LimitReader(c.In, maxKey))
	if err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	key, _, _ := strings.Cut(strings.TrimSpace(string(raw)), "\n")
	if key = strings.TrimSpace(key); key == "" {
		return fault.New(fault.Invalid, op, "standard input holds no key").
			WithHint("trailblaze config llm --keep %s < key.txt", c.keep)
	}
	if err := llm.KeepKey(c.keep, key); err != nil {
		return err
	}
	if !c.JSON {
		c.Printf("the keyring keeps the key of %s; it is used when llm names %s\n", c.keep, c.keep)
	}
	return nil
}

// modelDoc is the output of config llm for a tier.
type modelDoc struct {
	Tier    string    `json:"tier"`
	Model   string    `json:"model"` // "none" when there is none
	BaseURL string    `json:"baseUrl,omitempty"`
	Key     string    `json:"key"` // where it comes from, never itself
	Price   llm.Price `json:"pricePerMillion"`
	Problem string    `json:"problem,omitempty"`
}

type modelsDoc struct {
	Schema string     `json:"schema"`
	Models []modelDoc `json:"models"`
}

func (c *llmCmd) showModels(ctx context.Context) error {
	out := modelsDoc{Schema: "trailblaze.models/1"}
	for _, tier := range []string{"inner", "outer"} {
		out.Models = append(out.Models, c.model(ctx, tier))
	}
	if c.JSON {
		return c.PrintJSON(out)
	}
	for _, m := range out.Models {
		c.Printf("%s  %s\n", c.Style().Bold(m.Tier), m.Model)
		if m.Model != llm.NoModel {
			c.Printf("       key: %s\n", m.Key)
		}
		if m.Problem != "" {
			c.Printf("       %s\n", m.Problem)
		}
	}
	return nil
}

// model describes the model that a tier would ask.
func (c *llmCmd) model(ctx context.Context, tier string) modelDoc {
	from := ""
	env := func(name string) string {
		v := c.Getenv(name)
		if v != "" {
			from = cmp.Or(from, "environment, "+name)
		}
		return v
	}
	ring := func(p string) string {
		v := llm.Keyring(p)
		if v != "" {
			from = "keyring"
		}
		return v
	}
	s, ok := llm.Choose(ctx, llm.Choosing{Asked: c.cfg.String("llm"), Tier: tier, Config: c.cfg.Project.LLM, Env: env,
		Keyring: ring, Local: llm.LocalModel})
	if !ok {
		return modelDoc{Tier: tier, Model: llm.NoModel, Key: "none",
			Problem: "Name one: trailblaze config set llm provider/model"}
	}
	d := modelDoc{Tier: tier, Model: s.Name(), BaseURL: s.BaseURL, Key: cmp.Or(from, "none"), Price: s.Price}
	if _, err := llm.New(s); err != nil {
		d.Problem = strings.TrimSpace(err.Error() + ". " + fault.HintOf(err))
	}
	return d
}
