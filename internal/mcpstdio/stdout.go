package mcpstdio

import "os"

// Seize takes the process's stdout for the proxy alone. It returns the client's end; every other
// print in this process, by os.Stdout, descriptor 1 or a library, goes to stderr. A line that is
// not JSON-RPC makes clients disconnect.
func Seize() (*os.File, error) {
	out, err := seize()
	if err != nil {
		return nil, err
	}
	os.Stdout = os.Stderr
	return out, nil
}
