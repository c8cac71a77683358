package observe

import "path/filepath"

// Keeper keeps what does not fit into a reply. An event.Log is one.
type Keeper interface {
	PutBlob(data []byte, mime string) (name string, err error)
}

// Overflow locates the whole of a text that did not fit.
type Overflow struct {
	Session string `json:"session,omitempty"`
	Blob    string `json:"blob"` // name in the session's blobs
	MIME    string `json:"mime"`
	Bytes   int    `json:"bytes"`

	dir string // of blobs, for a reader who opens files
}

// URI is the resource that has all of it.
func (s *Overflow) URI() string {
	if s == nil || s.Session == "" || s.Blob == "" {
		return ""
	}
	return "trailblaze://sessions/" + s.Session + "/blobs/" + s.Blob
}

// Where returns the place where the reader gets all of it: a file, or a resource.
func (s *Overflow) Where() string {
	if s != nil && s.dir != "" {
		return filepath.Join(s.dir, s.Blob)
	}
	return s.URI()
}

// keep puts a text away, masked; nil when there is no Keeper.
func (s Settings) keep(data []byte, mime string) (*Overflow, error) {
	if s.Keeper == nil {
		return nil, nil
	}
	if mime == textPlain {
		data = []byte(s.mask(string(data)))
	}
	name, err := s.Keeper.PutBlob(data, mime)
	if err != nil || name == "" {
		return nil, err
	}
	return &Overflow{Session: s.Session, Blob: name, MIME: mime, Bytes: len(data), dir: s.Blobs}, nil
}

const textPlain = "text/plain"
