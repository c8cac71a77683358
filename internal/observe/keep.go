package observe

import "path/filepath"

// Keeper keeps what does not fit into a reply. An event.Log is one.
type Keeper interface {
	PutBlob(data []byte, mime string) (name string, err error)
}

// Spill is where all of a text is that did not fit.
type Spill struct {
	Session string `json:"session,omitempty"`
	Blob    string `json:"blob"` // name in the session's blobs
	MIME    string `json:"mime"`
	Bytes   int    `json:"bytes"`

	dir string // of blobs, for a reader who opens files
}

// URI is the resource that has all of it.
func (s *Spill) URI() string {
	if s == nil || s.Session == "" || s.Blob == "" {
		return ""
	}
	return "trailblaze://sessions/" + s.Session + "/blobs/" + s.Blob
}

// Where is how the reader gets at all of it: a file, or a resource.
func (s *Spill) Where() string {
	if s != nil && s.dir != "" {
		return filepath.Join(s.dir, s.Blob)
	}
	return s.URI()
}

// keep puts a text away, masked; nil when nobody keeps it.
func (s Settings) keep(data []byte, mime string) (*Spill, error) {
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
	return &Spill{Session: s.Session, Blob: name, MIME: mime, Bytes: len(data), dir: s.Blobs}, nil
}

const textPlain = "text/plain"
