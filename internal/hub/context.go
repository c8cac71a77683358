package hub

import "context"

type ctxKey int

const (
	seatKey ctxKey = iota
	hubKey
	callKey
)

// SeatFrom is the seat a desk tool is called by.
func SeatFrom(ctx context.Context) (*Seat, bool) {
	s, ok := ctx.Value(seatKey).(*Seat)
	return s, ok
}

// From is the hub a desk tool is called in, nil outside one.
func From(ctx context.Context) *Hub {
	h, _ := ctx.Value(hubKey).(*Hub)
	return h
}

// DeviceFrom is the device that the caller of a desk tool named for the call, "" when none: what the tool does on a device is
// meant for that one.
func DeviceFrom(ctx context.Context) string {
	if c := callOf(ctx); c != nil {
		return c.req.Device
	}
	return ""
}

// callOf is the call that a context belongs to.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey).(*call)
	return c
}
