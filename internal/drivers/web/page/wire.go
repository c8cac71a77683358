package page

func (d *Document) apply(string) error { return nil }
