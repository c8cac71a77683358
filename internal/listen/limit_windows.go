package listen

// openFiles is how many files the process may open: Windows has no small bound.
func openFiles() int { return 1 << 20 }
