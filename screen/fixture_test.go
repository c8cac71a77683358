package screen_test

import "github.com/trailblaze-dev/trailblaze/screen/screentest"

var (
	tree     = screentest.Tree
	el       = screentest.El
	para     = screentest.Text
	box      = screentest.Box
	list     = screentest.List
	pageOf   = screentest.Page
	web      = screentest.Web
	names    = screentest.Found
	settings = screentest.Settings
)
