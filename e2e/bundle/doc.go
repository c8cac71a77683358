// Package bundle tests bundles from outside: `trailblaze bundle` writes one of testdata/workspace, and it plays its
// trails as a program of a phone. The shell of the phone is this test's own binary under the name sh, which passes
// each line to a phone behind adb: to the stand-in of package androidtest, and with -phone (make bundles) to the phone
// to test on. No phone of hardware has run one.
package bundle
