package screen

// MatchText reports whether the whole text matches a Java regular expression, or is equal to it: what every *Regex
// field of a selector does, for tools that take an expression of their own.
func MatchText(expression, text string) (bool, error) { return compile(expression, false).match(text) }
