package trail

import "github.com/trailblaze-dev/trailblaze/tool"

// Parse reads a trail file of either format. It reports everything that is wrong at once; the Trail is nil only when
// nothing can be made of the file.
func Parse(path string, data []byte, mode Mode) (*Trail, Problems) {
	return nil, Problems{{Path: path, Pos: Pos{1, 1}, Severity: SeverityError, Message: "not yet"}}
}

// ParseCalls reads a tool envelope: a list of single-key maps from tool name to arguments, as sent over RPC and given
// to --yaml.
func ParseCalls(path string, data []byte) ([]Recorded, Problems) {
	return nil, Problems{{Path: path, Pos: Pos{1, 1}, Severity: SeverityError, Message: "not yet"}}
}

var _ = tool.Call{}
