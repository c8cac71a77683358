//go:build unix

package mcpstdio

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestStdoutIsJSONOnly: prints, logs, children and a panic do not reach what the client reads; they are on stderr.
func TestStdoutIsJSONOnly(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), noisy+"=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) {
		t.Fatalf("ended with %v, want a panic", err)
	}
	if want := `{"jsonrpc":"2.0","id":null,"result":{}}` + "\n"; stdout.String() != want {
		t.Errorf("stdout has %q", stdout.String())
	}
	for _, want := range []string{"a print\n", "kept the old", "by descriptor", "a log line", "of the runtime", "a child's print", "panic: a panic"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr lacks %q", want)
		}
	}
}

// childSays runs a child that inherits our stdout.
func childSays(text string) error {
	cmd := exec.Command("/bin/echo", text)
	cmd.Stdout = os.NewFile(1, "one")
	return cmd.Run()
}
