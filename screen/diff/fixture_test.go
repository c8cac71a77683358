package diff_test

import "github.com/trailblaze-dev/trailblaze/screen/screentest"

var (
	tree      = screentest.Tree
	el        = screentest.El
	para      = screentest.Text
	box       = screentest.Box
	list      = screentest.List
	pageOf    = screentest.Page
	later     = screentest.Later
	namedNode = screentest.Named
	anyTree   = screentest.AnyTree
)
