package observe

import (
	"cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// The budgets of a reply, in tokens of four bytes.
const (
	DefaultTokens = 6_000
	MaxTokens     = 25_000

	minimalDiff = 800   // of what changed, in the minimal verbosity
	minimalPage = 1_500 // of a page that the client has not seen: the controls, headings and landmarks of most pages
	frameTokens = 40    // of the words and marks around an observation
	leastTokens = 24    // an observation that has less room than this says nothing
)

// Settings are a client's wishes for the content of replies, and the rules for keeping and hiding it.
type Settings struct {
	Verbosity  toolset.Verbosity
	MaxTokens  int // of a reply; 0: DefaultTokens; never above MaxTokens
	Screenshot bool
	Picture    driver.ScreenshotOptions // zero fields: a JPEG of quality 70 whose longer side is 1280 px
	NoPictures bool                     // the client takes none: say where they are
	// a model also reads the data of a result, which keeps to the budget like its text
	BoundData bool

	Session string              // of the URIs that a reply names
	Blobs   string              // folder of what is kept, for readers at a shell: they are told files, not resources
	Keeper  Keeper              // keeps what does not fit; nil: it is lost
	Mask    func(string) string // takes secrets out; nil: there are none
}

// Budget is the most a reply may hold.
func (s Settings) Budget() int {
	if s.MaxTokens <= 0 {
		return DefaultTokens
	}
	return min(s.MaxTokens, MaxTokens)
}

func (s Settings) mask(text string) string {
	if s.Mask == nil {
		return text
	}
	return s.Mask(text)
}

func (s Settings) picture() driver.ScreenshotOptions {
	p := s.Picture
	p.Format, p.Quality, p.MaxSize = cmp.Or(p.Format, "jpeg"), cmp.Or(p.Quality, 70), cmp.Or(p.MaxSize, 1280)
	return p
}

// Tokens is about how many tokens a text takes: four bytes each.
func Tokens(s string) int { return text.Tokens(s) }
