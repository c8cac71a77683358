package script

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/worker"
)

// testTime bounds one test.
const testTime = 30 * time.Second

// Tested is the result of one test.
type Tested struct {
	File string
	Name string // with the names of what it stands in; "" when the file itself is wrong
	Took time.Duration
	Err  error    // nil: passed
	Log  []string // what it wrote on the console
}

// Test runs the tests in the *.test.ts files of folders, each in a machine of its own. A test calls a tool with a
// stand-in for its context, so no device is needed.
func Test(ctx context.Context, workspace string, dirs []string) ([]Tested, error) {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, "open workspace")
	}
	defer func() { _ = root.Close() }()
	var out []Tested
	for _, dir := range dirs {
		names, err := files(root, dir, isTestFile)
		if err != nil {
			return nil, fault.Wrap(err, "", "list tests")
		}
		for _, name := range names {
			out = append(out, testFile(ctx, root, name)...)
			if ctx.Err() != nil {
				return out, context.Cause(ctx)
			}
		}
	}
	return out, nil
}

func isTestFile(base string) bool {
	return strings.HasSuffix(base, ".test.ts") || strings.HasSuffix(base, ".test.js")
}

func testFile(ctx context.Context, root *os.Root, name string) []Tested {
	p := &program{name: name, build: func(ctx context.Context) (*bundle, error) {
		return (&bundler{root: root, name: name, test: true}).bundle(ctx)
	}}
	names, err := p.tests(ctx)
	if err != nil {
		return []Tested{{File: name, Err: err}}
	}
	var out []Tested
	for i, n := range names {
		began := time.Now()
		log, err := p.test(ctx, i)
		out = append(out, Tested{File: name, Name: n, Took: time.Since(began), Err: err, Log: log})
	}
	return out
}

// tests lists the tests of a file.
func (p *program) tests(ctx context.Context) ([]string, error) {
	var names []string
	err := p.list(ctx, "tests", &names)
	return names, err
}

// test runs one of them.
func (p *program) test(ctx context.Context, i int) (log []string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, testTime,
		fmt.Errorf("it took longer than %v: %w", testTime, context.DeadlineExceeded))
	defer cancel()
	r := &run{world: timers{}}
	if _, err = p.run(ctx, r, worker.Running{Function: "runTest", Args: []any{i}}); err != nil {
		err = p.wrong(ctx, err, r)
	}
	return r.log, err
}

// timers is the world of a test: its timers run, everything else is a stand-in.
type timers struct{ nobody }

func (timers) later(ctx context.Context, op string, value json.RawMessage) (any, error) {
	if op == "timer" {
		return nil, sleep(ctx, value)
	}
	return nil, fault.New(fault.Invalid, "", "%s reaches nothing in a test", op)
}
