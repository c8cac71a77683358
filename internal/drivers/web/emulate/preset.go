package emulate

import (
	"sort"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Preset is a device to emulate: its viewport in CSS pixels and the description of itself that pages get.
type Preset struct {
	Name          string
	Width, Height int
	Scale         float64 // device pixels per CSS pixel
	Mobile        bool    // viewport meta tag, overlay scroll bars, text autosizing
	Touch         bool
	UserAgent     string
}

const (
	safari       = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	chrome       = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
	agentIOS     = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) " + safari
	agentIPad    = "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) " + safari
	agentAndroid = "Mozilla/5.0 (Linux; Android 10; K) " + chrome + " Mobile Safari/537.36"
	agentTablet  = "Mozilla/5.0 (Linux; Android 10; K) " + chrome + " Safari/537.36"
)

func iPhone(name string, w, h int, scale float64) Preset {
	return Preset{name, w, h, scale, true, true, agentIOS}
}

func iPad(name string, w, h int) Preset { return Preset{name, w, h, 2, true, true, agentIPad} }

func android(name string, w, h int, scale float64) Preset {
	return Preset{name, w, h, scale, true, true, agentAndroid}
}

// presets are common devices, with the viewport that a page gets under the browser's bars.
var presets = []Preset{
	{Name: "Desktop", Width: 1280, Height: 800, Scale: 1},
	{Name: "Desktop HD", Width: 1920, Height: 1080, Scale: 1},
	{Name: "Desktop HiDPI", Width: 1280, Height: 720, Scale: 2},
	{Name: "Laptop", Width: 1440, Height: 900, Scale: 1},
	iPhone("iPhone SE", 375, 667, 2),
	iPhone("iPhone 12", 390, 664, 3),
	iPhone("iPhone 13", 390, 664, 3),
	iPhone("iPhone 13 Mini", 375, 629, 3),
	iPhone("iPhone 14", 390, 664, 3),
	iPhone("iPhone 14 Pro Max", 430, 740, 3),
	iPhone("iPhone 15", 393, 659, 3),
	iPhone("iPhone 15 Pro Max", 430, 739, 3),
	iPhone("iPhone 16", 393, 659, 3),
	iPad("iPad Mini", 768, 1024),
	iPad("iPad (gen 7)", 810, 1080),
	iPad("iPad Pro 11", 834, 1194),
	android("Pixel 5", 393, 727, 2.75),
	android("Pixel 7", 412, 839, 2.625),
	android("Pixel 8", 412, 839, 2.625),
	android("Galaxy S9+", 320, 658, 4.5),
	android("Galaxy S24", 360, 780, 3),
	{Name: "Galaxy Tab S4", Width: 712, Height: 1138, Scale: 2.25, Mobile: true, Touch: true, UserAgent: agentTablet},
}

// Presets are the devices that can be emulated, by name.
func Presets() []Preset { return append([]Preset(nil), presets...) }

// Find finds a device by name, whatever its case; "<name> landscape" is the device on its side.
func Find(name string) (Preset, error) {
	base, landscape := strings.CutSuffix(strings.ToLower(strings.TrimSpace(name)), " landscape")
	for _, p := range presets {
		if strings.ToLower(p.Name) == base {
			if landscape {
				p.Name, p.Width, p.Height = p.Name+" landscape", p.Height, p.Width
			}
			return p, nil
		}
	}
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.Name
	}
	sort.Strings(names)
	return Preset{}, fault.New(fault.Invalid, "find device preset", "no device is called %q", name).
		WithHint("Known are: %s; add \"landscape\" to turn one.", strings.Join(names, ", "))
}
