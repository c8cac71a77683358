package mcpproxy

func childSays(string) error { return nil }
