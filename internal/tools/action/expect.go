package action

import "github.com/trailblaze-dev/trailblaze/tool"

// Expect are the arguments with which a recorded action says what is expected of its outcome.
type Expect struct {
	Effect       string `json:"effect,omitempty" enum:"none" jsonschema:"none: nothing observable is expected to change"`
	ExpectStatus int    `json:"expectStatus,omitempty" jsonschema:"HTTP status a navigation is expected to end with; without it 400 and above fail"`
	ExpectOrigin string `json:"expectOrigin,omitempty" jsonschema:"origin (https://host) a navigation may end on, when it is not the one asked for"`
}

var _ tool.Expecting = Expect{}

// Expectation implements tool.Expecting.
func (x Expect) Expectation() tool.Expectation {
	return tool.Expectation{Effect: x.Effect, Status: x.ExpectStatus, Origin: x.ExpectOrigin}
}
