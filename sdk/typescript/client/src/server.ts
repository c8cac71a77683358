import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { Server as Protocol } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema, ListResourcesRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** What the official SDK hands to a tool beside its arguments. `TrailblazeClient.fromContext` reads it. */
export interface Context {
  _meta?: Record<string, unknown>;
  signal: AbortSignal;
}

type Handler = (args: any, ctx: Context) => Promise<Record<string, unknown> | string | void>;

export interface ToolOptions {
  description?: string;
  /** JSON Schema of the arguments; default: any object */
  inputSchema?: { type: 'object'; properties?: Record<string, object>; required?: string[] };
}

/**
 * An MCP server of the official SDK, in the few words that a file of tools needs. A tool gives a value; what it throws
 * fails the call. The context that older programs find among the arguments is taken out.
 */
export class Server {
  private readonly tools = new Map<string, { handler: Handler; options: ToolOptions }>();
  private readonly resources = new Map<string, () => Promise<unknown>>();

  constructor(private readonly info = { name: 'tools', version: '1.0.0' }) {}

  tool(name: string, handler: Handler, options: ToolOptions = {}): void {
    this.tools.set(name, { handler, options });
  }

  resource(uri: string, read: () => Promise<unknown>): void {
    this.resources.set(uri, read);
  }

  /**
   * Serves the tools to one client on stdin and stdout, or with `--transport http --port N` on the command line to several
   * at once, on this machine alone. Trailblaze starts it with these arguments when the calls of two devices meet.
   */
  async run(): Promise<void> {
    const { values } = parseArgs({ strict: false, options: { transport: { type: 'string' }, port: { type: 'string' } } });
    if (values.transport !== 'http') return this.protocol().connect(new StdioServerTransport());
    const port = Number(values.port);
    if (!port) throw new Error('--transport http needs --port');
    const here = [`127.0.0.1:${port}`, `localhost:${port}`];
    const clients = new Map<string, StreamableHTTPServerTransport>();
    createServer(async (request, response) => {
      const { host = '', origin } = request.headers;
      if (!here.includes(host) || origin !== undefined) return void response.writeHead(403).end(); // a page of a browser
      if (request.url !== '/mcp') return void response.writeHead(404).end();
      let client = clients.get(`${request.headers['mcp-session-id']}`);
      if (!client) {
        const fresh = new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID, onsessioninitialized: (id) => void clients.set(id, fresh),
        });
        fresh.onclose = () => clients.delete(fresh.sessionId ?? '');
        await this.protocol().connect(fresh as Parameters<Protocol['connect']>[0]);
        client = fresh;
      }
      await client.handleRequest(request, response);
    }).listen(port, '127.0.0.1');
  }

  private protocol(): Protocol {
    const server = new Protocol(this.info, { capabilities: { tools: {}, resources: {} } });
    server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: [...this.tools].map(([name, { options }]) => ({ name, inputSchema: { type: 'object' as const }, ...options })),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, ctx) => {
      const tool = this.tools.get(params.name);
      if (!tool) throw new Error(`there is no tool ${params.name}`);
      const { _trailblazeContext: _, ...args } = params.arguments ?? {};
      try {
        const value = await tool.handler(args, ctx);
        const text = typeof value === 'string' ? value : JSON.stringify(value ?? {});
        return {
          content: [{ type: 'text' as const, text }],
          ...(typeof value === 'object' && { structuredContent: value }),
        };
      } catch (error) {
        return { isError: true, content: [{ type: 'text' as const, text: error instanceof Error ? error.message : `${error}` }] };
      }
    });
    server.setRequestHandler(ListResourcesRequestSchema, async () => ({
      resources: [...this.resources.keys()].map((uri) => ({ uri, name: uri })),
    }));
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
      const read = this.resources.get(uri);
      if (!read) throw new Error(`there is no resource ${uri}`);
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(await read()) }] };
    });
    return server;
  }
}
