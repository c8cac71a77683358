package event

// PolicyDecision is what the policy said to something: that it was denied, or, once in a session, that it was allowed.
const PolicyDecision Type = "policy_decision"

// Decision is a decision of the policy.
type Decision struct {
	Call    string `json:"call,omitempty"` // Call.ID
	Tool    string `json:"tool,omitempty"`
	Allowed bool   `json:"allowed"`
	Subject string `json:"subject"`         // a tool, a host, a file
	Rule    string `json:"rule"`            // that decided
	Where   string `json:"where,omitempty"` // it stands: file:line:col, or the profile
	Profile string `json:"profile"`
}
