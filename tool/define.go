package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// Texter is implemented by outputs that have a short text of their own. Without it the text is the output's JSON.
type Texter interface{ Text() string }

// Timed is implemented by inputs that know how long their call may take, such as a wait with a time in its arguments.
type Timed interface{ CallTimeout() time.Duration }

// Meaningful is implemented by inputs with mistakes that no schema finds, such as one of two fields being blank. A
// mistake is reported before anything is done, and by check.
type Meaningful interface{ Mistake() error }

// Define makes a tool of a Go function. The input schema comes from In (a struct, see SchemaFor), the output schema
// from Out. The values of fn become the result:
//
//   - a value of type Out is Result.Value, with a short text beside it (its Text method, or its JSON);
//   - struct{} gives a result without a value; *Result is passed on untouched;
//   - an error is a failure of the tool (Result.IsError), unless its kind says that the call could not be carried out
//     at all: canceled, unavailable, internal.
//
// A Define that cannot work (an In that is no struct, a tag that does not parse) is reported by NewRegistry.
func Define[In, Out any](s Spec, fn func(ctx context.Context, env Env, in In) (Out, error)) Tool {
	d := &defined[In, Out]{spec: s, fn: fn}
	d.spec.Description = strings.TrimSpace(s.Description)
	if s.Input == nil {
		d.spec.Input, d.in = made(func() (*jsonschema.Schema, error) { return inputOf(reflect.TypeFor[In]()) })
	}
	out := reflect.TypeFor[Out]()
	if s.Output == nil && out != reflect.TypeFor[*Result]() && out != reflect.TypeFor[struct{}]() {
		d.spec.Output, d.out = made(func() (*jsonschema.Schema, error) {
			s, err := schemaFor(out, true) // Go writes nil lists as null, so the output must allow it
			if err != nil {
				return nil, fmt.Errorf("output schema: %w", err)
			}
			return s, nil
		})
	}
	return d
}

type defined[In, Out any] struct {
	spec    Spec
	fn      func(context.Context, Env, In) (Out, error)
	in, out func() error // what is wrong with the schemas that are made of In and Out; nil: they are given
}

// made returns a schema that is made when it is first asked for, and the error of making it.
func made(build func() (*jsonschema.Schema, error)) (Schema, func() error) {
	once := sync.OnceValues(build)
	schema := func() *jsonschema.Schema {
		if s, err := once(); err == nil {
			return s
		}
		return &jsonschema.Schema{Type: "object"}
	}
	return schema, func() error { _, err := once(); return err }
}

func inputOf(in reflect.Type) (*jsonschema.Schema, error) {
	if in.Kind() != reflect.Struct {
		return nil, fmt.Errorf("input %s is not a struct", in)
	}
	s, err := SchemaFor(in)
	if err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	return s, nil
}

// Spec implements Tool.
func (d *defined[In, Out]) Spec() *Spec { return &d.spec }

// Check returns the mistake in the definition.
func (d *defined[In, Out]) Check() error {
	for _, check := range []func() error{d.in, d.out} {
		if check == nil {
			continue
		}
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// usable is an error when the arguments of a call cannot be read.
func (d *defined[In, Out]) usable() error {
	if d.in == nil {
		return nil
	}
	return fault.Wrap(d.in(), fault.Internal, "define "+d.spec.Name)
}

// Preparer is implemented by tools that read the arguments of a call once, for its timeout and for running it. The
// arguments are in their normal form (see argument.Normalize).
type Preparer interface {
	// Prepare returns how long this very call may take, 0 when the arguments do not say, and the call itself.
	Prepare(args json.RawMessage) (limit time.Duration, run func(context.Context, Env) (*Result, error))
}

// Prepare implements Preparer.
func (d *defined[In, Out]) Prepare(args json.RawMessage) (time.Duration, func(context.Context, Env) (*Result, error)) {
	var in In
	err := d.usable()
	if err == nil {
		err = d.unmarshal(args, &in)
	}
	var limit time.Duration
	if t, ok := any(in).(Timed); ok && err == nil {
		limit = t.CallTimeout()
	}
	return limit, func(ctx context.Context, env Env) (*Result, error) {
		if err != nil {
			return nil, err
		}
		return d.carryOut(ctx, env, in, args)
	}
}

// Mistake returns the mistake in written arguments that their schema does not find. Arguments that cannot be read,
// as while they hold tokens, are not judged.
func (d *defined[In, Out]) Mistake(args json.RawMessage) error {
	var in In
	m, ok := any(&in).(Meaningful)
	if !ok || d.decode(args, &in) != nil {
		return nil
	}
	return m.Mistake()
}

// Run implements Tool.
func (d *defined[In, Out]) Run(ctx context.Context, env Env, args json.RawMessage) (*Result, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	var in In
	if err := d.decode(args, &in); err != nil {
		return nil, err
	}
	return d.carryOut(ctx, env, in, args)
}

func (d *defined[In, Out]) carryOut(ctx context.Context, env Env, in In, args json.RawMessage) (*Result, error) {
	if m, ok := any(in).(Meaningful); ok {
		if err := m.Mistake(); err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "")
		}
	}
	out, err := d.fn(ctx, env, in)
	if err != nil {
		return d.failure(ctx, out, err)
	}
	res, err := result(out)
	if err != nil {
		return nil, err
	}
	if d.spec.Durable != nil && res.Record != nil {
		if res.Record, err = d.spec.Durable(args, res.Record); err != nil {
			return nil, fault.Wrap(err, fault.Internal, "make recording of "+d.spec.Name)
		}
	}
	return expecting(in, res), nil
}

// failure keeps what the tool learned before it failed (evidence, a screen), when it returned a Result along with the
// error.
func (d *defined[In, Out]) failure(ctx context.Context, out Out, err error) (*Result, error) {
	switch fault.KindOf(err) {
	case fault.Canceled, fault.Unavailable, fault.Internal:
		return nil, err
	case fault.Timeout:
		if ctx.Err() != nil {
			return nil, err // the call's own deadline, not a wait that the tool was asked to do
		}
	}
	failed := Fail(err)
	if r, ok := any(out).(*Result); ok && r != nil {
		failed.Evidence, failed.Value = r.Evidence, r.Value
		failed.Content = append(failed.Content, r.Content...)
	}
	return failed, nil
}

func result(out any) (*Result, error) {
	switch v := out.(type) {
	case *Result:
		if v == nil {
			return TextResult("Done."), nil
		}
		return v, nil
	case struct{}:
		return TextResult("Done."), nil
	case string:
		return ValueResult(v, v)
	case Texter:
		return ValueResult(v, v.Text())
	}
	return ValueResult(out, "")
}

// decode fills in with the arguments, defaults first. Every error names the parameter it is about.
func (d *defined[In, Out]) decode(args json.RawMessage, in *In) error {
	op := "decode arguments of " + d.spec.Name
	full, unknown, err := argument.Normalize(d.spec.Input(), args)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	if len(unknown) > 0 {
		return fault.New(fault.Invalid, op, "%s", argument.Unknown(unknown[0],
			slices.Collect(maps.Keys(d.spec.Input().Properties))))
	}
	return d.unmarshal(full, in)
}

// unmarshal fills in with arguments that are in their normal form.
func (d *defined[In, Out]) unmarshal(args json.RawMessage, in *In) error {
	if err := json.Unmarshal(args, in); err != nil {
		op := "decode arguments of " + d.spec.Name
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) && typ.Field != "" {
			return fault.New(fault.Invalid, op, "parameter %s: want %s, got %s", typ.Field, typ.Type, typ.Value)
		}
		return fault.Wrap(err, fault.Invalid, op)
	}
	return nil
}
