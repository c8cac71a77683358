package screen

// Verified reports whether it is known that n, one of what sel matches, is the element that was recorded, and not one
// of several that look the same. It asks only where a number leads to n, or the selector to several: then the
// fingerprint must tell n from those that are called the same and seen as well, or say where in a named place it
// stood among them.
func (s *Snapshot) Verified(sel Selector, matches int, f Fingerprint, n *Node) bool {
	if matches < 2 && !sel.Counts() {
		return true
	}
	twins := s.twins(n)
	if len(twins) == 0 {
		return true
	}
	now := fingerprint(n, twins)
	if len(f.Within) > 0 && len(now.Within) > 0 && skeleton(f.Within[0]) == skeleton(now.Within[0]) &&
		(f.Place == now.Place || f.Place == "") && f.Alike == now.Alike {
		return true
	}
	for i, t := range twins {
		if i == maxTwins {
			return false
		}
		if outseen(t, n) {
			continue
		}
		others := append(append([]*Node{n}, twins[:i]...), twins[i+1:]...)
		other := fingerprint(t, others)
		if f.Compare(other).Same || f.Alike == 0 && f.shared(other) >= f.shared(now) {
			return false
		}
	}
	return true
}

// shared is how much of what was recorded around an element, and of its classes, is there now. It decides where the
// element was alone when it was recorded: what tells it from its new twins was not needed then.
func (f Fingerprint) shared(now Fingerprint) int {
	return common(f.Class, now.Class) + common(f.Near, now.Near) + common(skeletons(f.Within), skeletons(now.Within))
}

// maxTwins bounds how many elements that are called the same are looked at closely.
const maxTwins = 50
