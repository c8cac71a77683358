package manage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// maxWait limits one WAIT: common clients give a call up after 60 s.
const maxWait = 45 * time.Second

func (d *manager) jobs() []tool.Tool {
	return []tool.Tool{
		tool.Define(lasting(spec("job", "Job", tool.Action, "session").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"},
		}), promptTimeout), d.job), // a wait lasts as long as a question that it carries
		tool.Define(spec("status", "Status", tool.Query, "session"), d.status),
		tool.Define(spec("cancel", "Cancel", tool.Action, "session").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"}, Idempotent: true,
		}), d.cancel),
		tool.Define(spec("getAgentMetrics", "Agent metrics", tool.Query, "session"), d.agentMetrics),
		tool.Define(destructive(spec("clearAgentMetrics", "Clear agent metrics", tool.Action, "session").With(tool.Facts{
			Idempotent: true,
		})), d.clearMetrics),
	}
}

type jobIn struct {
	Action    string `json:"action" enum:"STATUS,WAIT,CANCEL,LIST" default:"WAIT" jsonschema:"WAIT answers with the result as soon as it is there"`
	ID        string `json:"id,omitempty" jsonschema:"the job, as the call that became one said; default: the only one"`
	TimeoutMs int    `json:"timeoutMs,omitempty" minimum:"0" maximum:"45000" default:"30000" jsonschema:"WAIT: at most so long"`
}

type jobLine struct {
	ID     string `json:"id"`
	Tool   string `json:"tool"`
	Device string `json:"device,omitempty"`
	State  string `json:"state" jsonschema:"running, done or failed"`
	For    string `json:"for,omitempty"`
	Last   string `json:"last,omitempty" jsonschema:"its newest sign of life"`
}

func (l jobLine) text() string {
	text := fmt.Sprintf("Job %s (%s) %s", l.ID, l.Tool, l.State)
	if l.State == "running" {
		text += " for " + l.For
	}
	if l.Last != "" && l.State == "running" {
		text += ": " + l.Last
	}
	return text
}

type jobOut struct {
	Done string    `json:"done,omitempty"`
	Jobs []jobLine `json:"jobs,omitempty"`
}

// Text implements tool.Texter.
func (o jobOut) Text() string {
	var lines []string
	if o.Done != "" {
		lines = append(lines, o.Done)
	}
	for _, j := range o.Jobs {
		lines = append(lines, j.text())
	}
	if len(lines) == 0 {
		return "No job."
	}
	return strings.Join(lines, "\n")
}

func (d *manager) job(ctx context.Context, _ tool.Env, in jobIn) (*tool.Result, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	mine := d.hub.Jobs(s)
	if action(in.Action) == "LIST" {
		return d.tellJobs("", mine...)
	}
	id, err := jobID(in.ID, mine)
	if err != nil {
		return nil, err
	}
	switch action(in.Action) {
	case "CANCEL":
		if d.hub.Cancel(calls.CancelRequest{Client: s.ID(), Job: id, Why: "the client cancelled the job"}) == 0 {
			return tool.TextResult("Job %s was over already.", id), nil
		}
		return tool.TextResult("Job %s is cancelled.", id), nil
	case "WAIT":
		limit := maxWait
		if in.TimeoutMs > 0 {
			limit = min(limit, time.Duration(in.TimeoutMs)*time.Millisecond)
		}
		wait, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		reply, st, err := d.hub.Job(wait, id, true, calls.From(ctx).Publish)
		if err != nil && (ctx.Err() != nil || wait.Err() == nil) {
			return nil, err
		}
		return d.jobResult(s, reply, st)
	default:
		reply, st, err := d.hub.Job(ctx, id, false, nil)
		if err != nil {
			return nil, err
		}
		return d.jobResult(s, reply, st)
	}
}

// jobID returns the job that is meant; it must be one of the client's own.
func jobID(id string, mine []calls.JobStatus) (string, error) {
	if id == "" && len(mine) == 1 {
		return mine[0].ID, nil
	}
	for _, j := range mine {
		if j.ID == id {
			return id, nil
		}
	}
	var ids []string
	for _, j := range mine {
		ids = append(ids, j.ID)
	}
	if len(ids) == 0 {
		return "", fault.New(fault.NotFound, "find job", "this session has no job")
	}
	return "", fault.New(fault.NotFound, "find job", "there is no job %q here", id).
		WithHint("There are: %s.", strings.Join(ids, ", "))
}

// jobResult returns the result of a finished job, as its own call would have given it. Text of a page in it is fenced
// here, because the transport takes the text of a management tool for ours.
func (d *manager) jobResult(s *clients.Client, reply *calls.Reply, st calls.JobStatus) (*tool.Result, error) {
	if reply == nil || reply.Result == nil || !st.Done {
		return d.tellJobs("", st)
	}
	out := *reply.Result
	out.Delegates, out.Record = nil, nil
	out.Content = []tool.Content{{Type: "text", Text: lineOfJob(st).text() + ":"}}
	t, known := d.hub.Tools(s).Get(st.Tool)
	looked := known && t.Spec().Kind == tool.Query && reply.Device != "" && !out.IsError
	for _, c := range reply.Result.Content {
		if looked && c.Type == "text" {
			c.Text = observe.MarkUntrusted(c.Text)
		}
		out.Content = append(out.Content, c)
	}
	if o := reply.Observation; o != nil {
		if strings.TrimSpace(o.Text) != "" {
			out.Content = append(out.Content, tool.Content{Type: "text", Text: observe.MarkUntrusted(o.Text)})
		}
		if o.Image != nil {
			out.Content = append(out.Content, *o.Image)
		}
	}
	return &out, nil
}

func (d *manager) tellJobs(done string, jobs ...calls.JobStatus) (*tool.Result, error) {
	out := jobOut{Done: done}
	for _, j := range jobs {
		out.Jobs = append(out.Jobs, lineOfJob(j))
	}
	return tool.ValueResult(out, out.Text())
}

func lineOfJob(j calls.JobStatus) jobLine {
	l := jobLine{ID: j.ID, Tool: j.Tool, Device: j.Device, State: "running", For: spokenDuration(j.Elapsed), Last: j.Last}
	switch {
	case j.Done && j.Failed:
		l.State = "failed"
	case j.Done:
		l.State = "done"
	}
	return l
}
