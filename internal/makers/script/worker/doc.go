// Package worker runs jobs that may not be trusted with the process: bundling, compiling and running a script. Each
// job is done by a child process of the same program, which is bounded in memory and stack, has no files and no
// environment, and is killed when it does not end in time. A job asks its parent over a pipe for anything from
// outside; secrets and files stay there. A child does one job at a time, and is kept for a while to do the next.
//
// internal/makers/script calls Do. A program that links this package becomes a child when its first argument is
// Argument; that is decided before main, so that test binaries need nothing of their own. Do is safe for concurrent
// use.
//
//	end, err := worker.Do(ctx, worker.Job{Op: worker.Compile, File: "tools/a.ts", Blob: code}, nil)
package worker
