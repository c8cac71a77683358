package perform

// Expect is what a recorded action says about its outcome. Tools accept it; the player holds the outcome against it.
type Expect struct {
	Effect       string `json:"effect,omitempty" enum:"none" jsonschema:"none: nothing observable is expected to change"`
	ExpectStatus int    `json:"expectStatus,omitempty" jsonschema:"HTTP status a navigation is expected to end with; without it 400 and above fail"`
	ExpectOrigin string `json:"expectOrigin,omitempty" jsonschema:"origin (https://host) a navigation may end on, when it is not the one asked for"`
}

// None is the value of Effect that declares that nothing observable changes.
const None = "none"
