package observe

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
}

// URI is the resource that has all of it.
func (s *Spill) URI() string {
	if s == nil || s.Session == "" || s.Blob == "" {
		return ""
	}
	return "trailblaze://sessions/" + s.Session + "/blobs/" + s.Blob
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
	return &Spill{Session: s.Session, Blob: name, MIME: mime, Bytes: len(data)}, nil
}

const textPlain = "text/plain"
