import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type CallContext, type CallOptions, type Event } from './commands.js';
import { answerOf, frame, lost, messagesOf, noAnswer, noContext } from './connect.js';
import { metaOf, Sampling } from './context.js';
import { Canceled, TrailblazeError, Unavailable } from './errors.js';
import { find, type Place } from './find.js';
import { Finders } from './locators.js';

export type * from './commands.js';
export * from './errors.js';
export { expect, type Expectation, Locator, type Selector } from './locators.js';

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

/** Drives a device. `web`, `mobile` and `desktop` are null when the device has no such backend. */
export class TrailblazeClient extends Finders {
  readonly meta?: CallContext;
  /** Asks the model that Trailblaze was given, in the call that the client is of. */
  readonly sampling: Sampling;
  /** Why the calls are made: the step that they belong to in a recording. */
  intent?: string;
  platform: string;
  private readonly session?: string;
  /** a client of its own has a device of its own */
  private readonly clientId = `tb_${Array.from(randomBytes(26), (b) => 'abcdefghijklmnopqrstuvwxyz234567'[b % 32]).join('')}`;
  private place?: Promise<Place>;
  /** on whose device it acts, undefined on that of the call */
  private actor?: string;

  constructor(private readonly options: Options = {}, private readonly context?: any) {
    super((procedure, args) => this.send(procedure, args), (procedure, args) => this.receive(procedure, args));
    this.meta = context === undefined ? undefined : metaOf(context);
    this.sampling = new Sampling(context, this.meta);
    this.intent = options.intent;
    this.platform = this.meta?.device?.platform?.toLowerCase() ?? 'web';
    this.session = options.session ?? this.meta?.sessionId;
  }

  /** Finds the daemon, or starts it, and learns what the device is. */
  static async connect(options: Options = {}): Promise<TrailblazeClient> {
    const client = new TrailblazeClient(options);
    client.platform = (await client.tools.getBackends()).platform ?? 'web';
    return client;
  }

  /** The client of the call that a tool carries out: it acts in its session, on its device. */
  static fromContext(ctx: unknown, options: Options = {}): TrailblazeClient {
    return new TrailblazeClient({ signal: (ctx as { signal?: AbortSignal })?.signal, ...options }, ctx ?? {});
  }

  /** The device of another actor of the trail that is played; platform is that of the call's own device, unless it is given. */
  on(actor: string, platform = this.platform): TrailblazeClient {
    if (!this.meta?.invocationId) throw noContext();
    const other = new TrailblazeClient(this.options, this.context);
    other.actor = actor;
    other.platform = platform;
    return other;
  }

  /** Calls any tool by its name, and gives its value, or its text when it has none. */
  async callTool<T = unknown>(name: string, args: object = {}): Promise<T> {
    const { result = {}, call } = await this.tools.callTool({ name, argsJson: JSON.stringify(args) });
    const text = () => (call?.content ?? []).map((part) => part.text).filter(Boolean).join('\n');
    return ('value' in result ? result.value : text()) as T;
  }

  /** The events of a session in order, each once, until it ends. A connection that is lost is made anew. */
  async *events(session = this.session ?? '', { after = 0 as number | string, follow = true } = {}): AsyncGenerator<Event> {
    for (let came = true; ; came = false) { // a second loss without an event between them is an error
      try {
        const stream = this.sessions.watchEvents({ sessionId: session, after: `${after}`, noFollow: !follow });
        for await (const { event = {} } of stream) {
          after = event.seq ?? after;
          came = true;
          yield event;
        }
        return;
      } catch (error) {
        if (!came || !(error instanceof Unavailable)) throw error;
        this.place = undefined;
      }
    }
  }

  /** A request with what the client says of each of its calls. */
  private filled(args: object): object {
    const { device, workspace, secrets } = this.options;
    const called = this.meta?.baseUrl !== undefined; // an older context names a device of the daemon
    const invocationId = this.actor ? `${this.meta?.invocationId}@${this.actor}` : this.meta?.invocationId;
    const own = called ? { workspace, invocationId }
      : { workspace: resolve(workspace ?? ''), clientId: this.clientId };
    const options = { client: 'typescript', secrets, intent: this.intent, ...own };
    return { deviceId: device ?? (called ? undefined : this.meta?.device?.id), sessionId: this.session, options, ...args };
  }

  private async send(procedure: string, args: object): Promise<any> {
    const { timeoutMs = 120_000, signal } = this.options;
    const body = JSON.stringify(this.filled(args));
    const headers = { 'Content-Type': 'application/json', 'Connect-Protocol-Version': '1', 'Connect-Timeout-Ms': `${timeoutMs}` };
    const late = AbortSignal.timeout(timeoutMs + 5_000);
    const either = signal ? AbortSignal.any([signal, late]) : late;
    try {
      return await answerOf(procedure, await this.post(procedure, { body, headers, signal: either }));
    } catch (error) {
      if (late.aborted && !signal?.aborted) throw noAnswer(`${timeoutMs} ms`);
      throw this.failed(error);
    }
  }

  private async *receive(procedure: string, args: { call?: object }): AsyncGenerator<any> {
    if (args.call) args = { call: this.filled(args.call) };
    const headers = { 'Content-Type': 'application/connect+json' };
    try {
      yield* messagesOf(await this.post(procedure, { body: frame(args), headers, signal: this.options.signal }));
    } catch (error) {
      throw this.failed(error);
    }
  }

  private async post(procedure: string, request: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    this.place ??= this.meta?.baseUrl ? Promise.resolve({ url: this.meta.baseUrl! }) : find(this.options);
    const { url, token } = await this.place;
    const headers = { ...request.headers, ...(token && { Authorization: `Bearer ${token}` }) };
    return fetch(`${url}/${procedure}`, { method: 'POST', ...request, headers });
  }

  /** The error of a call: what it says itself, or why it has no answer. */
  private failed(error: any): TrailblazeError {
    if (error instanceof TrailblazeError) return error;
    if (this.options.signal?.aborted) return new Canceled({ kind: 'canceled', message: 'the call was called off' });
    return lost(error?.cause?.message ?? error?.message);
  }
}
