package trail

import "github.com/trailblaze-dev/trailblaze/fault"

// Encode writes t in the unified format.
func Encode(t *Trail) ([]byte, error) {
	return nil, fault.New(fault.Internal, "encode trail", "not yet")
}

// Merge puts what was recorded for one classifier into an existing file; everything else in it, comments included,
// keeps its bytes. The notes say where the recording and the file drifted apart.
func Merge(existing []byte, recorded *Trail, classifier string) ([]byte, []string, error) {
	return nil, nil, fault.New(fault.Internal, "merge trail", "not yet")
}
