import { type CallInfo, type CallOptions, Device, type Event } from './commands.js';
import { Canceled, TimedOut, TrailblazeError, Unavailable, Unsupported } from './errors.js';
import { find, type Place } from './find.js';
import { errorOf, frame, frames, type Meta, metaOf, refused } from './wire.js';

export type * from './commands.js';
export * from './errors.js';
export type { Meta } from './wire.js';

export interface Options extends Pick<CallOptions, 'workspace' | 'intent' | 'secrets'> {
  /** of the daemon, with its token; without both the daemon is found, or started */
  address?: string;
  token?: string;
  /** the program `trailblaze`; default: TRAILBLAZE_BIN, or the one in PATH */
  binary?: string;
  device?: string;
  session?: string;
  /** of each call, in ms; default 120000 */
  timeoutMs?: number;
  /** ends the calls that run, and refuses further ones */
  signal?: AbortSignal;
}

const callTool = 'trailblaze.v1.ToolService/CallTool';
const backends = 'trailblaze.v1.ToolService/GetBackends';
const watch = 'trailblaze.v1.SessionService/WatchEvents';

/** Drives a device. `web`, `mobile` and `desktop` are null when the device has no such backend. */
export class TrailblazeClient extends Device {
  readonly meta?: Meta;
  /** Why the calls are made: the step that they belong to in a recording. */
  intent?: string;
  platform: string;
  private place?: Promise<Place>;

  constructor(private readonly options: Options = {}, private readonly context?: any) {
    super((procedure, args) => this.send(procedure, args));
    this.meta = context === undefined ? undefined : metaOf(context);
    this.intent = options.intent;
    this.platform = this.meta?.device?.platform.toLowerCase() ?? 'web';
  }

  /** Finds the daemon, or starts it, and learns what the device is. */
  static async connect(options: Options = {}): Promise<TrailblazeClient> {
    const client = new TrailblazeClient(options);
    client.platform = (await client.send(backends, {})).platform;
    return client;
  }

  /** The client of the call that a tool carries out: it acts in its session, on its device. */
  static fromContext(ctx: unknown, options: Options = {}): TrailblazeClient {
    return new TrailblazeClient({ signal: (ctx as { signal?: AbortSignal })?.signal, ...options }, ctx ?? {});
  }

  /** Calls any tool by its name, and gives its value, or its text when it has none. */
  async callTool<T = unknown>(name: string, args: object = {}): Promise<T> {
    const { result, call } = await this.send(callTool, { name, argsJson: JSON.stringify(args) });
    const text = () => ((call as CallInfo)?.content ?? []).map((part) => part.text).filter(Boolean).join('\n');
    return (result && 'value' in result ? result.value : text()) as T;
  }

  /** The events of a session in order, each once, until it ends. A connection that is lost is made anew. */
  async *events(session = this.sessionId, { after = 0, follow = true } = {}): AsyncGenerator<Event> {
    for (let came = true; ; came = false) { // a second loss without an event between them is an error
      try {
        const body = frame({ sessionId: session, after, noFollow: !follow });
        const response = await this.post(watch, body, { 'Content-Type': 'application/connect+json' }, this.options.signal);
        if (!response.ok || !response.body) throw refused(response.status, await response.json().catch(() => null));
        for await (const { event } of frames(response.body)) {
          after = Number(event.seq);
          came = true;
          yield event;
        }
        return;
      } catch (error) {
        if (error instanceof TrailblazeError && !(error instanceof Unavailable)) throw error;
        if (this.options.signal?.aborted) throw new Canceled({ kind: 'canceled', message: 'the stream was called off' });
        if (!came) throw lost(error);
        this.place = undefined;
      }
    }
  }

  /** Asks the model that Trailblaze was given, in the call that the client is of, by MCP's sampling. */
  async createMessage(
    messages: { role: 'user' | 'assistant'; content: string }[],
    { includeScreenshot = false, maxTokens = 1000, systemPrompt }: { includeScreenshot?: boolean; maxTokens?: number; systemPrompt?: string } = {},
  ): Promise<{ content: string; model: string }> {
    const send = this.context?.sendRequest ?? this.context?.mcpReq?.send;
    if (!send || !this.meta?.capabilities?.sampling) {
      throw new Unsupported({
        kind: 'unsupported', message: 'this call may not ask the model',
        hint: 'Write sampling: true to the server in trailblaze.yaml, and configure a model.',
      });
    }
    const { CreateMessageResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const { content, model } = await send({
      method: 'sampling/createMessage',
      params: {
        messages: messages.map(({ role, content: text }) => ({ role, content: { type: 'text', text } })),
        maxTokens, systemPrompt, metadata: { includeScreenshot }, _meta: { trailblazeInvocationId: this.meta.invocationId },
      },
    }, CreateMessageResultSchema);
    return { content: content.text ?? '', model };
  }

  private get sessionId(): string | undefined {
    return this.options.session ?? this.meta?.sessionId;
  }

  private async send(procedure: string, args: object): Promise<any> {
    const { device, workspace, secrets, timeoutMs = 120_000, signal } = this.options;
    const options = { client: 'typescript', workspace, secrets, intent: this.intent, invocationId: this.meta?.invocationId };
    const late = AbortSignal.timeout(timeoutMs + 5_000);
    let response: Response;
    let body: any;
    try {
      response = await this.post(procedure, JSON.stringify({ deviceId: device, sessionId: this.sessionId, options, ...args }),
        { 'Content-Type': 'application/json', 'Connect-Timeout-Ms': `${timeoutMs}` },
        signal ? AbortSignal.any([signal, late]) : late);
      body = await response.json();
    } catch (error) {
      if (error instanceof TrailblazeError) throw error;
      if (signal?.aborted) throw new Canceled({ kind: 'canceled', message: 'the call was called off' });
      if (late.aborted) throw new TimedOut({ kind: 'timeout', message: `no answer within ${timeoutMs} ms` });
      throw lost(error);
    }
    if (!response.ok) throw refused(response.status, body);
    const failure = procedure === callTool ? body.result?.failure : body.failure;
    if (failure) throw errorOf(failure);
    return body;
  }

  private async post(
    procedure: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>, signal?: AbortSignal,
  ): Promise<Response> {
    const { address, token: own, binary } = this.options;
    this.place ??= this.meta ? Promise.resolve({ url: this.meta.baseUrl }) : find(address, own, binary);
    const { url, token } = await this.place;
    return fetch(`${url}/${procedure}`, {
      method: 'POST', body, signal,
      headers: { 'Connect-Protocol-Version': '1', ...headers, ...(token && { Authorization: `Bearer ${token}` }) },
    });
  }
}

function lost(error: any): Unavailable {
  return new Unavailable({
    kind: 'unavailable', message: `the daemon cannot be reached: ${error?.cause?.message ?? error?.message}`,
    hint: 'See `trailblaze daemon status`. After it started again, connect anew.',
  });
}
