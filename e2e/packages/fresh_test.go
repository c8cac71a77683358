package packages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDebian: the steps of release/Dockerfile, in a root of Debian with nothing of ours, make a machine on which the demo
// passes: the package brings Chromium along, and its pages and completions are in place. Purged, it leaves nothing. Docker
// itself is not there: the test carries out each instruction.
func TestDebian(t *testing.T) {
	h := newHouse(t)
	if !*all {
		t.Skip("-all only: it installs a Debian")
	}
	text, err := os.ReadFile(filepath.Join(h.repo, "release/Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	script, command := "set -eux\n", ""
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "#", "":
		case "FROM": // .ci/fresh makes it
			if rest != "debian:trixie-slim" {
				t.Errorf("the image is of %s, the test of trixie", rest)
			}
		case "ARG":
			script += "export " + rest + "\n"
		case "COPY":
			script += "(cd /dist && cp " + rest + ")\n"
		case "RUN":
			script += "sh -c " + quoted(rest) + "\n"
		case "WORKDIR":
			script += "mkdir -p " + rest + " && cd " + rest + "\n"
		case "ENTRYPOINT":
			command = strings.Trim(rest, `["]`)
		case "CMD":
			script += command + " " + strings.Trim(rest, `["]`) + "\n"
		default:
			t.Fatalf("the Dockerfile has %s, which the test does not know", word)
		}
	}
	script += `
dpkg -V trailblaze
test -s /usr/share/man/man1/trailblaze-run.1 -o -e /etc/dpkg/dpkg.cfg.d/docker
. /usr/share/bash-completion/completions/trailblaze && complete -p trailblaze
` + command + ` version
` + command + ` demo
apt-get purge -y trailblaze
test ! -e /usr/bin/trailblaze && test ! -e /usr/share/doc/trailblaze
echo all of it
`
	cmd := h.command(t, filepath.Join(h.repo, ".ci/fresh"), "bash", "-c", script)
	cmd.Env = append(os.Environ(), "FRESH_SUITE=trixie", "FRESH_BIND="+h.dist+":/dist")
	out, err := cmd.CombinedOutput()
	if exitCode(err) == 75 {
		t.Skipf("%s", out)
	}
	if err != nil || !strings.Contains(string(out), "7 trails: 7 passed") || !strings.Contains(string(out), "all of it") ||
		!strings.Contains(string(out), "trailblaze "+h.version) {
		t.Fatalf("%v\n%s", err, out)
	}
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
