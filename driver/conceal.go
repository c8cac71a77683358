package driver

// Concealer keeps secrets out of pictures: before one is taken, the device asks which texts show a secret, and paints over
// what shows them. Secrets is asked each time, because sessions learn secrets as they go; it gives nil when there are none.
// The values themselves are never handed over.
type Concealer interface {
	Conceal(secrets func() (shows func(text string) bool))
}
