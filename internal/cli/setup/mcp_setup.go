package setup

// mcpHelp is the long help of trailblaze mcp.
const mcpHelp = `Serve coding agents over MCP (Model Context Protocol) on stdin and stdout. A client starts this
command itself; what it needs is one entry in its settings:

  Claude Code   claude mcp add trailblaze -- trailblaze mcp        (or .mcp.json in the project)
  Cursor        .cursor/mcp.json
  VS Code       .vscode/mcp.json                                   (its key is "servers")
  Codex         codex mcp add trailblaze -- trailblaze mcp         (or ~/.codex/config.toml)
  Gemini CLI    gemini mcp add trailblaze trailblaze mcp           (or ~/.gemini/settings.json)
  Goose         ~/.config/goose/config.yaml

Most read this block; trailblaze mcp --print-config CLIENT prints the one for another:

  {
    "mcpServers": {
      "trailblaze": { "command": "trailblaze", "args": ["mcp"] }
    }
  }

The command serves the protocol. Browsers, sessions and recordings live in the daemon, which it starts when there is
none and which stays when the client ends. When the daemon is lost or upgraded, the client's session goes on:
the next call works, and the client is told that tools may have changed. An action is never sent twice.

Files that tools read or write stay below the workspace: --workspace, else the project the working directory is in.`

// mcpClients are the clients whose set-up is printed, "json" being what most read.
var mcpClients = []string{"json", "claude", "cursor", "vscode", "codex", "gemini", "goose"}

// mcpConfigs are the set-ups by client.
var mcpConfigs = map[string]string{
	"json": mcpServersJSON,
	"claude": `# claude mcp add trailblaze -- trailblaze mcp
# or .mcp.json in the project:
` + mcpServersJSON,
	"cursor": `# .cursor/mcp.json in the project, or ~/.cursor/mcp.json:
{
  "mcpServers": {
    "trailblaze": {
      "command": "trailblaze",
      "args": ["mcp", "--workspace", "${workspaceFolder}"]
    }
  }
}
`,
	"vscode": `# .vscode/mcp.json:
{
  "servers": {
    "trailblaze": {
      "type": "stdio",
      "command": "trailblaze",
      "args": ["mcp", "--workspace", "${workspaceFolder}"]
    }
  }
}
`,
	"codex": `# codex mcp add trailblaze -- trailblaze mcp
# or ~/.codex/config.toml:
[mcp_servers.trailblaze]
command = "trailblaze"
args = ["mcp"]
tool_timeout_sec = 120
`,
	"gemini": `# gemini mcp add trailblaze trailblaze mcp
# or ~/.gemini/settings.json:
` + mcpServersJSON,
	"goose": `# ~/.config/goose/config.yaml:
extensions:
  trailblaze:
    name: trailblaze
    type: stdio
    enabled: true
    cmd: trailblaze
    args: [mcp]
    timeout: 300
`,
}

const mcpServersJSON = `{
  "mcpServers": {
    "trailblaze": {
      "command": "trailblaze",
      "args": ["mcp"]
    }
  }
}
`
