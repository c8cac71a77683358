package mcpstdio

func childSays(string) error { return nil }
