package setup

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestInstallCommands proves what is run on each system, and that root is asked for only where it is needed.
func TestInstallCommands(t *testing.T) {
	tests := []struct {
		name     string
		machine  machine
		programs string // on the PATH
		want     []string
	}{
		{"debian as root", machine{os: "linux", release: "ID=debian\n", root: true}, "apt-get", []string{"/bin/apt-get update", "/bin/apt-get install -y chromium"}},
		{"debian with sudo", machine{os: "linux"}, "apt-get sudo", []string{"/bin/sudo /bin/apt-get update", "/bin/sudo /bin/apt-get install -y chromium"}},
		{"ubuntu ships a snap", machine{os: "linux", release: "NAME=Ubuntu\nID=ubuntu\n", root: true}, "apt-get snap", []string{"/bin/snap install chromium"}},
		{"fedora", machine{os: "linux", root: true}, "dnf yum", []string{"/bin/dnf install -y chromium"}},
		{"alpine", machine{os: "linux", root: true}, "apk", []string{"/bin/apk add chromium"}},
		{"mac", machine{os: "darwin"}, "brew", []string{"/bin/brew install --cask google-chrome"}},
		{"windows", machine{os: "windows"}, "winget",
			[]string{"/bin/winget install --exact --id Google.Chrome --accept-package-agreements --accept-source-agreements"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.machine.find = func(p string) (string, bool) { return "/bin/" + p, slices.Contains(strings.Fields(tt.programs), p) }
			commands, err := tt.machine.installCommands()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range commands {
				got = append(got, strings.Join(c, " "))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("commands (-want +got):\n%s", d)
			}
		})
	}
}

func TestInstallCommandsRefuse(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	if _, err := (machine{os: "linux", find: none}).installCommands(); fault.KindOf(err) != fault.Unsupported || fault.HintOf(err) == "" {
		t.Errorf("without a package manager: %v, want unsupported with a hint", err)
	}
	apt := func(p string) (string, bool) { return "/bin/" + p, p == "apt-get" }
	if _, err := (machine{os: "linux", find: apt}).installCommands(); fault.KindOf(err) != fault.Denied {
		t.Errorf("without root and sudo: %v, want denied", err)
	}
}
