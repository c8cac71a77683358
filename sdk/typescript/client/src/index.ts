import {
  type CallInfo, type Caller, DesktopCommands, ManagementCommands, MobileCommands, TrailblazeCommands, WebCommands,
} from './commands.js';
import { Canceled, errorOf, InvalidCall, refused, TimedOut, Unavailable } from './errors.js';
import { find, type Place } from './find.js';

export type * from './commands.js';
export * from './errors.js';

/** What Trailblaze sends along with the call of a tool, in `_meta.trailblaze`. */
export interface Meta {
  baseUrl: string;
  sessionId: string;
  invocationId: string;
  device?: { id: string; platform: string; width: number; height: number; driverType: string };
  memory: Record<string, unknown>;
  target?: { id: string; displayName?: string; resolvedBaseUrl?: string };
  capabilities: { sampling?: boolean };
}

export interface Options {
  /** of the daemon, with its token; without both the daemon is found, or started */
  address?: string;
  token?: string;
  /** the program `trailblaze`; default: TRAILBLAZE_BIN, or the one in PATH */
  binary?: string;
  device?: string;
  session?: string;
  /** absolute path of the project; its tools, policy and settings hold */
  workspace?: string;
  /** why the calls are made: the step that they belong to in a recording */
  intent?: string;
  /** of each call, in ms; default 120000 */
  timeoutMs?: number;
  /** ends the calls that run, and refuses further ones */
  signal?: AbortSignal;
}

/** The context of the call that a tool carries out, as the official SDK hands it over. */
function metaOf(ctx: any): Meta {
  const meta = ctx?._meta ?? ctx?.mcpReq?._meta ?? ctx?.requestInfo?._meta ?? ctx?.params?._meta;
  const found = meta?.trailblaze ?? meta?._trailblaze;
  if (!found?.baseUrl) {
    throw new InvalidCall({
      kind: 'invalid', message: 'the call has no _meta.trailblaze with an address to call back',
      hint: 'Call the tool through Trailblaze, or use TrailblazeClient.connect().',
    });
  }
  return found;
}

/** Drives a device. `web`, `mobile` and `desktop` are null when the device has no such backend. */
export class TrailblazeClient extends TrailblazeCommands {
  readonly meta?: Meta;
  readonly manage: ManagementCommands;
  /** Why the calls are made: the step that they belong to in a recording. */
  intent?: string;
  platform: string;
  private place?: Promise<Place>;

  constructor(private readonly options: Options = {}, meta?: Meta) {
    const call: Caller = (procedure, args) => this.send(procedure, args);
    super(call);
    this.meta = meta;
    this.intent = options.intent;
    this.platform = meta?.device?.platform.toLowerCase() ?? 'web';
    this.manage = new ManagementCommands(call);
  }

  /** Finds the daemon, or starts it, and learns what the device is. */
  static async connect(options: Options = {}): Promise<TrailblazeClient> {
    const client = new TrailblazeClient(options);
    client.platform = (await client.send('trailblaze.v1.ToolService/GetBackends', {})).platform;
    return client;
  }

  /** The client of the call that a tool carries out: it acts in its session, on its device. */
  static fromContext(ctx: unknown, options: Options = {}): TrailblazeClient {
    return new TrailblazeClient({ signal: (ctx as { signal?: AbortSignal })?.signal, ...options }, metaOf(ctx));
  }

  get web(): WebCommands | null {
    return this.platform === 'web' ? new WebCommands(this.call) : null;
  }

  get mobile(): MobileCommands | null {
    return ['android', 'ios'].includes(this.platform) ? new MobileCommands(this.call) : null;
  }

  get desktop(): DesktopCommands | null {
    return this.platform === 'desktop' ? new DesktopCommands(this.call) : null;
  }

  /** Calls any tool by its name, and gives its value, or its text when it has none. */
  async callTool<T = unknown>(name: string, args: object = {}): Promise<T> {
    const { result, call } = await this.send(callTool, { name, args });
    const text = () => ((call as CallInfo)?.content ?? []).map((part) => part.text ?? '').join('');
    return (result && 'value' in result ? result.value : text()) as T;
  }

  private async send(procedure: string, args: object): Promise<any> {
    this.place ??= this.meta
      ? Promise.resolve({ url: this.meta.baseUrl })
      : find(this.options.address, this.options.token, this.options.binary);
    const { url, token } = await this.place;
    const { device, session, workspace, timeoutMs = 120_000, signal } = this.options;
    const { invocationId, sessionId } = this.meta ?? {};
    const options = { client: 'typescript', workspace, intent: this.intent, invocationId };
    const late = AbortSignal.timeout(timeoutMs + 5_000);
    let response: Response;
    let body: any;
    try {
      response = await fetch(`${url}/${procedure}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json', 'Connect-Protocol-Version': '1', 'Connect-Timeout-Ms': `${timeoutMs}`,
          ...(token && { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ deviceId: device, sessionId: session ?? sessionId, options, ...args }),
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      body = await response.json();
    } catch (error: any) {
      if (signal?.aborted) throw new Canceled({ kind: 'canceled', message: 'the call was called off' });
      if (late.aborted) throw new TimedOut({ kind: 'timeout', message: `no answer within ${timeoutMs} ms` });
      throw new Unavailable({
        kind: 'unavailable', message: `the daemon cannot be reached: ${error?.cause?.message ?? error?.message}`,
        hint: 'See `trailblaze daemon status`. After it started again, connect anew.',
      });
    }
    if (!response.ok) throw refused(response.status, body);
    const failure = procedure === callTool ? body.result?.failure : body.failure;
    if (failure) throw errorOf(failure);
    return body;
  }
}

const callTool = 'trailblaze.v1.ToolService/CallTool';
