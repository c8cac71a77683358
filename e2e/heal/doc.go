// Package heal measures healing from outside: pairs of pages, a trail that the built program records on the first page
// and plays on the second, and the verdict of the second page's server, which alone knows which control is the right
// one: `make heal`. The pages are npm packages, pinned by the lock file (see lock.mjs); pairs and changes are in
// testdata.
package heal
