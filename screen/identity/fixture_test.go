package identity

import "github.com/trailblaze-dev/trailblaze/screen/screentest"

var (
	tree     = screentest.Tree
	el       = screentest.El
	para     = screentest.Text
	box      = screentest.Box
	list     = screentest.List
	anyNodes = screentest.Nodes
	pageOf   = screentest.Page
	web      = screentest.Web
	phone    = screentest.Phone
	anyTree  = screentest.AnyTree
)
