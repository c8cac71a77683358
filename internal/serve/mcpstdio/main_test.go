package mcpstdio

import (
	"fmt"
	"log/slog"
	"os"
	"testing"

	"go.uber.org/goleak"
)

const noisy = "MCPFRONT_TEST_NOISY"

func TestMain(m *testing.M) {
	if os.Getenv(noisy) != "" {
		noise()
	}
	goleak.VerifyTestMain(m)
}

// noise is a process whose every part is chatty: a print of every kind, and then a panic.
func noise() {
	before := os.Stdout
	out, err := Seize()
	if err != nil {
		panic(err)
	}
	fmt.Println("a print")
	fmt.Fprintln(before, "a print by who kept the old stdout")
	fmt.Fprintln(os.NewFile(1, "one"), "a print by descriptor")
	slog.New(slog.NewTextHandler(os.Stdout, nil)).Info("a log line")
	println("a print of the runtime")
	if err := childSays("a child's print"); err != nil {
		panic(err)
	}
	if _, err := out.WriteString(`{"jsonrpc":"2.0","id":null,"result":{}}` + "\n"); err != nil {
		panic(err)
	}
	panic("a panic")
}
