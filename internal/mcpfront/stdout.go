package mcpfront

import "os"

// Seize takes the process's stdout for the front alone: what it returns is the client's end, and whatever else in this
// process prints, by os.Stdout, by descriptor 1 or from a library, lands on stderr. A line that is not JSON-RPC makes
// clients hang up.
func Seize() (*os.File, error) {
	out, err := seize()
	if err != nil {
		return nil, err
	}
	os.Stdout = os.Stderr
	return out, nil
}
