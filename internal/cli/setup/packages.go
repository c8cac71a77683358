package setup

import (
	"os"
	"runtime"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// manager is a system package manager and how it installs a browser.
type manager struct {
	program  string
	commands [][]string // without the program
	root     bool       // needs to be root
}

// managers lists the package managers to try, in order, on each system.
var managers = map[string][]manager{
	"linux": {
		{"apt-get", [][]string{{"update"}, {"install", "-y", "chromium"}}, true},
		{"dnf", [][]string{{"install", "-y", "chromium"}}, true},
		{"yum", [][]string{{"install", "-y", "chromium"}}, true},
		{"pacman", [][]string{{"-Sy", "--noconfirm", "chromium"}}, true},
		{"zypper", [][]string{{"--non-interactive", "install", "chromium"}}, true},
		{"apk", [][]string{{"add", "chromium"}}, true},
	},
	"darwin": {{"brew", [][]string{{"install", "--cask", "google-chrome"}}, false}},
	"windows": {{"winget",
		[][]string{{"install", "--exact", "--id", "Google.Chrome", "--accept-package-agreements",
			"--accept-source-agreements"}}, false}},
	"freebsd": {{"pkg", [][]string{{"install", "-y", "chromium"}}, true}},
}

// ubuntu ships its browser as a snap; the package of that name only points to it.
var ubuntu = manager{"snap", [][]string{{"install", "chromium"}}, true}

// machine holds the facts that decide the choice of a package manager.
type machine struct {
	os      string
	release string // contents of /etc/os-release
	root    bool
	find    func(program string) (string, bool)
}

func thisMachine() machine {
	release, _ := os.ReadFile("/etc/os-release") // only on Linux, and then optional
	return machine{
		os: runtime.GOOS, release: string(release), root: os.Geteuid() == 0,
		find: func(program string) (string, bool) {
			path, err := proc.LookPath(program)
			return path, err == nil
		},
	}
}

// installCommands are the commands that install a browser on this machine, each with its program first.
func (m machine) installCommands() ([][]string, error) {
	list := managers[m.os]
	if m.os == "linux" && strings.Contains(m.release, "\nID=ubuntu") || strings.HasPrefix(m.release, "ID=ubuntu") {
		list = append([]manager{ubuntu}, list...)
	}
	for _, pm := range list {
		path, ok := m.find(pm.program)
		if !ok {
			continue
		}
		prefix := []string{path}
		if pm.root && !m.root {
			sudo, ok := m.find("sudo")
			if !ok {
				return nil, fault.New(fault.Denied, "install browser", "%s needs root, and there is no sudo", pm.program).
					WithHint("Run as root: %s %s", pm.program, strings.Join(pm.commands[len(pm.commands)-1], " "))
			}
			prefix = []string{sudo, path}
		}
		var out [][]string
		for _, c := range pm.commands {
			out = append(out, append(append([]string{}, prefix...), c...))
		}
		return out, nil
	}
	return nil, fault.New(fault.Unsupported, "install browser", "no package manager that we know was found").
		WithHint("Install Chromium, Chrome or Edge, or point $TRAILBLAZE_BROWSER to one.")
}
