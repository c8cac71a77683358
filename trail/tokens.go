package trail

// tokens warns of {{args.x}} tokens whose argument the trail does not declare.
func (d *decoder) tokens() {}
