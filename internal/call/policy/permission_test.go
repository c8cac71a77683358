package policy

import (
	"slices"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestPermissionRules: copy buttons work unless the policy says otherwise; everything else is asked for, and allowed.
func TestPermissionRules(t *testing.T) {
	for _, tt := range []struct {
		file  string
		asked []string
		want  []string // nil: denied
	}{
		{"profile: explore", nil, []string{"clipboard-write"}},
		{"profile: explore", []string{"Geolocation"}, []string{"geolocation", "clipboard-write"}},
		{"profile: explore\npermissions: {deny: [clipboard-*]}", nil, []string{}},
		{"profile: explore\npermissions: {deny: [clipboard-*]}", []string{"clipboard-read"}, nil},
		{"profile: test\npermissions: {allow: [geolocation]}", []string{"geolocation"}, []string{"geolocation"}},
		{"profile: test\npermissions: {allow: [geolocation]}", []string{"camera"}, nil},
		{"profile: ci", nil, []string{}},
		{"profile: ci", []string{"geolocation"}, nil},
		{"profile: ci\npermissions: {allow: [clipboard-*]}", []string{"clipboard-read"}, []string{"clipboard-read", "clipboard-write"}},
	} {
		p, err := Parse("policy.yaml", []byte(tt.file), Options{})
		if err != nil {
			t.Fatal(tt.file, err)
		}
		got, err := p.Permissions(tt.asked)
		if tt.want == nil && fault.KindOf(err) != fault.Denied || tt.want != nil && (err != nil || !slices.Equal(got, tt.want)) {
			t.Errorf("%q, asked %v: %v, %v; want %v", tt.file, tt.asked, got, err, tt.want)
		}
	}
	if _, err := Parse("policy.yaml", []byte("permissions: {allow: [\"camera, microphone\"]}"), Options{}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("two names in one: %v", err)
	}
}
