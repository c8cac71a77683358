package tool

import "encoding/json"

// ToFocus reports whether a call is keyboard input that names no element, so that it goes to what has the focus.
func (s *Spec) ToFocus(args json.RawMessage) bool {
	if !s.Keyboard {
		return false
	}
	var named struct {
		Ref          json.RawMessage `json:"ref"`
		NodeSelector json.RawMessage `json:"nodeSelector"`
	}
	return len(args) == 0 || json.Unmarshal(args, &named) == nil && empty(named.Ref) && empty(named.NodeSelector)
}

func empty(raw json.RawMessage) bool {
	return len(raw) == 0 || string(raw) == `""` || string(raw) == "null"
}
