package driver

// Concealer keeps secrets out of pictures: before one is taken, the device asks which texts show a secret, and paints
// over what shows them. Secrets is asked each time, because sessions learn secrets as they go; it gives nil when
// there are none. The values themselves are never handed over.
type Concealer interface {
	Conceal(secrets func() Secrets)
}

// Secrets tells which texts of a screen show a secret.
type Secrets interface {
	Shows(text string) bool      // the whole of one, in whatever spelling
	Apart(texts []string) []bool // which of them, as they follow each other, show one that the page took apart
}
