// Package report turns event logs into reports: a model of a run (Report), and its forms: one self-contained HTML page,
// JSON, JUnit XML, CTRF, Markdown, annotations of GitHub, and pictures of its steps. It reads logs and nothing else, so
// a report can be made again at any time, also of a run that was killed, and by a binary that lacks the tools the run
// used.
//
// The run command and the report command call it. A Report is not safe for concurrent change; the writers only read.
//
//	r, err := report.Build(report.Input{Sessions: dirs})
//	err = report.WriteHTML(w, r, report.HTMLOptions{})
package report
