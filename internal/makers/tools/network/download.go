package network

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// file is a download as a caller sees it: its name, never a path made from a server's text.
type file struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	URL   string `json:"url"`
	Bytes int64  `json:"bytes"`
	State string `json:"state"`
}

func fileOf(d driver.Download) file {
	name := path.Base(filepath.ToSlash(strings.ReplaceAll(d.Name, `\`, "/")))
	return file{ID: d.ID, Name: name, URL: d.URL, Bytes: d.Bytes, State: d.State}
}

// Text implements tool.Texter.
func (f file) Text() string { return fmt.Sprintf("%s: %d bytes, %s", f.Name, f.Bytes, f.State) }

type filesOut struct {
	Downloads []file `json:"downloads"`
}

// Text implements tool.Texter.
func (o filesOut) Text() string {
	var lines []string
	for _, f := range o.Downloads {
		lines = append(lines, f.Text())
	}
	if lines == nil {
		return "Nothing was downloaded so far."
	}
	return strings.Join(lines, "\n")
}

func webDownloads() tool.Tool {
	return tool.Define(web("web_downloads", "List downloads", tool.Query).With(tool.Facts{
		Categories: []string{"FILES"}, Occasion: tool.AtFiles,
	}), func(ctx context.Context, env tool.Env, _ action.NoInput) (filesOut, error) {
		d, err := action.Capability[driver.Downloader](env, "list downloads")
		if err != nil {
			return filesOut{}, err
		}
		list, err := d.Downloads(ctx)
		if err != nil {
			return filesOut{}, fault.Wrap(err, "", "list downloads")
		}
		out := filesOut{Downloads: []file{}}
		for _, one := range list {
			out.Downloads = append(out.Downloads, fileOf(one))
		}
		return out, nil
	})
}

type waitDownloadIn struct {
	Name      string `json:"name,omitempty" jsonschema:"file name it must have"`
	TimeoutMs int    `json:"timeoutMs,omitempty" minimum:"0" default:"30000" jsonschema:"how long to wait"`
	action.Note
}

// CallTimeout implements tool.Timed.
func (in waitDownloadIn) CallTimeout() time.Duration {
	return action.Limit(time.Duration(in.TimeoutMs) * time.Millisecond)
}

func webWaitForDownload() tool.Tool {
	s := web("web_waitForDownload", "Wait for download", tool.Assertion).With(tool.Facts{
		Categories: []string{"VERIFICATION", "FILES"}, Occasion: tool.AtFiles, Purpose: tool.AwaitDownload,
		Sentence: func(p tool.Phrase) string { return "Wait for the download" + tool.Join(" ", p.Quoted("name")) },
	})
	s.Output = action.Output[file]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in waitDownloadIn) (*tool.Result, error) {
		d, err := action.Capability[driver.Downloader](env, "wait for download")
		if err != nil {
			return nil, err
		}
		wctx, cancel := context.WithTimeout(ctx, time.Duration(in.TimeoutMs)*time.Millisecond)
		defer cancel()
		for {
			got, err := d.WaitDownload(wctx)
			switch {
			case err != nil && wctx.Err() != nil && ctx.Err() == nil:
				return nil, fault.New(fault.Assertion, "wait for download", "no download %s completed within %d ms", in.Name,
					in.TimeoutMs)
			case err != nil && got != nil:
				return nil, fault.New(fault.Assertion, "wait for download", "the download of %s ended %s", fileOf(*got).Name,
					got.State)
			case err != nil:
				return nil, fault.Wrap(err, "", "wait for download")
			}
			f := fileOf(*got)
			if in.Name != "" && f.Name != in.Name {
				continue
			}
			r, err := tool.ValueResult(f, "Downloaded "+f.Text()+".")
			if err == nil {
				r.Evidence = &tool.Evidence{Checked: "downloaded " + f.Text()}
			}
			return r, err
		}
	})
}
