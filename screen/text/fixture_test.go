package text

import "github.com/trailblaze-dev/trailblaze/screen/screentest"

var (
	tree     = screentest.Tree
	el       = screentest.El
	para     = screentest.Text
	list     = screentest.List
	pageOf   = screentest.Page
	settings = screentest.Settings
	anyTree  = screentest.AnyTree
)
