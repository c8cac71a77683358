package emulate

import (
	"math"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Position is a place on earth.
type Position struct{ Latitude, Longitude, Accuracy float64 }

// ParsePosition reads "52.52,13.40" or "52.52,13.40,10", the last being the accuracy in meters; ""
// is nil.
func ParsePosition(text string) (*Position, error) {
	if text == "" {
		return nil, nil
	}
	p := Position{Accuracy: 1}
	parts := strings.Split(text, ",")
	into := []*float64{&p.Latitude, &p.Longitude, &p.Accuracy}
	ok := len(parts) == 2 || len(parts) == 3
	for i := 0; ok && i < len(parts); i++ {
		n, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		*into[i], ok = n, err == nil
	}
	if !ok || math.Abs(p.Latitude) > 90 || math.Abs(p.Longitude) > 180 || p.Accuracy < 0 {
		return nil, fault.New(fault.Invalid, "read geolocation", "%q is not a place", text).
			WithHint("Write latitude and longitude in degrees, such as 52.52,13.40.")
	}
	return &p, nil
}
