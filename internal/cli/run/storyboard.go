package run

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

// films are the forms of a storyboard that ffmpeg writes, and how. Each picture of a GIF has its own colors: to choose
// some for all, ffmpeg would hold all of them.
var films = map[string][]string{
	".webm": {"-crf", "30", "-b:v", "2M", "-pix_fmt", "yuv420p"},
	".gif":  {"-vf", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"},
}

// checkStoryboard refuses a file that no storyboard can be written into.
func checkStoryboard(path string) error {
	ext := strings.ToLower(filepath.Ext(path))
	if _, film := films[ext]; film {
		_, err := ffmpeg()
		return err
	}
	if path != "" && ext != ".png" {
		return fault.New(fault.Invalid, "read command line", "--storyboard %q ends in neither .png, .webm nor .gif", path)
	}
	return nil
}

func ffmpeg() (string, error) {
	path, err := proc.LookPath("ffmpeg")
	if err != nil {
		return "", fault.New(fault.Unavailable, "draw storyboard", "ffmpeg, which makes films, is not in the PATH").
			WithHint("Install it (apt-get install ffmpeg, brew install ffmpeg, winget install ffmpeg), or name a .png.")
	}
	return path, nil
}

// writeStoryboard draws a run into a file. Sheets beyond the first are beside it, with their numbers.
func writeStoryboard(ctx context.Context, path string, r *report.Report) error {
	ext := filepath.Ext(path)
	if how, film := films[strings.ToLower(ext)]; film {
		return writeFilm(ctx, path, how, r)
	}
	sheet := 0
	return report.Sheets(r, func(img *image.RGBA) error {
		name := path
		if sheet++; sheet > 1 {
			name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), sheet, ext)
		}
		return writeWith(name, public, func(w io.Writer) error { return png.Encode(w, img) })
	})
}

// writeFilm has ffmpeg make a film in which each step is seen for 1.5 s.
func writeFilm(ctx context.Context, path string, how []string, r *report.Report) error {
	program, err := ffmpeg()
	if err != nil {
		return err
	}
	dir, err := proc.MakeFolder("film")
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "draw storyboard")
	}
	defer proc.RemoveFolder(dir)
	made := filepath.Join(dir, "film"+strings.ToLower(filepath.Ext(path)))
	args := append([]string{"-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-framerate", "2/3",
		"-video_size", fmt.Sprintf("%dx%d", report.FrameWidth, report.FrameHeight), "-i", "-"}, how...)
	frames, feed := io.Pipe()
	drawn := make(chan error, 1)
	go func() {
		err := report.Frames(r, func(img *image.RGBA) error {
			_, err := feed.Write(img.Pix)
			return err
		})
		_ = feed.CloseWithError(err)
		drawn <- err
	}()
	var said proc.Tail
	err = proc.Run(ctx, proc.Spec{Path: program, Args: append(args, made), Env: proc.Env(os.Environ(), nil), Stdin: frames,
		Stderr: &said})
	_ = frames.Close() // ends drawing when ffmpeg has gone before
	if drawing := <-drawn; err != nil || drawing != nil {
		return fault.New(fault.Unavailable, "draw storyboard", "ffmpeg could not make %s: %v", path,
			errors.Join(err, drawing)).WithHint("It said: %s", strings.TrimSpace(said.String()))
	}
	f, err := os.Open(made)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "draw storyboard")
	}
	defer func() { _ = f.Close() }()
	return writeWith(path, public, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}
