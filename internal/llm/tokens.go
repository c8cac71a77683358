package llm

import "encoding/json"

// Tokens estimates how many tokens a model counts for a text, as screen.Tokens does: four bytes each, rounded up.
func Tokens(s string) int { return (len(s) + 3) / 4 }

// Tokens estimates what a question takes, without its pictures.
func (r Request) Tokens() int {
	tools, _ := json.Marshal(r.Tools)       // schemas are JSON
	messages, _ := json.Marshal(r.Messages) // and so is what a model has said
	return Tokens(r.System) + Tokens(string(tools)) + Tokens(string(messages))
}
