// Package redact masks secrets in what leaves a call: texts, JSON, errors, results, evidence, captures and events. The
// dispatcher, the session's log and the hub call it; memory finds the secrets themselves. It fails closed: a value that
// cannot be masked is left out. Functions are safe to call from many goroutines and never change their input.
//
//	err = redact.Error(session.Memory, err)
package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Masker replaces every secret it knows. *memory.Store is one.
type Masker interface {
	Mask(text string) string
	MaskJSON(raw json.RawMessage) json.RawMessage
}

// Texts masks each text of a list.
func Texts(m Masker, in []string) []string {
	out := slices.Clone(in)
	for i, s := range out {
		out[i] = m.Mask(s)
	}
	return out
}

// Map masks the values of a map.
func Map(m Masker, in map[string]string) map[string]string {
	out := maps.Clone(in)
	for k, v := range out {
		out[k] = m.Mask(v)
	}
	return out
}

// JSON masks a document; nothing stays nothing.
func JSON(m Masker, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	return m.MaskJSON(raw)
}

// Failure masks every text of a failure.
func Failure(m Masker, f *fault.Failure) *fault.Failure { return f.Map(m.Mask) }

// Error masks every text of an error: message, hint and the search behind it. An error without a secret comes back as
// it is; one with a secret is cut off its chain, so that unwrapping it does not reveal the text.
func Error(m Masker, err error) error {
	if err == nil || clean(m, err) {
		return err
	}
	return Failure(m, fault.FailureOf(err)).Err()
}

// clean reports whether no error of the chain shows a secret, in its text or in its data.
func clean(m Masker, err error) bool {
	if text := err.Error(); m.Mask(text) != text {
		return false
	}
	for err != nil {
		if f := fault.FailureOf(err); !reflect.DeepEqual(Failure(m, f), f) {
			return false
		}
		e, ok := errors.AsType[*fault.Error](err)
		if !ok {
			return true
		}
		err = e.Err
	}
	return true
}

// Call masks the arguments of a call.
func Call(m Masker, c *tool.Call) *tool.Call {
	if c == nil {
		return nil
	}
	return &tool.Call{Name: c.Name, Args: JSON(m, c.Args)}
}

// Evidence masks evidence through its JSON, so that a field added to it later is masked as well. Evidence that cannot
// make that trip comes back empty, which proves nothing. The capture stays: it never leaves the process unmasked.
func Evidence(m Masker, e *tool.Evidence) *tool.Evidence {
	if e == nil {
		return nil
	}
	out := &tool.Evidence{Screen: e.Screen}
	raw, err := json.Marshal(e)
	if err != nil {
		return out
	}
	masked := m.MaskJSON(raw)
	if bytes.Equal(masked, raw) {
		return e
	}
	if json.Unmarshal(masked, out) != nil {
		return &tool.Evidence{Screen: e.Screen}
	}
	return out
}

// Result masks all that a tool answers.
func Result(m Masker, r *tool.Result) *tool.Result {
	if r == nil {
		return nil
	}
	c := *r
	c.Content = slices.Clone(r.Content)
	for i := range c.Content {
		c.Content[i].Text = m.Mask(c.Content[i].Text)
	}
	c.Value, c.Fault = JSON(m, r.Value), Error(m, r.Fault)
	c.Record, c.Evidence = Call(m, r.Record), Evidence(m, r.Evidence)
	return &c
}

// Snapshot masks a capture that is written out.
func Snapshot(m Masker, s *screen.Snapshot) *screen.Snapshot { return s.Masked(m.Mask) }
