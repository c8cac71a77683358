package mcpfront

func childSays(string) error { return nil }
