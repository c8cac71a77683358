// Command release makes archives and packages of programs that were built for several systems: archives with
// completions and manual pages, npm packages, wheels for Python and the Homebrew formula. release.sh, which
// builds the programs and makes the rest of a release, runs it.
//
//	release -version 0.1.0 -epoch 1790000000 -built bin/release -out dist
//
// The folder -built has a folder for each system, such as linux_amd64, with its program. The same programs, version
// and epoch make the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

func main() {
	var r release
	var epoch int64
	flag.StringVar(&r.version, "version", "", "the version, such as 0.1.0 or 0.1.0-rc.1")
	flag.Int64Var(&epoch, "epoch", 0, "the time of all files, in seconds since 1970")
	flag.StringVar(&r.built, "built", "", "the folder with a folder for each system")
	flag.StringVar(&r.out, "out", "", "the folder for what is made")
	flag.Parse()
	r.at, r.here = time.Unix(epoch, 0).UTC(), "release"
	if err := r.make(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// version is what npm, PyPI and Debian all order alike.
var version = regex.Lazy(`^\d+\.\d+\.\d+(-rc\.\d+)?$`)

func (r *release) make() error {
	if !version().MatchString(r.version) {
		return fmt.Errorf("%q is no version: give X.Y.Z or X.Y.Z-rc.N", r.version)
	}
	if err := errors.Join(os.MkdirAll(r.out, 0o755), r.manual(), r.licences()); err != nil {
		return err
	}
	r.archives = map[string]string{}
	var made []system
	for _, s := range systems {
		program, err := os.ReadFile(filepath.Join(r.built, s.folder(), s.program()))
		if errors.Is(err, os.ErrNotExist) {
			continue // it was not asked for
		}
		if err == nil {
			err = errors.Join(r.archive(s, program), r.npmPlatform(s, program), r.wheel(s, program))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.folder(), err)
		}
		made = append(made, s)
	}
	if len(made) == 0 {
		return fmt.Errorf("no program in %s", r.built)
	}
	return errors.Join(r.npmMain(), r.formula(made))
}
