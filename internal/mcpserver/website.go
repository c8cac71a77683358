package mcpserver

import _ "embed"

const website = "https://github.com/trailblaze-dev/trailblaze"

//go:embed instructions.md
var instructions string

func (s *Server) version() string {
	if s.o.Version == "" {
		return "dev"
	}
	return s.o.Version
}
