package keyboard

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/tools/locate"
	"github.com/trailblaze-dev/trailblaze/internal/tools/perform"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type fillSecretIn struct {
	locate.Target
	Value string `json:"value,omitempty" jsonschema:"the secret, written as a token such as {{password}}"`
	Name  string `json:"name,omitempty" jsonschema:"instead of value: the secret's name in memory"`
	perform.Within
	perform.Expect
	perform.Note
}

// webFillSecret types a secret into its field. The value goes to the device and nowhere else.
func webFillSecret() tool.Tool {
	return perform.Define(web("web_fillSecret", "Fill secret"), func(ctx context.Context, env tool.Env, in fillSecretIn) (*tool.Result, error) {
		value, err := in.secret(env)
		if err != nil {
			return nil, err
		}
		return perform.Do(ctx, env, perform.Job{
			Query: in.Query(in.Target), Expect: in.Expect, Did: "Filled the secret into",
			Check: bound(env, value),
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.TypeText{Target: t, Text: value, Clear: true, Secret: true}
			},
		})
	})
}

func (in fillSecretIn) secret(env tool.Env) (string, error) {
	switch {
	case in.Value != "" && in.Name != "":
		return "", fault.New(fault.Invalid, "fill secret", "both value and name are given").WithHint("Give one of them.")
	case in.Value != "":
		return in.Value, nil
	case in.Name == "":
		return "", fault.New(fault.Invalid, "fill secret", "no secret given").WithHint("Give value as a token, such as {{password}}, or name.")
	}
	v, ok := env.Memory().Get(in.Name)
	if !ok {
		return "", fault.New(fault.NotFound, "fill secret", "memory holds nothing named %q", in.Name)
	}
	return fmt.Sprint(v), nil
}

// bound is the check that a secret tied to an origin is typed into a document of that origin only. Text without such a
// secret needs no check.
func bound(env tool.Env, text string) func(context.Context, driver.Device, *locate.Found) error {
	quoted, err := json.Marshal(text)
	m := env.Memory()
	if err != nil || m == nil {
		return nil
	}
	origins := map[string]string{}
	for _, name := range m.SecretsIn(quoted) {
		if o := m.SecretOrigin(name); o != "" {
			origins[name] = o
		}
	}
	if len(origins) == 0 {
		return nil
	}
	return func(ctx context.Context, dev driver.Device, f *locate.Found) error {
		here, err := origin(ctx, dev, f)
		if err != nil {
			return fault.Wrap(err, fault.Denied, "check the origin of the field")
		}
		for name, want := range origins {
			if here != want {
				return fault.New(fault.Denied, "fill secret", "the secret %q is bound to %s and the field is on %s", name, want, here)
			}
		}
		return nil
	}
}

// origin asks the field's own document where it comes from: a frame may be another site's.
func origin(ctx context.Context, dev driver.Device, f *locate.Found) (string, error) {
	if f.Node == nil {
		return memory.Origin(f.Snapshot.URL), nil
	}
	eval, ok := driver.As[driver.Evaluator](dev)
	if !ok {
		return memory.Origin(f.Snapshot.URL), nil
	}
	raw, err := eval.Evaluate(ctx, "(element) => element.ownerDocument.defaultView.location.origin", f.Node.ID)
	if err != nil {
		return "", err
	}
	var out string
	if err := json.Unmarshal(raw, &out); err != nil {
		return "", err
	}
	return memory.Origin(out), nil
}
