package network

import (
	"context"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type mockIn struct {
	Pattern string            `json:"pattern" minLength:"1" jsonschema:"glob over the whole URL: * within a path segment, ** anything; such as **/api/cart"`
	Method  string            `json:"method,omitempty" jsonschema:"only this HTTP method"`
	Status  int               `json:"status,omitempty" minimum:"100" maximum:"599" default:"200" jsonschema:"HTTP status of the answer"`
	Headers map[string]string `json:"headers,omitempty" jsonschema:"headers of the answer"`
	Body    string            `json:"body,omitempty" jsonschema:"body of the answer"`
	Abort   bool              `json:"abort,omitempty" jsonschema:"fail the request instead of answering it"`
	Times   int               `json:"times,omitempty" minimum:"0" jsonschema:"answer so many requests, then let them through; default always"`
	action.Note
}

// webMockRoute adds a route in front of those there are, so that the newest that matches answers.
func webMockRoute() tool.Tool {
	return action.Define(devtools("web_mockRoute", "Mock route", tool.Action),
		func(ctx context.Context, env tool.Env, in mockIn) (*tool.Result, error) {
			net, err := action.Capability[driver.Network](env, "mock route")
			if err != nil {
				return nil, err
			}
			routes := []driver.Route{{
				Pattern: in.Pattern, Method: in.Method, Abort: in.Abort, Status: in.Status, Headers: in.Headers, Body: in.Body,
				Times: in.Times,
			}}
			if list, ok := driver.As[driver.Routed](env.Device()); ok {
				have, err := list.Routes(ctx)
				if err != nil {
					return nil, fault.Wrap(err, "", "list routes")
				}
				routes = append(routes, have...)
			}
			if err := net.SetRoutes(ctx, routes); err != nil {
				return nil, fault.Wrap(err, "", "mock route")
			}
			answer := fmt.Sprintf("answered with %d", in.Status)
			if in.Abort {
				answer = "made to fail"
			}
			return action.NoEffect("a mock shows when a request matches it", "Requests to %s are %s from now on. %s in force.",
				in.Pattern, answer, action.Plural(len(routes), "mock")), nil
		})
}

func webClearRoutes() tool.Tool {
	return action.Define(devtools("web_clearRoutes", "Clear routes", tool.Action).With(tool.Facts{
		Idempotent: true,
	}), func(ctx context.Context, env tool.Env, _ action.NoInput) (*tool.Result, error) {
		net, err := action.Capability[driver.Network](env, "clear routes")
		if err != nil {
			return nil, err
		}
		if err := net.SetRoutes(ctx, nil); err != nil {
			return nil, fault.Wrap(err, "", "clear routes")
		}
		return action.NoEffect("requests go to the network again when they are made", "No request is mocked any more."), nil
	})
}
