package extern

// maxNesting is how deep a message may be: above the bound of a schema, and below that of the decoder, which refuses a
// message as a whole.
const maxNesting = 500

// pruned is a message with null in place of what is nested too deep, so that one tool costs no more than itself.
func pruned(msg []byte) []byte {
	out := make([]byte, 0, len(msg))
	depth, quoted := 0, false
	for i := 0; i < len(msg); i++ {
		c := msg[i]
		opens, closes := !quoted && (c == '{' || c == '['), !quoted && (c == '}' || c == ']')
		if opens {
			if depth++; depth == maxNesting+1 {
				out = append(out, "null"...)
			}
		}
		kept := depth <= maxNesting
		if kept {
			out = append(out, c)
		}
		switch {
		case closes:
			depth--
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\' && i+1 < len(msg):
			i++
			if kept {
				out = append(out, msg[i])
			}
		}
	}
	return out
}
