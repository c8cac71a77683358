package file

import (
	"os"
	"time"
)

// Stamp tells one state of a file from another without reading it.
type Stamp struct {
	path  string
	there bool
	size  int64
	time  time.Time
}

// StampOf is the state of a file now. A file that does not exist has a stamp too; "" names none.
func StampOf(path string) Stamp {
	if path == "" {
		return Stamp{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{path: path}
	}
	return Stamp{path, true, info.Size(), info.ModTime()}
}
