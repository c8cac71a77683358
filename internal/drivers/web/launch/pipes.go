package launch

import (
	"fmt"
	"os"
	"runtime"

	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// pipes are the two pipes of --remote-debugging-pipe.
type pipes struct {
	theirIn, theirOut      *os.File // the browser's ends
	toBrowser, fromBrowser *os.File // ours
}

func newPipes() (*pipes, error) {
	p := &pipes{}
	var err error
	if p.theirIn, p.toBrowser, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.fromBrowser, p.theirOut, err = os.Pipe(); err != nil {
		_ = p.theirIn.Close()
		_ = p.toBrowser.Close()
		return nil, err
	}
	return p, nil
}

func (p *pipes) theirs() []*os.File { return []*os.File{p.theirIn, p.theirOut} }

// flags are the arguments that name the browser's ends of the pipes where they are not descriptors 3 and 4.
func (p *pipes) flags() []string {
	if runtime.GOOS != "windows" {
		return nil
	}
	return []string{fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", proc.HandleOf(p.theirIn, 0),
		proc.HandleOf(p.theirOut, 1))}
}

func (p *pipes) closeTheirs() {
	_ = p.theirIn.Close()
	_ = p.theirOut.Close()
}

func (p *pipes) closeOwnEnds() {
	_ = p.toBrowser.Close()
	_ = p.fromBrowser.Close()
}
