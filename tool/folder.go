package tool

import "context"

type folderKey struct{}

// InFolder is a context for calls that are written in a file of this folder: the relative paths in their arguments
// begin there.
func InFolder(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, folderKey{}, dir)
}

// Folder is where relative paths in the arguments of a call begin, "" when the call is written in no file.
func Folder(ctx context.Context) string {
	dir, _ := ctx.Value(folderKey{}).(string)
	return dir
}
