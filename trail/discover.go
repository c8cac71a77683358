package trail

import "github.com/trailblaze-dev/trailblaze/fault"

// Discover turns command line arguments (files, directories, globs; none: the root itself) into trail files, sorted,
// each once. Relative arguments are taken from root.
func Discover(root string, args []string) ([]string, error) {
	return nil, fault.New(fault.Internal, "find trails", "not yet")
}

// DiscoverFor is Discover for one device: of a directory's legacy one-per-device files it picks the closest.
func DiscoverFor(root string, args, classifiers []string) ([]string, error) {
	return nil, fault.New(fault.Internal, "find trails", "not yet")
}
