package listen

// openFiles returns the number of files that the process may open: Windows has no small bound.
func openFiles() int { return 1 << 20 }
