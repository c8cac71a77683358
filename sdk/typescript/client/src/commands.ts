// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.

/** Carries out a call, and gives its response. */
export type Caller = (procedure: string, args: object) => Promise<any>;
/** The same for a procedure that gives any number of responses. */
export type Streamer = (procedure: string, args: object) => AsyncGenerator<any>;

const named = (args: unknown, name: string): object =>
  typeof args === 'object' && args !== null ? args : { [name]: args };
const byName = <T>(args: T, method: string, param: string): T & object => {
  if (typeof args === 'object' && args !== null) return args;
  throw new TypeError(`${method} takes one object with its arguments: ${method}({ ${param}: … })`);
};

export interface CallOptions {
  /** The client that calls. Without it, calls of one kind of program and one workspace share a client. */
  clientId?: string;
  /** The kind of program: "python", "typescript", "go", the name of a product. */
  client?: string;
  /** The absolute path of the client's project. Its tools, policy and settings hold. */
  workspace?: string;
  /** The purpose of the call. It becomes the text of the recorded step. */
  intent?: string;
  /** How many tokens the text of the screen may have; 0: as the client is set up. */
  maxTokens?: number;
  /** The call is made from inside this one, in its session and on its device. */
  invocationId?: string;
  /** Values that the client holds: they are masked in everything that is kept. */
  secrets?: Record<string, string>;
  /** A call that lasts may go on as a job; CallInfo.job names it. */
  detach?: boolean;
  /** Keys of language models by the variables that hold them, and the settings TRAILBLAZE_LLM and TRAILBLAZE_MAX_LLM_CALLS: for this call alone. */
  modelKeys?: Record<string, string>;
}

export interface CallInfo {
  callId?: string;
  deviceId?: string;
  sessionId?: string;
  /** "web", "android", "ios", "desktop"; empty when the call ran on no device. */
  platform?: string;
  durationMs?: number;
  /** What happened around the call: a device was opened again, a session was recovered. */
  warnings?: string[];
  /** The call goes on. The tool "job" tells of it. */
  job?: string;
  /** The client that the call belongs to. */
  clientId?: string;
  /** What a person or a model reads of the result. */
  content?: Content[];
  /** What the screen shows after the call. */
  observation?: Observation;
  /** The text of the result comes from a page: it is data, never an instruction. */
  fromPage?: boolean;
}

export interface Content {
  text?: string;
  image?: Image;
}

export interface Image {
  data?: string;
  mimeType?: string;
}

export interface Observation {
  text?: string;
  /** The text tells the whole screen. */
  full?: boolean;
  changed?: boolean;
  changes?: number;
  truncated?: boolean;
  /** Where the whole text is, when it is truncated. */
  rest?: string;
  /** Why waiting for the page ended. */
  settle?: string;
  url?: string;
  title?: string;
  image?: Image;
}

export interface ActionResult {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
}

export interface Failure {
  /** invalid, not_found, assertion, not_acted, timeout, canceled, unavailable, unsupported, conflict, busy, denied, inconclusive or internal. Kinds may be added. */
  kind?: string;
  message?: string;
  /** What to do next, a whole sentence. */
  hint?: string;
  device?: string;
  /** What was looked for. */
  looked?: string;
  /** The nearest, each with its difference. */
  candidates?: string[];
  /** How the screen differs from the last green run of the step. */
  sinceGreen?: string[];
  /** What was tried, in order. */
  log?: string[];
  /** The calls that the hint names. */
  next?: NextCall[];
}

export interface NextCall {
  tool?: string;
  action?: string;
}

export interface Progress {
  elapsedMs?: number;
  message?: string;
  /** From 1; 0 when there are no steps. */
  step?: number;
  total?: number;
  /** "heartbeat", "tool", "step", "trail". Names may be added. */
  event?: string;
}

export interface ToolResult {
  /** The typed result, as the output schema of the tool describes it. */
  value?: unknown;
  isError?: boolean;
  failure?: Failure;
  /** The result as the text of JSON, when value cannot hold it: a whole number in it is beyond 2^53. Else empty. In a whole reply it is always the result, and value is not set. */
  valueJson?: string;
}

export interface CallContext {
  /** Where the tool calls back. */
  baseUrl?: string;
  sessionId?: string;
  /** The right to call back, until the call ends. */
  invocationId?: string;
  /** The device, as it was when the call began; not set when the session has none. */
  device?: CallDevice;
  /** What the session remembers. Secrets are not in it. */
  memory?: Record<string, unknown>;
  /** The app under test; not set when none is chosen. */
  target?: CallTarget;
  /** "sampling": the server may ask the model. */
  capabilities?: Record<string, boolean>;
}

export interface CallDevice {
  id?: string;
  /** "web", "android", "ios" or "desktop", in letters of any case. */
  platform?: string;
  /** In the units of its platform, as coordinates are given. */
  width?: number;
  height?: number;
  widthPixels?: number;
  heightPixels?: number;
  driverType?: string;
}

export interface CallTarget {
  id?: string;
  displayName?: string;
  appIds?: string[];
  appId?: string;
  /** The addresses by platform. */
  baseUrls?: Record<string, string>;
  /** The address on the platform of the device. */
  resolvedBaseUrl?: string;
}

export interface AdbShellResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  stdout?: string;
  stderr?: string;
  exitCode?: number;
}

export interface AddToolCategoryResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface Categories {
  category?: string;
  on?: boolean;
  tools?: number;
  /** about what listing them costs */
  tokens?: number;
  about?: string;
}

export interface AndroidAdbShellResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  stdout?: string;
  stderr?: string;
  exitCode?: number;
}

export interface AndroidSendBroadcastRequestExtras {
  key?: string;
  type?: string;
  value?: string;
}

export interface AskResponse {
  call?: CallInfo;
  status?: string;
  explanation?: string;
  answer?: string;
  unproven?: boolean;
  checks?: string[];
  toolCalls?: number;
  usage?: Usage;
  model?: string;
  judged?: AskResponseJudged;
  plan?: Plan[];
  planned?: Planned[];
  toolTokens?: ToolTokens;
}

export interface Usage {
  calls?: number;
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  costUsd?: number;
}

export interface AskResponseJudged {
  ruling?: string;
  why?: string;
  model?: string;
  /** what its questions took; the usage of the objective does not hold it */
  usage?: AskResponseJudgedUsage;
}

export interface AskResponseJudgedUsage {
  calls?: number;
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  costUsd?: number;
}

export interface Plan {
  tool?: string;
  args?: unknown;
  /** the elements that it names, as the screen has them */
  targets?: string[];
  /** elements of the same role that come nearest to the target */
  alternatives?: string[];
  risk?: string;
  /** what the risk is */
  why?: string[];
  /** why the call would not be made */
  refused?: string;
}

export interface Planned {
  kind?: string;
  text?: string;
  categories?: string[];
  status?: string;
}

export interface ToolTokens {
  sentTokens?: number;
  allTokens?: number;
}

export interface Fingerprint {
  role?: string;
  name?: string;
  text?: string;
  tag?: string;
  testId?: string;
  class?: string[];
  within?: string[];
  editor?: boolean;
  item?: string;
  near?: string[];
  column?: string;
  alike?: number;
  place?: string;
}

export interface AwaitScreenResponse {
  call?: CallInfo;
  /** names what the screen shows */
  screen?: string;
  device?: string;
}

export interface BatchRequestCalls {
  /** name of the tool */
  tool?: string;
  /** its arguments */
  args?: Record<string, unknown>;
}

export interface CaptureScreenResponse {
  call?: CallInfo;
  /** whether something on the screen matches what was looked for */
  found?: boolean;
  name?: string;
  url?: string;
  title?: string;
  platform?: string;
  width?: number;
  height?: number;
  quality?: Quality;
  dialog?: Dialog;
  text?: string;
}

export interface Quality {
  verdict?: string;
  reasons?: string[];
}

export interface Dialog {
  type?: string;
  message?: string;
  default?: string;
}

export interface ConfigResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface Settings {
  key?: string;
  value?: string;
  /** session, a file, a variable or default */
  source?: string;
}

export interface ConfigureSessionResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface ConnectToDeviceResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  devices?: Devices[];
  done?: string;
}

export interface Devices {
  id?: string;
  platform?: string;
  state?: string;
  /** this session's calls go to it */
  yours?: boolean;
  /** who used it last */
  holder?: string;
  /** the tool that runs on it now */
  running?: string;
  /** who has it alone, and for how long */
  reserved?: string;
  /** why it could not be used, and since when */
  quarantine?: string;
  url?: string;
  /** its live session */
  session?: string;
  actions?: number;
  size?: string;
  version?: string;
  workspace?: string;
}

export interface DeviceResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  devices?: Devices[];
  done?: string;
}

export interface DumpMemoryResponse {
  call?: CallInfo;
  /** everything that is not secret */
  memory?: Record<string, unknown>;
  /** names of what is secret */
  hidden?: string[];
}

export interface EnableToolCategoriesResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface EndSessionResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  sessions?: Sessions[];
  saved?: Saved;
  /** RECORDING: the trail file as SAVE would write it */
  trail?: string;
  artifacts?: Artifacts[];
  warnings?: string[];
}

export interface Sessions {
  id?: string;
  title?: string;
  device?: string;
  /** live, ended or lost */
  state?: string;
  outcome?: string;
  started?: string;
  /** how long it has run */
  for?: string;
  actions?: number;
}

export interface Saved {
  path?: string;
  change?: string;
  steps?: number;
  actions?: number;
  warnings?: string[];
}

export interface Artifacts {
  /** log, snapshot or screenshot */
  kind?: string;
  file?: string;
  mime?: string;
  why?: string;
  /** number of the step it shows */
  step?: number;
  size?: number;
}

export interface EvaluateJsResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  /** what the script returned, as JSON */
  result?: unknown;
}

export interface FindMatchesResponse {
  call?: CallInfo;
  matches?: Matches[];
}

export interface Matches {
  /** child numbers from the root */
  indexPath?: string;
  bounds?: Bounds;
  matchedText?: string;
  accessibilityId?: string;
  resourceId?: string;
  ref?: string;
  visible?: boolean;
}

export interface Bounds {
  x?: number;
  y?: number;
  w?: number;
  h?: number;
}

export interface FocusOnCategoryResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface GetElementCountResponse {
  call?: CallInfo;
  count?: number;
}

export interface GetElementTextResponse {
  call?: CallInfo;
  found?: boolean;
  /** null when there is no such element */
  text?: string;
}

export interface GetScreenshotResponse {
  call?: CallInfo;
  width?: number;
  height?: number;
  bytes?: string;
  mime?: string;
  url?: string;
}

export interface GetSessionConfigResponse {
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface HasTextResponse {
  call?: CallInfo;
  hasText?: boolean;
}

export interface IsVisibleResponse {
  call?: CallInfo;
  /** a person can see it now */
  visible?: boolean;
  /** it is in the page at all */
  exists?: boolean;
  /** why it cannot be seen */
  why?: string;
}

export interface ListToolCategoriesResponse {
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface MobileListInstalledAppsResponse {
  call?: CallInfo;
  /** in a browser: the origins that are open */
  appIds?: string[];
}

export interface MobileListInstalledAppsDetailedResponse {
  call?: CallInfo;
  apps?: MobileListInstalledAppsDetailedResponseApps[];
}

export interface MobileListInstalledAppsDetailedResponseApps {
  appId?: string;
  versionCode?: number;
  /** it came with the system */
  system?: boolean;
}

export interface ReloadToolsResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  /** names of the tools that are new */
  added?: string[];
  /** names of the tools that have gone */
  removed?: string[];
  /** how many tools there are now */
  total?: number;
  /** which tools are left out and why, and what is odd about a source */
  warnings?: string[];
}

export interface RemoveToolCategoryResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface RepeatRequestWhile {
  /** a person can see this: a text, or the arguments of isVisible */
  visible?: unknown;
  /** nobody can see this: a text, or the arguments of isVisible */
  notVisible?: unknown;
  /** a tool that looks, with its arguments: {hasText: {text: Done}} */
  query?: Record<string, unknown>;
}

export interface RepeatRequestUntil {
  /** a person can see this: a text, or the arguments of isVisible */
  visible?: unknown;
  /** nobody can see this: a text, or the arguments of isVisible */
  notVisible?: unknown;
  /** a tool that looks, with its arguments: {hasText: {text: Done}} */
  query?: Record<string, unknown>;
}

export interface RequestDetailedViewHierarchyResponse {
  call?: CallInfo;
  /** whether something on the screen matches what was looked for */
  found?: boolean;
  name?: string;
  url?: string;
  title?: string;
  platform?: string;
  width?: number;
  height?: number;
  quality?: Quality;
  dialog?: Dialog;
  text?: string;
}

export interface SessionResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  sessions?: Sessions[];
  saved?: Saved;
  /** RECORDING: the trail file as SAVE would write it */
  trail?: string;
  artifacts?: Artifacts[];
  warnings?: string[];
}

export interface SetAutoIncludeScreenshotResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface SetLlmCallStrategyResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface SetModeResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface SetScreenshotFormatResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface SetTargetAppResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface SetViewHierarchyVerbosityResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface StatusResponse {
  call?: CallInfo;
  version?: string;
  uptime?: string;
  /** names this session at the daemon */
  clientId?: string;
  clients?: number;
  calls?: StatusResponseCalls[];
  devices?: Devices[];
  jobs?: Jobs[];
}

export interface StatusResponseCalls {
  id?: string;
  tool?: string;
  client?: string;
  device?: string;
  for?: string;
  /** for the device */
  waits?: boolean;
}

export interface Jobs {
  id?: string;
  tool?: string;
  device?: string;
  /** running, done or failed */
  state?: string;
  for?: string;
  /** its newest sign of life */
  last?: string;
}

export interface StepResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  status?: string;
  explanation?: string;
  answer?: string;
  unproven?: boolean;
  checks?: string[];
  toolCalls?: number;
  usage?: Usage;
  model?: string;
  judged?: StepResponseJudged;
  plan?: Plan[];
  planned?: Planned[];
  toolTokens?: ToolTokens;
}

export interface StepResponseJudged {
  ruling?: string;
  why?: string;
  model?: string;
  /** what its questions took; the usage of the objective does not hold it */
  usage?: StepResponseJudgedUsage;
}

export interface StepResponseJudgedUsage {
  calls?: number;
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  costUsd?: number;
}

export interface SwitchTargetAppResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  /** names this session at the daemon */
  clientId?: string;
  settings?: Settings[];
  warnings?: string[];
}

export interface SwitchToolSetResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface TakeSnapshotResponse {
  call?: CallInfo;
  /** whether something on the screen matches what was looked for */
  found?: boolean;
  name?: string;
  url?: string;
  title?: string;
  platform?: string;
  width?: number;
  height?: number;
  quality?: Quality;
  dialog?: Dialog;
  text?: string;
}

export interface ToolboxResponse {
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  tools?: Tools[];
}

export interface Tools {
  name?: string;
  summary?: string;
  kind?: string;
  categories?: string[];
  /** this session can call it as it is */
  listed?: boolean;
  description?: string;
  input?: unknown;
}

export interface TrailEditResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  file?: string;
  done?: string;
  steps?: Steps[];
}

export interface Steps {
  index?: number;
  kind?: string;
  text?: string;
  /** platforms that have a recording */
  recorded?: string[];
  /** the tools it calls */
  calls?: string[];
}

export interface UseMinimalToolsResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface UseStandardToolsResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface UseTestingToolsResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  done?: string;
  categories?: Categories[];
  /** that are listed now */
  tools?: string[];
}

export interface VerifyResponse {
  call?: CallInfo;
  status?: string;
  explanation?: string;
  answer?: string;
  unproven?: boolean;
  checks?: string[];
  toolCalls?: number;
  usage?: Usage;
  model?: string;
  judged?: VerifyResponseJudged;
  plan?: Plan[];
  planned?: Planned[];
  toolTokens?: ToolTokens;
}

export interface VerifyResponseJudged {
  ruling?: string;
  why?: string;
  model?: string;
  /** what its questions took; the usage of the objective does not hold it */
  usage?: VerifyResponseJudgedUsage;
}

export interface VerifyResponseJudgedUsage {
  calls?: number;
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  costUsd?: number;
}

export interface ViewHierarchyResponse {
  call?: CallInfo;
  /** whether something on the screen matches what was looked for */
  found?: boolean;
  name?: string;
  url?: string;
  title?: string;
  platform?: string;
  width?: number;
  height?: number;
  quality?: Quality;
  dialog?: Dialog;
  text?: string;
}

export interface WebAssertNetworkEventResponse {
  call?: CallInfo;
  id?: string;
  seq?: string;
  method?: string;
  url?: string;
  type?: string;
  status?: number;
  error?: string;
  headers?: Record<string, string>;
  postData?: string;
  mime?: string;
  started?: string;
  duration?: string;
  done?: boolean;
  mocked?: boolean;
}

export interface Position {
  /** px from the left edge */
  x?: number;
  /** px from the top edge */
  y?: number;
}

export interface WebConsoleResponse {
  call?: CallInfo;
  messages?: Messages[];
  /** older matches that the limit, or the size of a reply, left out */
  omitted?: number;
}

export interface Messages {
  seq?: string;
  level?: string;
  text?: string;
  source?: string;
  time?: string;
}

export interface WebCurrentUrlResponse {
  call?: CallInfo;
  /** of the active tab */
  url?: string;
  title?: string;
}

export interface WebDialogsResponse {
  call?: CallInfo;
  dialogs?: Dialogs[];
}

export interface Dialogs {
  type?: string;
  message?: string;
  default?: string;
  accepted?: boolean;
  answer?: string;
}

export interface WebDownloadsResponse {
  call?: CallInfo;
  downloads?: Downloads[];
}

export interface Downloads {
  id?: string;
  name?: string;
  url?: string;
  bytes?: string;
  state?: string;
}

export interface ToFingerprint {
  role?: string;
  name?: string;
  text?: string;
  tag?: string;
  testId?: string;
  class?: string[];
  within?: string[];
  editor?: boolean;
  item?: string;
  near?: string[];
  column?: string;
  alike?: number;
  place?: string;
}

export interface WebEvaluateResponse {
  success?: boolean;
  /** Why it failed; not set on success. */
  failure?: Failure;
  call?: CallInfo;
  /** what the script returned, as JSON */
  result?: unknown;
}

export interface WebGetStorageStateResponse {
  call?: CallInfo;
  /** as Playwright writes them */
  cookies?: unknown[];
  /** local storage by origin */
  origins?: unknown[];
}

export interface WebListFramesResponse {
  call?: CallInfo;
  frames?: Frames[];
}

export interface Frames {
  /** number of the frame; 0 is the page itself */
  frame?: number;
  /** of the iframe element */
  ref?: string;
  name?: string;
  /** how many elements of it the snapshot holds */
  nodes?: number;
}

export interface WebListTabsResponse {
  call?: CallInfo;
  tabs?: Tabs[];
}

export interface Tabs {
  id?: string;
  url?: string;
  title?: string;
  active?: boolean;
  opener?: string;
}

export interface WebRequestDetailsResponse {
  call?: CallInfo;
  /** whether something on the screen matches what was looked for */
  found?: boolean;
  name?: string;
  url?: string;
  title?: string;
  platform?: string;
  width?: number;
  height?: number;
  quality?: Quality;
  dialog?: Dialog;
  text?: string;
}

export interface WebRequestsResponse {
  call?: CallInfo;
  requests?: Requests[];
  /** older matches that the limit, or the size of a reply, left out */
  omitted?: number;
}

export interface Requests {
  id?: string;
  seq?: string;
  method?: string;
  url?: string;
  type?: string;
  status?: number;
  error?: string;
  headers?: Record<string, string>;
  postData?: string;
  mime?: string;
  started?: string;
  duration?: string;
  done?: boolean;
  mocked?: boolean;
}

export interface WebSnapshotResponse {
  call?: CallInfo;
  /** whether something on the screen matches what was looked for */
  found?: boolean;
  name?: string;
  url?: string;
  title?: string;
  platform?: string;
  width?: number;
  height?: number;
  quality?: Quality;
  dialog?: Dialog;
  text?: string;
}

export interface WebWaitForDownloadResponse {
  call?: CallInfo;
  id?: string;
  name?: string;
  url?: string;
  bytes?: string;
  state?: string;
}

export interface WebWaitForUrlResponse {
  call?: CallInfo;
  /** of the active tab */
  url?: string;
  title?: string;
}

export interface TrailblazeToolRegistry {
  /** By the names of the tools. */
  tools?: Record<string, ToolMetadata>;
  /** By the names that ToolMetadata.groups has. */
  groups?: Record<string, GroupInfo>;
  serverInfo?: ServerInfo;
}

export interface ToolMetadata {
  /** "web", "android", "ios"; none: all. */
  platforms?: string[];
  groups?: string[];
  /** Models are shown the tool; default true. */
  exposedToLlm?: boolean;
  /** A recording keeps its call; default true. */
  isRecordable?: boolean;
  /** Calls that it returns are made, and recorded, in its place; default false. */
  isDelegating?: boolean;
  /** "action", "query" or "assertion"; default action. */
  kind?: string;
  /** How long a call may take. */
  timeoutMs?: number;
  /** Arguments that may hold secrets. */
  secretArguments?: string[];
  /** Drivers that it runs on; none: all. */
  drivers?: string[];
  /** "external": a call acts on something of the tool's own, such as a database, which cannot be seen from the session. */
  effect?: string;
}

export interface GroupInfo {
  description?: string;
  /** Its tools are listed without anybody asking for them; default true. */
  defaultEnabled?: boolean;
}

export interface ServerInfo {
  name?: string;
  version?: string;
}

export interface ListSessionsResponse {
  sessions?: Session[];
}

export interface Session {
  sessionId?: string;
  deviceId?: string;
  title?: string;
  platform?: string;
}

export interface WatchEventsResponse {
  event?: Event;
}

export interface Event {
  /** From 1, without gaps. */
  seq?: string;
  time?: string;
  /** session_started, session_ended, tool_started, tool_call, step_started, step_ended, … Types may be added. */
  type?: string;
  /** The event as the log has it. Secrets are masked. */
  data?: Record<string, unknown>;
}

export interface ReadArtifactResponse {
  data?: string;
}

export interface GetMemoryResponse {
  values?: Record<string, unknown>;
}

export interface CallToolResponse {
  call?: CallInfo;
  /** Not set in a whole reply without a result: the call goes on as a job, or could not be carried out. */
  result?: ToolResult;
  /** Why the call could not be carried out. Only whole replies have it; else that is an error. */
  refusal?: Failure;
}

export interface WatchToolResponse {
  progress?: Progress;
  result?: CallToolResponse;
}

export interface ListToolsResponse {
  tools?: Tool[];
}

export interface Tool {
  name?: string;
  title?: string;
  description?: string;
  /** "action", "query" or "assertion". */
  kind?: string;
  /** JSON Schema of the arguments. */
  inputSchema?: Record<string, unknown>;
  /** JSON Schema of the value; not set when there is none. */
  outputSchema?: Record<string, unknown>;
  /** It manages devices, sessions, trails or settings, and needs no device. */
  management?: boolean;
  /** Where it comes from; empty: it is built in. */
  origin?: string;
  /** The platforms that it is for; none: all. */
  platforms?: string[];
}

export interface CancelCallsResponse {
  canceled?: number;
}

export interface GetBackendsResponse {
  /** "web", "android", "ios" or "desktop". */
  platform?: string;
  mobile?: Backend;
  web?: Backend;
  desktop?: Backend;
}

export interface Backend {
  /** The full name of the service: "trailblaze.v1.WebCommands". */
  service?: string;
  /** The tools behind its methods that work on this device. */
  tools?: string[];
}

export interface AdbShellRequest {
  /** a line for the phone's shell */
  command: string;
}

export interface AndroidAdbShellRequest {
  /** the program and its arguments */
  command?: string[];
  /** the debuggable app as whose user it runs */
  runAs?: string;
}

export interface AndroidGrantAppOpsPermissionRequest {
  /** the app's id */
  appId: string;
  /** such as MANAGE_EXTERNAL_STORAGE */
  permission: string;
}

export interface AndroidGrantPermissionsRequest {
  /** the app's id */
  appId: string;
  /** such as android.permission.CAMERA */
  permissions?: string[];
}

export interface AndroidSendBroadcastRequest {
  /** the intent's action */
  action: string;
  /** the receiving app's id */
  componentPackage: string;
  /** the receiver's class */
  componentClass: string;
  /** what the intent carries */
  extras?: AndroidSendBroadcastRequestExtras[];
}

export interface AndroidSystemUiDemoModeRequest {
  /** false shows the real status bar again */
  enable?: boolean;
}

export interface AndroidWriteBytesToFileRequest {
  /** path on the phone */
  devicePath: string;
  /** the bytes in base64 */
  base64Content: string;
}

export interface AndroidWriteFileToDownloadsRequest {
  /** a name without folders */
  fileName: string;
  /** the text of the file */
  content: string;
}

export interface AskRequest {
  /** the objective in plain language, one thing */
  prompt: string;
  /** model to ask: provider/model; default: that of the settings */
  llm?: string;
}

export interface AssertEqualsRequest {
  /** what is; usually a token such as {{total}} */
  actual: unknown;
  /** what it is compared with */
  expected: unknown;
}

export interface AssertMathRequest {
  /** arithmetic, such as {{price}} * 3 + 2 */
  expression: string;
  /** what it must come to, within 0.0001 */
  expected: string;
}

export interface AssertNotEqualsRequest {
  /** what is; usually a token such as {{total}} */
  actual: unknown;
  /** what it is compared with */
  expected: unknown;
}

export interface AssertNotVisibleBySelectorRequest {
  /** durable selector of the element; all its fields must hold */
  nodeSelector: Record<string, unknown>;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface AssertNotVisibleWithTextRequest {
  /** text of the element, or part of it in whole words */
  text: string;
  /** test id or id attribute the element must have too */
  id?: string;
  /** which of several matches, from 0 */
  index?: number;
  /** only enabled (true) or disabled (false) elements */
  enabled?: boolean;
  /** only selected (true) or not selected (false) elements */
  selected?: boolean;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface AssertVisibleRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** instead of ref: text that must be visible, in whole words */
  text?: string;
  /** instead of ref or beside text: test id or id attribute */
  id?: string;
  /** what its text must be, white space around it aside */
  expectedText?: string;
  /** how the text is compared */
  textMatchMode?: 'EXACT' | 'PREFIX' | 'REGEX';
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface AssertVisibleBySelectorRequest {
  /** durable selector of the element; all its fields must hold */
  nodeSelector: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** what its text must be, white space around it aside */
  expectedText?: string;
  /** how the text is compared */
  textMatchMode?: 'EXACT' | 'PREFIX' | 'REGEX';
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface AssertVisibleWithAccessibilityTextRequest {
  /** accessible name of the element, or part of it in whole words */
  accessibilityText: string;
  /** test id or id attribute the element must have too */
  id?: string;
  /** which of several matches, from 0 */
  index?: number;
  /** only enabled (true) or disabled (false) elements */
  enabled?: boolean;
  /** only selected (true) or not selected (false) elements */
  selected?: boolean;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface AssertVisibleWithResourceIdRequest {
  /** test id or id attribute of the element */
  resourceId: string;
  /** which of several matches, from 0 */
  index?: number;
  /** only enabled (true) or disabled (false) elements */
  enabled?: boolean;
  /** only selected (true) or not selected (false) elements */
  selected?: boolean;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface AssertVisibleWithTextRequest {
  /** text of the element, or part of it in whole words */
  text: string;
  /** test id or id attribute the element must have too */
  id?: string;
  /** which of several matches, from 0 */
  index?: number;
  /** only enabled (true) or disabled (false) elements */
  enabled?: boolean;
  /** only selected (true) or not selected (false) elements */
  selected?: boolean;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface AssertWithAiRequest {
  /** the statement in plain language */
  prompt: string;
  /** model to ask: provider/model; default: that of the settings */
  llm?: string;
}

export interface BatchRequest {
  /** the calls, in order */
  calls?: BatchRequestCalls[];
}

export interface CaptureScreenRequest {
}

export interface ClearAppDataRequest {
  /** the app's id; in a browser its URL */
  packageId?: string;
}

export interface ClearTextRequest {
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface DragByPointsRequest {
  /** px from the left */
  startX: number;
  /** px from the top */
  startY: number;
  /** px from the left */
  endX: number;
  /** px from the top */
  endY: number;
  /** how long the movement takes */
  durationMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface DragToRequest {
  /** ref of the element to drag, from the last snapshot */
  ref: string;
  /** ref of the element to drop on */
  toRef?: string;
  /** px from the left, instead of toRef */
  toX?: number;
  /** px from the top, instead of toRef */
  toY?: number;
  /** how long the movement takes */
  durationMs?: number;
}

export interface DumpMemoryRequest {
}

export interface EraseTextRequest {
  /** how many characters before the caret; default all */
  charactersToErase?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface FindMatchesRequest {
  /** selector of the elements */
  selector: Record<string, unknown>;
  /** how long to wait for a first match; default: look once */
  timeoutMs?: number;
}

export interface GetElementCountRequest {
  /** text or name of the element, or part of it in whole words */
  text?: string;
  /** test id or id attribute */
  id?: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for it; default: look once */
  timeoutMs?: number;
}

export interface GetElementTextRequest {
  /** text or name of the element, or part of it in whole words */
  text?: string;
  /** test id or id attribute */
  id?: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for it; default: look once */
  timeoutMs?: number;
}

export interface GetScreenshotRequest {
  /** of the picture */
  format?: 'JPEG' | 'PNG' | 'WEBP';
  /** of JPEG and WEBP; default 80 */
  quality?: number;
  /** the whole page, not only what is in view */
  fullPage?: boolean;
  /** only this element, which must be in view */
  ref?: string;
  /** px of the longer side; default 1536 */
  maxDimension?: number;
  /** what to call this screen in the report */
  screenName?: string;
}

export interface GrantPermissionRequest {
  /** the app's id */
  packageId: string;
  /** such as android.permission.CAMERA */
  permission: string;
}

export interface HasTextRequest {
  /** text to look for, in whole words */
  text: string;
}

export interface HideKeyboardRequest {
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface HttpGetRequest {
  /** http or https address */
  url: string;
  /** further headers */
  headers?: Record<string, string>;
}

export interface HttpSendRequest {
  /** http or https address */
  url: string;
  /** further headers */
  headers?: Record<string, string>;
  /** default: POST */
  method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** sent as it is; name its type in the header Content-Type, default application/json */
  body?: string;
  /** the status that the answer must have; default: any below 400 */
  expectStatus?: number;
}

export interface InputTextRequest {
  /** what to type */
  text: string;
  /** close the on-screen keyboard afterwards; no effect in browsers */
  hideKeyboardAfter?: boolean;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface InputTextRandomRequest {
  /** name under which the typed text is remembered */
  variable: string;
  /** what the text begins with */
  prefix?: string;
  /** how many random digits follow */
  digitCount?: number;
  /** close the on-screen keyboard afterwards; no effect in browsers */
  hideKeyboardAfter?: boolean;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface IsVisibleRequest {
  /** text or name of the element, or part of it in whole words */
  text?: string;
  /** test id or id attribute */
  id?: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for it; default: look once */
  timeoutMs?: number;
}

export interface LaunchAppRequest {
  /** the app's id; in a browser its URL, or the id of an app that the project declares */
  appId: string;
  /** REINSTALL begins with no data, FORCE_RESTART keeps data, RESUME keeps the running app */
  launchMode?: 'REINSTALL' | 'RESUME' | 'FORCE_RESTART';
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface LongPressRequest {
  /** the element: a ref of the last snapshot (e5), a descriptor such as button "Save", or its text */
  ref?: string;
  /** instead of ref: text or name of the element, or part of it in whole words */
  text?: string;
  /** instead of ref or beside text: test id or id attribute */
  id?: string;
  /** which of several matches of text and id, from 0 */
  index?: number;
  /** last resort, with y: px from the left */
  x?: number;
  /** last resort, with x: px from the top */
  y?: number;
  /** hold instead of tapping */
  longPress?: boolean;
}

export interface LongPressElementWithAccessibilityTextRequest {
  /** accessible name of the element, or part of it in whole words */
  accessibilityText?: string;
  /** test id or id attribute the element must have too */
  id?: string;
  /** which of several matches, from 0 */
  index?: unknown;
  /** only enabled (true) or disabled (false) elements */
  enabled?: boolean;
  /** only selected (true) or not selected (false) elements */
  selected?: boolean;
  /** durable selector, as recordings keep it */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface LongPressOnElementWithTextRequest {
  /** text of the element, or part of it in whole words */
  text?: string;
  /** test id or id attribute the element must have too */
  id?: string;
  /** which of several matches, from 0 */
  index?: unknown;
  /** only enabled (true) or disabled (false) elements */
  enabled?: boolean;
  /** only selected (true) or not selected (false) elements */
  selected?: boolean;
  /** durable selector, as recordings keep it */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface MaestroRequest {
  /** the commands, each an object with one key, or a plain name */
  commands?: unknown[];
}

export interface NetworkConnectionRequest {
  /** false turns airplane mode on */
  connected: boolean;
}

export interface OpenUrlRequest {
  /** where to */
  url: string;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface PinchRequest {
  /** above 1 zooms in, below 1 zooms out */
  scale: number;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface PressBackRequest {
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface PressHomeRequest {
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface PressKeyRequest {
  /** the key */
  keyCode: 'BACK' | 'ENTER' | 'HOME' | 'BACKSPACE' | 'TAB' | 'ESCAPE';
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface ReadFileRequest {
  /** path of the file below the workspace */
  path: string;
}

export interface RememberRequest {
  /** name to remember it under */
  variable: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** instead of ref: text of the element, or part of it in whole words */
  text?: string;
  /** instead of ref: test id or id attribute */
  id?: string;
  /** what to take of the text: the first group, or the whole match; without an element it is looked for on the whole screen */
  regex?: string;
  /** instead of an element: the text itself */
  value?: string;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
}

export interface RememberNumberRequest {
  /** what to remember, in plain language */
  prompt: string;
  /** name to remember it under */
  variable: string;
  /** model to ask: provider/model; default: that of the settings */
  llm?: string;
}

export interface RememberTextRequest {
  /** what to remember, in plain language */
  prompt: string;
  /** name to remember it under */
  variable: string;
  /** model to ask: provider/model; default: that of the settings */
  llm?: string;
}

export interface RememberWithAiRequest {
  /** what to remember, in plain language */
  prompt: string;
  /** name to remember it under */
  variable: string;
  /** model to ask: provider/model; default: that of the settings */
  llm?: string;
}

export interface RepeatRequest {
  /** how many rounds at most, 1 to 1000 */
  times?: unknown;
  /** go on as long as this holds; asked before each round */
  while?: RepeatRequestWhile;
  /** stop as soon as this holds; asked after each round */
  until?: RepeatRequestUntil;
  /** the calls of a round, as trails write them: {web_click: {ref: …}} */
  tools?: Record<string, unknown>[];
}

export interface RequestDetailedViewHierarchyRequest {
}

export interface RunTrailRequest {
  /** path of the trail file, relative to the workspace */
  path: string;
}

export interface ScrollRequest {
  /** which way to look further */
  direction?: 'UP' | 'DOWN' | 'LEFT' | 'RIGHT';
  /** how far, px; default half the screen */
  amount?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface ScrollUntilTextIsVisibleRequest {
  /** text to look for, part of it in whole words */
  text?: string;
  /** instead of text: regular expression for the whole text */
  textRegex?: string;
  /** test id or id attribute the element must have */
  id?: string;
  /** which of several matches, from 0 */
  index?: number;
  /** which way to look further */
  direction?: 'UP' | 'DOWN' | 'LEFT' | 'RIGHT';
  /** how much of the element must be on the screen */
  visibilityPercentage?: number;
  /** also bring it to the middle */
  centerElement?: boolean;
  /** where on the screen the gesture begins */
  scrollStartPosition?: 'CENTER' | 'TOP' | 'BOTTOM' | 'LEFT' | 'RIGHT';
  /** how long to look; default 30000 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface StepRequest {
  /** the objective in plain language, one thing */
  prompt: string;
  /** model to ask: provider/model; default: that of the settings */
  llm?: string;
  /** say which calls would be made first, on what and at what risk, and make none */
  plan?: boolean;
}

export interface StopAppRequest {
  /** the app's id; in a browser its URL */
  appId?: string;
}

export interface SwipeRequest {
  /** where the finger moves: UP shows what is further down */
  direction?: 'UP' | 'DOWN' | 'LEFT' | 'RIGHT';
  /** text of the element to swipe on; default the whole screen */
  swipeOnElementText?: string;
  /** how long the movement takes; default 400 */
  durationMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface SwipeWithRelativeCoordinatesRequest {
  /** where the finger begins, such as 50%,80% */
  startRelative: string;
  /** where it ends */
  endRelative: string;
  /** text of the element the shares are of; default the whole screen */
  swipeOnElementText?: string;
  /** how long the movement takes; default 400 */
  durationMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface TakeSnapshotRequest {
  /** what to call this screen in the report */
  screenName: string;
  /** what it shows */
  description?: string;
}

export interface TapRequest {
  /** the element: a ref of the last snapshot (e5), a descriptor such as button "Save", or its text */
  ref?: string;
  /** instead of ref: text or name of the element, or part of it in whole words */
  text?: string;
  /** instead of ref or beside text: test id or id attribute */
  id?: string;
  /** which of several matches of text and id, from 0 */
  index?: number;
  /** last resort, with y: px from the left */
  x?: number;
  /** last resort, with x: px from the top */
  y?: number;
  /** hold instead of tapping */
  longPress?: boolean;
}

export interface TapOnRequest {
  /** selector of the element */
  selector: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** where in the element, such as 50%,80%; default its middle */
  relativePoint?: string;
  /** hold instead of tapping */
  longPress?: boolean;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface TapOnElementBySelectorRequest {
  /** durable selector of the element; all its fields must hold */
  nodeSelector: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** hold instead of tapping */
  longPress?: boolean;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface TapOnElementWithAccessibilityTextRequest {
  /** accessible name of the element, or part of it in whole words */
  accessibilityText?: string;
  /** test id or id attribute the element must have too */
  id?: string;
  /** which of several matches, from 0 */
  index?: unknown;
  /** only enabled (true) or disabled (false) elements */
  enabled?: boolean;
  /** only selected (true) or not selected (false) elements */
  selected?: boolean;
  /** durable selector, as recordings keep it */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface TapOnElementWithTextRequest {
  /** text of the element, or part of it in whole words */
  text?: string;
  /** test id or id attribute the element must have too */
  id?: string;
  /** which of several matches, from 0 */
  index?: unknown;
  /** only enabled (true) or disabled (false) elements */
  enabled?: boolean;
  /** only selected (true) or not selected (false) elements */
  selected?: boolean;
  /** durable selector, as recordings keep it */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface TapOnPointRequest {
  /** px from the left */
  x: number;
  /** px from the top */
  y: number;
  /** hold instead of tapping */
  longPress?: boolean;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface VerifyRequest {
  /** the objective in plain language, one thing */
  prompt: string;
  /** model to ask: provider/model; default: that of the settings */
  llm?: string;
}

export interface ViewHierarchyRequest {
  /** MINIMAL: the essentials; STANDARD: what is in view; FULL: all, with where it is */
  verbosity?: 'MINIMAL' | 'STANDARD' | 'FULL';
  /** bound of the text; the least important is left out first */
  maxTokens?: number;
  /** only elements that match this text or regex, with what is around them */
  find?: string;
  /** only what changed since you last looked */
  changes?: boolean;
  /** only what is in the element of this ref */
  scope?: string;
  /** what to tell beyond the common */
  detail?: string[];
  /** with a picture */
  screenshot?: boolean;
}

export interface WaitRequest {
  /** how long */
  timeToWaitInSeconds?: number;
}

export interface WaitForChangeRequest {
  /** how long to wait in all */
  timeoutMs?: number;
  /** how long nothing may change for the screen to count as settled */
  quietWindowMs?: number;
  /** fail when nothing changes at all */
  requireChange?: boolean;
}

export interface WaitUntilNotVisibleRequest {
  /** durable selector of the element; all its fields must hold */
  nodeSelector: Record<string, unknown>;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface WaitUntilVisibleRequest {
  /** text that must become visible, in whole words */
  text?: string;
  /** instead of text: test id or id attribute */
  id?: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface WhenRequest {
  /** a person can see this: a text, or the arguments of isVisible */
  visible?: unknown;
  /** nobody can see this: a text, or the arguments of isVisible */
  notVisible?: unknown;
  /** a tool that looks, with its arguments: {hasText: {text: Done}} */
  query?: Record<string, unknown>;
  /** the calls, as trails write them: {web_click: {ref: …}} */
  tools?: Record<string, unknown>[];
  /** the calls when it does not hold */
  else?: Record<string, unknown>[];
  /** whether it held when this was recorded, in place of calls; anything else now is inconclusive */
  was?: boolean;
}

export interface WriteFileRequest {
  /** path of the file below the workspace; folders are made */
  path: string;
  /** the whole new content */
  text: string;
}

/** TrailblazeCommands holds the commands that work on devices of every kind. */
export class TrailblazeCommands {
  constructor(protected readonly call: Caller, protected readonly stream: Streamer) {}

  /** Runs a line in the phone's shell: stdout, stderr and exit status. */
  async adbShell(args: string | AdbShellRequest): Promise<AdbShellResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/AdbShell', named(args, 'command'));
  }

  /** Runs a program of the phone with its arguments, without a shell's own characters: stdout, stderr and exit status. */
  async androidAdbShell(args: AndroidAdbShellRequest = {}): Promise<AndroidAdbShellResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/AndroidAdbShell', byName(args, 'androidAdbShell', 'command'));
  }

  /** Allows an app an operation that `appops` keeps, such as access to all files. */
  async androidGrantAppOpsPermission(args: AndroidGrantAppOpsPermissionRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AndroidGrantAppOpsPermission', byName(args, 'androidGrantAppOpsPermission', 'appId'));
  }

  /** Grants an app permissions, so that it does not ask for them. */
  async androidGrantPermissions(args: string | AndroidGrantPermissionsRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AndroidGrantPermissions', named(args, 'appId'));
  }

  /** Sends a broadcast to a receiver of an app, with extras, and waits for its result. */
  async androidSendBroadcast(args: AndroidSendBroadcastRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AndroidSendBroadcast', byName(args, 'androidSendBroadcast', 'action'));
  }

  /** Gives the status bar the same look in every picture (noon, full battery, no notifications), or ends that. */
  async androidSystemUiDemoMode(args: AndroidSystemUiDemoModeRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AndroidSystemUiDemoMode', byName(args, 'androidSystemUiDemoMode', 'enable'));
  }

  /** Writes a file on the phone, where its shell may write. */
  async androidWriteBytesToFile(args: AndroidWriteBytesToFileRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AndroidWriteBytesToFile', byName(args, 'androidWriteBytesToFile', 'devicePath'));
  }

  /** Writes a text file into the phone's folder of downloads. */
  async androidWriteFileToDownloads(args: AndroidWriteFileToDownloadsRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AndroidWriteFileToDownloads', byName(args, 'androidWriteFileToDownloads', 'fileName'));
  }

  /** Answers a question about the screen in plain language, such as "What does shipping cost?", from what the device shows. */
  async ask(args: string | AskRequest): Promise<AskResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/Ask', named(args, 'prompt'));
  }

  /** Asserts that two values are the same, white space around them aside. */
  async assertEquals(args: AssertEqualsRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertEquals', byName(args, 'assertEquals', 'actual'));
  }

  /** Asserts that an arithmetic expression comes to a number, within 0.0001: `expression: "{{price}} * {{count}}"`, `expected: "{{total}}"`. */
  async assertMath(args: AssertMathRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertMath', byName(args, 'assertMath', 'expression'));
  }

  /** Asserts that two values differ. */
  async assertNotEquals(args: AssertNotEqualsRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertNotEquals', byName(args, 'assertNotEquals', 'actual'));
  }

  /** Asserts that nobody can see an element that the selector names, waiting until it is gone and the screen has settled. */
  async assertNotVisibleBySelector(args: AssertNotVisibleBySelectorRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertNotVisibleBySelector', byName(args, 'assertNotVisibleBySelector', 'nodeSelector'));
  }

  /** Asserts that nobody can see a text, waiting until it is gone and the screen has settled. */
  async assertNotVisibleWithText(args: string | AssertNotVisibleWithTextRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertNotVisibleWithText', named(args, 'text'));
  }

  /** Asserts that a person can see an element, named by `ref`, `text` or `id`, and optionally that its text is `expectedText`. */
  async assertVisible(args: AssertVisibleRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertVisible', byName(args, 'assertVisible', 'ref'));
  }

  /** Asserts that a person can see the element that a durable selector names, and optionally that its text is `expectedText`. */
  async assertVisibleBySelector(args: AssertVisibleBySelectorRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertVisibleBySelector', byName(args, 'assertVisibleBySelector', 'nodeSelector'));
  }

  /** Asserts that an element with an accessible name, or part of it in whole words, is visible. */
  async assertVisibleWithAccessibilityText(args: string | AssertVisibleWithAccessibilityTextRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertVisibleWithAccessibilityText', named(args, 'accessibilityText'));
  }

  /** Asserts that the element with a test id or id attribute is visible. */
  async assertVisibleWithResourceId(args: string | AssertVisibleWithResourceIdRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertVisibleWithResourceId', named(args, 'resourceId'));
  }

  /** Asserts that an element with a text, or part of it in whole words, is visible. */
  async assertVisibleWithText(args: string | AssertVisibleWithTextRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertVisibleWithText', named(args, 'text'));
  }

  /** Asserts a statement in plain language about what the screen shows, such as "the chart rises", by the judgement of a language model. */
  async assertWithAi(args: string | AssertWithAiRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/AssertWithAi', named(args, 'prompt'));
  }

  /** Makes several calls in one request, in order, and answers with what each did and one combined view of what changed. */
  async batch(args: BatchRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Batch', byName(args, 'batch', 'calls'));
  }

  /** Returns the screen as it is now: text, data and picture. */
  async captureScreen(args: CaptureScreenRequest = {}): Promise<CaptureScreenResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/CaptureScreen', args);
  }

  /** Removes all that an app has stored on the device. */
  async clearAppData(args: string | ClearAppDataRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/ClearAppData', named(args, 'packageId'));
  }

  /** Empties the field that has the focus. */
  async clearText(args: ClearTextRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/ClearText', byName(args, 'clearText', 'effect'));
  }

  /** Presses at one point, moves to another, and lets go. */
  async dragByPoints(args: DragByPointsRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/DragByPoints', byName(args, 'dragByPoints', 'startX'));
  }

  /** Drags an element, named by `ref`, onto another one (`toRef`) or to a point (`toX`, `toY`) in one continuous movement. */
  async dragTo(args: string | DragToRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/DragTo', named(args, 'ref'));
  }

  /** Shows all that is remembered. */
  async dumpMemory(args: DumpMemoryRequest = {}): Promise<DumpMemoryResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/DumpMemory', args);
  }

  /** Removes characters before the caret in the field that has the focus: `charactersToErase` of them, or all. */
  async eraseText(args: EraseTextRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/EraseText', byName(args, 'eraseText', 'charactersToErase'));
  }

  /** Lists the elements that a selector matches, with their text, ids and places. */
  async findMatches(args: FindMatchesRequest): Promise<FindMatchesResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/FindMatches', byName(args, 'findMatches', 'selector'));
  }

  /** Counts the elements with a text or id that a person can see, scrolling allowed. */
  async getElementCount(args: GetElementCountRequest = {}): Promise<number> {
    return (await this.call('trailblaze.v1.TrailblazeCommands/GetElementCount', byName(args, 'getElementCount', 'text'))).count ?? 0;
  }

  /** Returns what an element shows: a field's value, else its text. */
  async getElementText(args: GetElementTextRequest = {}): Promise<string | null> {
    return (await this.call('trailblaze.v1.TrailblazeCommands/GetElementText', byName(args, 'getElementText', 'text'))).text ?? null;
  }

  /** Takes a picture of the screen: JPEG by default, `fullPage` for the whole page, `ref` for one element, `maxDimension` for its size. */
  async getScreenshot(args: GetScreenshotRequest = {}): Promise<GetScreenshotResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/GetScreenshot', byName(args, 'getScreenshot', 'format'));
  }

  /** Grants an app one permission, so that it does not ask for it. */
  async grantPermission(args: GrantPermissionRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/GrantPermission', byName(args, 'grantPermission', 'packageId'));
  }

  /** Says whether a person can read a text on the screen, scrolling allowed. */
  async hasText(args: string | HasTextRequest): Promise<boolean> {
    return (await this.call('trailblaze.v1.TrailblazeCommands/HasText', named(args, 'text'))).hasText ?? false;
  }

  /** Closes the on-screen keyboard. */
  async hideKeyboard(args: HideKeyboardRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/HideKeyboard', byName(args, 'hideKeyboard', 'effect'));
  }

  /** Asks an HTTP server with GET and gives its answer: status, type and body. */
  async httpGet(args: string | HttpGetRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/HttpGet', named(args, 'url'));
  }

  /** Sends a request that changes something to an HTTP server (POST, PUT, PATCH, DELETE), such as one that prepares data for a test. */
  async httpSend(args: string | HttpSendRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/HttpSend', named(args, 'url'));
  }

  /** Types text into the field that has the focus. */
  async inputText(args: string | InputTextRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/InputText', named(args, 'text'));
  }

  /** Types a prefix and random digits into the field that has the focus, and remembers the text under `variable`. */
  async inputTextRandom(args: string | InputTextRandomRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/InputTextRandom', named(args, 'variable'));
  }

  /** Says whether a person can see an element now, and if not, why. */
  async isVisible(args: IsVisibleRequest = {}): Promise<boolean> {
    return (await this.call('trailblaze.v1.TrailblazeCommands/IsVisible', byName(args, 'isVisible', 'text'))).visible ?? false;
  }

  /** Starts an app. */
  async launchApp(args: string | LaunchAppRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/LaunchApp', named(args, 'appId'));
  }

  /** Presses an element and holds it for a moment, for context menus and drag handles. */
  async longPress(args: LongPressRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/LongPress', byName(args, 'longPress', 'ref'));
  }

  /** Presses and holds the element with an accessible name, or part of it in whole words. */
  async longPressElementWithAccessibilityText(args: LongPressElementWithAccessibilityTextRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/LongPressElementWithAccessibilityText', byName(args, 'longPressElementWithAccessibilityText', 'accessibilityText'));
  }

  /** Presses and holds the element that shows a text, or part of it in whole words. */
  async longPressOnElementWithText(args: LongPressOnElementWithTextRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/LongPressOnElementWithText', byName(args, 'longPressOnElementWithText', 'text'));
  }

  /** Carries out commands in Maestro's spelling, in order, and stops at the first that fails. */
  async maestro(args: MaestroRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Maestro', byName(args, 'maestro', 'commands'));
  }

  /** Turns the phone's airplane mode on or off. */
  async networkConnection(args: NetworkConnectionRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/NetworkConnection', byName(args, 'networkConnection', 'connected'));
  }

  /** Opens a URL: in the browser, or with the app that a phone opens it with. */
  async openUrl(args: string | OpenUrlRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/OpenUrl', named(args, 'url'));
  }

  /** Zooms with two fingers around an element or the middle of the screen: `scale` above 1 zooms in, below 1 zooms out. */
  async pinch(args: number | PinchRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Pinch', named(args, 'scale'));
  }

  /** Goes back: the back button of a phone, the history of a browser. */
  async pressBack(args: PressBackRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/PressBack', byName(args, 'pressBack', 'effect'));
  }

  /** Presses the home key: the launcher comes to the front. */
  async pressHome(args: PressHomeRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/PressHome', byName(args, 'pressHome', 'effect'));
  }

  /** Presses a key of the device: BACK, ENTER, HOME, BACKSPACE, TAB or ESCAPE. */
  async pressKey(args: PressKeyRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/PressKey', byName(args, 'pressKey', 'keyCode'));
  }

  /** Reads a text file of the workspace, such as a fixture or a list of values. */
  async readFile(args: string | ReadFileRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/ReadFile', named(args, 'path'));
  }

  /** Remembers what an element shows under a name, for use as `{{name}}` later. */
  async remember(args: string | RememberRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Remember', named(args, 'variable'));
  }

  /** Remembers a number that the screen shows or that follows from it, named in plain language, such as "the price of the mug". */
  async rememberNumber(args: RememberNumberRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/RememberNumber', byName(args, 'rememberNumber', 'prompt'));
  }

  /** Remembers a text that the screen shows, named in plain language, such as "the order number". */
  async rememberText(args: RememberTextRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/RememberText', byName(args, 'rememberText', 'prompt'));
  }

  /** Remembers what a language model answers to a question about the screen, in plain language, such as "which of the two is cheaper?". */
  async rememberWithAi(args: RememberWithAiRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/RememberWithAi', byName(args, 'rememberWithAi', 'prompt'));
  }

  /** Makes its calls again and again: `times` often, `while` something holds, or `until` it does. */
  async repeat(args: RepeatRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Repeat', byName(args, 'repeat', 'times'));
  }

  /** Shows the screen with everything that is in it, seen or not, and where it is. */
  async requestDetailedViewHierarchy(args: RequestDetailedViewHierarchyRequest = {}): Promise<RequestDetailedViewHierarchyResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/RequestDetailedViewHierarchy', args);
  }

  /** Plays the recorded steps of another trail on this device, in order, without a model. */
  async runTrail(args: string | RunTrailRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/RunTrail', named(args, 'path'));
  }

  /** Scrolls the screen by `amount` px, by default half of it. */
  async scroll(args: ScrollRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Scroll', byName(args, 'scroll', 'direction'));
  }

  /** Scrolls until an element with a text, a matching `textRegex` or an id is on the screen. */
  async scrollUntilTextIsVisible(args: ScrollUntilTextIsVisibleRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/ScrollUntilTextIsVisible', byName(args, 'scrollUntilTextIsVisible', 'text'));
  }

  /** Carries out one step in plain language, such as "Add two mugs to the basket": a language model looks at the screen and makes the calls, which are recorded in place of this one. */
  async step(args: string | StepRequest): Promise<StepResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/Step', named(args, 'prompt'));
  }

  /** Stops an app. */
  async stopApp(args: string | StopAppRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/StopApp', named(args, 'appId'));
  }

  /** Moves a finger over the screen, or over the element with the text `swipeOnElementText`. */
  async swipe(args: SwipeRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Swipe', byName(args, 'swipe', 'direction'));
  }

  /** Moves a finger from one point to another, each given as shares of the screen: `startRelative: "50%,80%"`. */
  async swipeWithRelativeCoordinates(args: SwipeWithRelativeCoordinatesRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/SwipeWithRelativeCoordinates', byName(args, 'swipeWithRelativeCoordinates', 'startRelative'));
  }

  /** Keeps the screen as it is now for the report, with a picture, under a name. */
  async takeSnapshot(args: string | TakeSnapshotRequest): Promise<TakeSnapshotResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/TakeSnapshot', named(args, 'screenName'));
  }

  /** Taps an element. */
  async tap(args: TapRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Tap', byName(args, 'tap', 'ref'));
  }

  /** Taps the element that a selector names, optionally at a point of it: `relativePoint: "50%,80%"`. */
  async tapOn(args: TapOnRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/TapOn', byName(args, 'tapOn', 'selector'));
  }

  /** Taps the element that a durable selector names. */
  async tapOnElementBySelector(args: TapOnElementBySelectorRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/TapOnElementBySelector', byName(args, 'tapOnElementBySelector', 'nodeSelector'));
  }

  /** Taps the element with an accessible name, or part of it in whole words. */
  async tapOnElementWithAccessibilityText(args: TapOnElementWithAccessibilityTextRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/TapOnElementWithAccessibilityText', byName(args, 'tapOnElementWithAccessibilityText', 'accessibilityText'));
  }

  /** Taps the element that shows a text, or part of it in whole words. */
  async tapOnElementWithText(args: TapOnElementWithTextRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/TapOnElementWithText', byName(args, 'tapOnElementWithText', 'text'));
  }

  /** Taps a point of the screen, counted in px from the top left corner. */
  async tapOnPoint(args: TapOnPointRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/TapOnPoint', byName(args, 'tapOnPoint', 'x'));
  }

  /** Checks a statement about the screen in plain language, such as "The basket holds two mugs and costs $24": a language model chooses assertions, which are recorded in place of this call. */
  async verify(args: string | VerifyRequest): Promise<VerifyResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/Verify', named(args, 'prompt'));
  }

  /** Shows the screen as text: its elements with role, name, state and value, each that can be acted on with a `ref` such as e5. */
  async viewHierarchy(args: ViewHierarchyRequest = {}): Promise<ViewHierarchyResponse> {
    return this.call('trailblaze.v1.TrailblazeCommands/ViewHierarchy', byName(args, 'viewHierarchy', 'verbosity'));
  }

  /** Waits a number of seconds. */
  async wait(args: number | WaitRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/Wait', named(args, 'timeToWaitInSeconds'));
  }

  /** Waits until the screen changes and then settles. */
  async waitForChange(args: WaitForChangeRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/WaitForChange', byName(args, 'waitForChange', 'timeoutMs'));
  }

  /** Waits until nobody can see an element that the selector names, such as a spinner, and fails when it stays. */
  async waitUntilNotVisible(args: WaitUntilNotVisibleRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/WaitUntilNotVisible', byName(args, 'waitUntilNotVisible', 'nodeSelector'));
  }

  /** Waits until a person can see a text or element, and fails when that does not happen in time. */
  async waitUntilVisible(args: WaitUntilVisibleRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/WaitUntilVisible', byName(args, 'waitUntilVisible', 'text'));
  }

  /** Makes its calls when something holds, else those under `else`, if there are any. */
  async when(args: WhenRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/When', byName(args, 'when', 'visible'));
  }

  /** Writes a text file of the workspace, in place of what it held. */
  async writeFile(args: WriteFileRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.TrailblazeCommands/WriteFile', byName(args, 'writeFile', 'path'));
  }
}

export interface MobileClearAppDataRequest {
  /** the app's id; in a browser its URL */
  appId?: string;
}

export interface MobileListInstalledAppsRequest {
}

export interface MobileListInstalledAppsDetailedRequest {
  /** also those that came with the system */
  includeSystemApps?: boolean;
}

export interface MobileMaestroRequest {
  /** the commands, each an object with one key, or a plain name */
  commands?: unknown[];
}

export interface MobilePasteClipboardRequest {
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface MobileSetClipboardRequest {
  /** what the clipboard is to hold */
  text: string;
}

/** MobileCommands is the backend of phones and tablets. GetBackends says whether a device has it. */
export class MobileCommands {
  constructor(protected readonly call: Caller, protected readonly stream: Streamer) {}

  /** Removes all that an app has stored on the device. */
  async clearAppData(args: string | MobileClearAppDataRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.MobileCommands/ClearAppData', named(args, 'appId'));
  }

  /** Lists the apps on the device by id. */
  async listInstalledApps(args: MobileListInstalledAppsRequest = {}): Promise<MobileListInstalledAppsResponse> {
    return this.call('trailblaze.v1.MobileCommands/ListInstalledApps', args);
  }

  /** Lists the apps on the phone with their version codes, and which of them came with the system. */
  async listInstalledAppsDetailed(args: MobileListInstalledAppsDetailedRequest = {}): Promise<MobileListInstalledAppsDetailedResponse> {
    return this.call('trailblaze.v1.MobileCommands/ListInstalledAppsDetailed', byName(args, 'listInstalledAppsDetailed', 'includeSystemApps'));
  }

  /** Does what maestro does, under the name that trails of upstream have for it. */
  async maestro(args: MobileMaestroRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.MobileCommands/Maestro', byName(args, 'maestro', 'commands'));
  }

  /** Types what is on the clipboard into the field that has the focus. */
  async pasteClipboard(args: MobilePasteClipboardRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.MobileCommands/PasteClipboard', byName(args, 'pasteClipboard', 'effect'));
  }

  /** Puts a text onto the clipboard. */
  async setClipboard(args: string | MobileSetClipboardRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.MobileCommands/SetClipboard', named(args, 'text'));
  }
}

export interface ClickRequest {
  /** CSS selector, or a ref of the last snapshot */
  selector?: string;
  /** durable selector, as recordings keep it */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface EvaluateJsRequest {
  /** expression, or a function; with an element the function gets it */
  script: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
}

export interface FillRequest {
  /** what the field is to hold */
  value: string;
  /** CSS selector, or a ref of the last snapshot */
  selector?: string;
  /** durable selector, as recordings keep it */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface NavigateRequest {
  /** where to */
  url: string;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WaitForSelectorRequest {
  /** CSS selector */
  selector?: string;
  /** durable selector, as recordings keep it */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded */
  fingerprint?: Fingerprint;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface WebApplyCookiesRequest {
  /** a JSON list of cookies, or a whole storage state */
  cookiesJson?: string;
}

export interface WebAssertNetworkEventRequest {
  /** name of the analytics event, as it stands in the URL or the body of the request that reports it */
  eventName: string;
  /** only requests whose URL contains this */
  url?: string;
  /** how long to wait; default 5000 */
  timeoutMs?: number;
}

export interface WebClearRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebClearRoutesRequest {
}

export interface WebClickRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** mouse button */
  button?: 'left' | 'right' | 'middle';
  /** 2 for a double click, 3 for a triple click */
  count?: number;
  /** keys held down meanwhile */
  modifiers?: string[];
  /** where in the element, from its top left corner; default its middle */
  position?: Position;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebCloseTabRequest {
  /** id of the tab, as web_listTabs prints it */
  tab?: string;
  /** instead of tab: its place in opening order, from 0 */
  index?: number;
  /** instead of tab: part of its URL */
  url?: string;
  /** instead of tab: part of its title */
  title?: string;
}

export interface WebConsoleRequest {
  /** warning: warnings and worse; error: errors, uncaught exceptions and failed requests only */
  level?: 'all' | 'warning' | 'error';
  /** only messages after this sequence number */
  since?: number;
  /** the newest so many */
  limit?: number;
}

export interface WebCurrentUrlRequest {
}

export interface WebDialogsRequest {
}

export interface WebDownloadsRequest {
}

export interface WebDragRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** the element to drop on, in the forms of ref */
  toRef?: string;
  /** durable selector of the element to drop on */
  toNodeSelector?: Record<string, unknown>;
  /** who that element was when it was recorded */
  toFingerprint?: ToFingerprint;
  /** where to drop: before or after that element in its list, or into it (in its middle) */
  place?: 'before' | 'after' | 'into';
  /** without an element to drop on: px to the right */
  dx?: number;
  /** without an element to drop on: px down */
  dy?: number;
  /** how long the movement takes */
  durationMs?: number;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebEmulateRequest {
  /** what to behave like, such as iPhone 14; empty ends it */
  device?: string;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebEvaluateRequest {
  /** expression, or a function; with an element the function gets it */
  script: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
}

export interface WebFillSecretRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** the secret, written as a token such as {{password}} */
  value?: string;
  /** instead of value: the secret's name in memory */
  name?: string;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebGetStorageStateRequest {
}

export interface WebHandleDialogRequest {
  /** true for OK, false for Cancel */
  accept: boolean;
  /** text for a prompt */
  answer?: string;
}

export interface WebHoverRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebListFramesRequest {
}

export interface WebListTabsRequest {
}

export interface WebMockRouteRequest {
  /** glob over the whole URL: * within a path segment, ** anything; such as **\/api/cart */
  pattern: string;
  /** only this HTTP method */
  method?: string;
  /** HTTP status of the answer */
  status?: number;
  /** headers of the answer */
  headers?: Record<string, string>;
  /** body of the answer */
  body?: string;
  /** fail the request instead of answering it */
  abort?: boolean;
  /** answer so many requests, then let them through; default always */
  times?: number;
}

export interface WebNavigateRequest {
  /** what to do */
  action?: 'GOTO' | 'BACK' | 'FORWARD' | 'RELOAD';
  /** with GOTO: where to; a path as above */
  url?: string;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebNewTabRequest {
  /** what to open in it; default an empty page */
  url?: string;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebPressKeyRequest {
  /** key or chord: Enter, Tab, ArrowDown, Control+a, Shift+Tab */
  key: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebRequestDetailsRequest {
  /** what to tell beyond the common */
  include?: string[];
}

export interface WebRequestsRequest {
  /** only requests whose URL contains this */
  filter?: string;
  /** only requests of this type: document, xhr, fetch, script, image and so on */
  type?: string;
  /** only requests that failed or were answered with 400 and above */
  failed?: boolean;
  /** only requests after this sequence number */
  since?: number;
  /** the newest so many */
  limit?: number;
}

export interface WebResizeRequest {
  /** px */
  width: number;
  /** px */
  height: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebScrollRequest {
  /** which way to look further */
  direction?: 'UP' | 'DOWN' | 'LEFT' | 'RIGHT';
  /** how far, px */
  amount?: number;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebSelectOptionRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** options to choose, by label, value or index */
  values?: string[];
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebSetCheckedRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** the state to bring it to */
  checked?: boolean;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebSetDialogPolicyRequest {
  /** accept: OK; dismiss: Cancel; keep: leave open for web_handleDialog; default: OK to alerts, Cancel to questions */
  policy: 'accept' | 'dismiss' | 'keep' | 'default';
  /** with accept: text for prompts */
  answer?: string;
  /** only for the next dialog */
  once?: boolean;
}

export interface WebSetStorageStateRequest {
  /** a storage state as web_getStorageState returns it and Playwright writes it */
  state: unknown;
}

export interface WebSnapshotRequest {
  /** what to call this screen in the report */
  screenName?: string;
  /** what to tell beyond the common */
  detail?: string[];
  /** bound of the text; the least important is left out first */
  maxTokens?: number;
  /** only elements that match this text or regex, with what is around them */
  find?: string;
  /** only what is in the element of this ref */
  scope?: string;
  /** only this part of the text, from 1, with what scrolling shows */
  page?: number;
  /** only what changed since you last looked */
  changes?: boolean;
  /** with a picture */
  screenshot?: boolean;
}

export interface WebSwitchTabRequest {
  /** id of the tab, as web_listTabs prints it */
  tab?: string;
  /** instead of tab: its place in opening order, from 0 */
  index?: number;
  /** instead of tab: part of its URL */
  url?: string;
  /** instead of tab: part of its title */
  title?: string;
}

export interface WebTypeRequest {
  /** what to enter */
  text: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** replace what is there; false types at the caret, key by key */
  clearFirst?: boolean;
  /** key by key, for fields that listen to keystrokes */
  keys?: boolean;
  /** press Enter afterwards */
  submit?: boolean;
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebUploadFileRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** files to upload, relative to the workspace */
  paths?: string[];
  /** how long to wait for the element; default 10000, for a ref or text given live 1500 */
  timeoutMs?: number;
  /** none: nothing observable is expected to change */
  effect?: 'none';
  /** HTTP status a navigation is expected to end with; without it 400 and above fail */
  expectStatus?: number;
  /** origin (https://host) a navigation may end on, when it is not the one asked for */
  expectOrigin?: string;
}

export interface WebVerifyElementVisibleRequest {
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface WebVerifyListVisibleRequest {
  /** texts that must all be visible, in whole words */
  items?: string[];
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface WebVerifyTextVisibleRequest {
  /** text that must be visible, in whole words */
  text: string;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface WebVerifyValueRequest {
  /** what it must be */
  expected: string;
  /** TEXT: its text contains expected; VALUE: its value is expected; ATTRIBUTE: an attribute is */
  type?: 'TEXT' | 'VALUE' | 'ATTRIBUTE';
  /** with ATTRIBUTE: its name */
  attribute?: string;
  /** the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button "Save", a role, or its text */
  ref?: string;
  /** durable selector of the element, as recordings keep it; all its fields must hold */
  nodeSelector?: Record<string, unknown>;
  /** who the element was when it was recorded; an element that differs is not touched */
  fingerprint?: Fingerprint;
  /** how long to wait for it; default 5000 */
  timeoutMs?: number;
}

export interface WebWaitRequest {
  /** how long, 1 to 30 */
  seconds?: number;
}

export interface WebWaitForDownloadRequest {
  /** file name it must have */
  name?: string;
  /** how long to wait */
  timeoutMs?: number;
}

export interface WebWaitForUrlRequest {
  /** regular expression that some part of the URL must match */
  pattern: string;
  /** how long to wait */
  timeoutMs?: number;
}

/** WebCommands is the backend of browsers. GetBackends says whether a device has it. */
export class WebCommands {
  constructor(protected readonly call: Caller, protected readonly stream: Streamer) {}

  /** Clicks the element that a CSS selector matches; several that can be seen are an error. */
  async click(args: string | ClickRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Click', named(args, 'selector'));
  }

  /** Runs JavaScript in the page and returns what it gives as JSON. */
  async evaluateJs(args: string | EvaluateJsRequest): Promise<unknown> {
    return (await this.call('trailblaze.v1.WebCommands/EvaluateJs', named(args, 'script'))).result;
  }

  /** Sets the field that a CSS selector matches to a value and reads it back. */
  async fill(args: string | FillRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Fill', named(args, 'value'));
  }

  /** Opens a URL and waits until the page has settled. */
  async navigate(args: string | NavigateRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Navigate', named(args, 'url'));
  }

  /** Waits until an element that the CSS selector matches is visible, and fails when that does not happen in time. */
  async waitForSelector(args: string | WaitForSelectorRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/WaitForSelector', named(args, 'selector'));
  }

  /** Sets cookies: a JSON list of them, or a whole storage state. */
  async applyCookies(args: string | WebApplyCookiesRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/ApplyCookies', named(args, 'cookiesJson'));
  }

  /** Waits until a request reports an analytics event: its name must stand, as a whole word, in the URL or the body of the request. */
  async assertNetworkEvent(args: string | WebAssertNetworkEventRequest): Promise<WebAssertNetworkEventResponse> {
    return this.call('trailblaze.v1.WebCommands/AssertNetworkEvent', named(args, 'eventName'));
  }

  /** Empties a field. */
  async clear(args: WebClearRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Clear', byName(args, 'clear', 'ref'));
  }

  /** Ends all mocks: requests go to the network again. */
  async clearRoutes(args: WebClearRoutesRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/ClearRoutes', args);
  }

  /** Clicks an element, as a person would: it waits until the element is there, in view, still, enabled and not covered, then clicks its middle once. */
  async webClick(args: WebClickRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/WebClick', byName(args, 'webClick', 'ref'));
  }

  /** Closes a tab: the active one, or one named as for `web_switchTab`. */
  async closeTab(args: WebCloseTabRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/CloseTab', byName(args, 'closeTab', 'tab'));
  }

  /** Shows what the page logged to the console, and its uncaught errors, and the requests that failed. */
  async console(args: WebConsoleRequest = {}): Promise<WebConsoleResponse> {
    return this.call('trailblaze.v1.WebCommands/Console', byName(args, 'console', 'level'));
  }

  /** Tells the URL of the active tab. */
  async currentUrl(args: WebCurrentUrlRequest = {}): Promise<WebCurrentUrlResponse> {
    return this.call('trailblaze.v1.WebCommands/CurrentUrl', args);
  }

  /** Lists the dialogs that came up so far, with their texts and how they were answered. */
  async dialogs(args: WebDialogsRequest = {}): Promise<WebDialogsResponse> {
    return this.call('trailblaze.v1.WebCommands/Dialogs', args);
  }

  /** Lists the files that were downloaded so far, by name, with size and state. */
  async downloads(args: WebDownloadsRequest = {}): Promise<WebDownloadsResponse> {
    return this.call('trailblaze.v1.WebCommands/Downloads', args);
  }

  /** Drags an element with the mouse and drops it: onto another element (`toRef`), `before` or `after` it in its list (`place`), or `dx` and `dy` pixels away. */
  async drag(args: WebDragRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Drag', byName(args, 'drag', 'ref'));
  }

  /** Makes the browser behave like another device (size, touch, user agent), such as `iPhone 14`. */
  async emulate(args: WebEmulateRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Emulate', byName(args, 'emulate', 'device'));
  }

  /** Runs JavaScript in the page and returns what it gives as JSON. */
  async evaluate(args: string | WebEvaluateRequest): Promise<WebEvaluateResponse> {
    return this.call('trailblaze.v1.WebCommands/Evaluate', named(args, 'script'));
  }

  /** Enters a password or token into a field. */
  async fillSecret(args: WebFillSecretRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/FillSecret', byName(args, 'fillSecret', 'ref'));
  }

  /** Returns the login state of the session, cookies and local storage, in the form that `web_setStorageState` and Playwright read. */
  async getStorageState(args: WebGetStorageStateRequest = {}): Promise<WebGetStorageStateResponse> {
    return this.call('trailblaze.v1.WebCommands/GetStorageState', args);
  }

  /** Answers the dialog (alert, confirm, prompt) that is open because the policy is `keep`: `accept: true` is OK, `answer` is the text for a prompt. */
  async handleDialog(args: WebHandleDialogRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/HandleDialog', byName(args, 'handleDialog', 'accept'));
  }

  /** Moves the mouse onto an element and leaves it there, so that menus and hints that show on hover come up. */
  async hover(args: WebHoverRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Hover', byName(args, 'hover', 'ref'));
  }

  /** Lists the frames of the page. */
  async listFrames(args: WebListFramesRequest = {}): Promise<WebListFramesResponse> {
    return this.call('trailblaze.v1.WebCommands/ListFrames', args);
  }

  /** Lists the open tabs and popups with their ids. */
  async listTabs(args: WebListTabsRequest = {}): Promise<WebListTabsResponse> {
    return this.call('trailblaze.v1.WebCommands/ListTabs', args);
  }

  /** Answers requests whose URL matches a glob instead of sending them: with a status, headers and a body, or by failing them. */
  async mockRoute(args: string | WebMockRouteRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/MockRoute', named(args, 'pattern'));
  }

  /** Opens a URL, goes BACK or FORWARD in the history, or RELOADs the page, and waits until the page has settled. */
  async webNavigate(args: WebNavigateRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/WebNavigate', byName(args, 'webNavigate', 'action'));
  }

  /** Opens a tab, optionally with a URL, and makes it the active one. */
  async newTab(args: WebNewTabRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/NewTab', byName(args, 'newTab', 'url'));
  }

  /** Presses a key or a chord: `Enter`, `Escape`, `ArrowDown`, `Control+a`, `Shift+Tab`. */
  async pressKey(args: string | WebPressKeyRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/PressKey', named(args, 'key'));
  }

  /** Shows the page with details that a snapshot leaves out: BOUNDS (where elements are, px), CSS_SELECTORS, OFFSCREEN_ELEMENTS, OCCLUDED_ELEMENTS. */
  async requestDetails(args: WebRequestDetailsRequest = {}): Promise<WebRequestDetailsResponse> {
    return this.call('trailblaze.v1.WebCommands/RequestDetails', byName(args, 'requestDetails', 'include'));
  }

  /** Lists the network requests of the page, newest last, with status and errors. */
  async requests(args: WebRequestsRequest = {}): Promise<WebRequestsResponse> {
    return this.call('trailblaze.v1.WebCommands/Requests', byName(args, 'requests', 'filter'));
  }

  /** Gives the viewport another size. */
  async resize(args: WebResizeRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Resize', byName(args, 'resize', 'width'));
  }

  /** Scrolls the page, or the container that holds the element named by `ref`, by `amount` px. */
  async scroll(args: WebScrollRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Scroll', byName(args, 'scroll', 'direction'));
  }

  /** Chooses options of a select, named by their label, value or index, and reads back that they are chosen. */
  async selectOption(args: WebSelectOptionRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/SelectOption', byName(args, 'selectOption', 'ref'));
  }

  /** Brings a checkbox, radio button or switch to a state. */
  async setChecked(args: WebSetCheckedRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/SetChecked', byName(args, 'setChecked', 'ref'));
  }

  /** Says how dialogs are answered when they come up. */
  async setDialogPolicy(args: WebSetDialogPolicyRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/SetDialogPolicy', byName(args, 'setDialogPolicy', 'policy'));
  }

  /** Restores a login state: cookies and local storage, as `web_getStorageState` returns them. */
  async setStorageState(args: WebSetStorageStateRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/SetStorageState', byName(args, 'setStorageState', 'state'));
  }

  /** Shows the page as text: its elements with role, name, state and value, each that can be acted on with a `ref` such as e5. */
  async snapshot(args: WebSnapshotRequest = {}): Promise<WebSnapshotResponse> {
    return this.call('trailblaze.v1.WebCommands/Snapshot', byName(args, 'snapshot', 'screenName'));
  }

  /** Makes another tab the active one. */
  async switchTab(args: WebSwitchTabRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/SwitchTab', byName(args, 'switchTab', 'tab'));
  }

  /** Enters text into a field and reads it back. */
  async type(args: string | WebTypeRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Type', named(args, 'text'));
  }

  /** Gives files to a file input, or to the file chooser that clicking the element opens. */
  async uploadFile(args: WebUploadFileRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/UploadFile', byName(args, 'uploadFile', 'ref'));
  }

  /** Verifies that a person can see an element, scrolling it into view when needed. */
  async verifyElementVisible(args: WebVerifyElementVisibleRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/VerifyElementVisible', byName(args, 'verifyElementVisible', 'ref'));
  }

  /** Verifies that all the texts are visible, inside the element named by `ref` when there is one. */
  async verifyListVisible(args: WebVerifyListVisibleRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/VerifyListVisible', byName(args, 'verifyListVisible', 'items'));
  }

  /** Verifies that a person can see a text: not hidden, covered, cut off or transparent. */
  async verifyTextVisible(args: string | WebVerifyTextVisibleRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/VerifyTextVisible', named(args, 'text'));
  }

  /** Verifies what an element shows. */
  async verifyValue(args: string | WebVerifyValueRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/VerifyValue', named(args, 'expected'));
  }

  /** Waits 1 to 30 seconds. */
  async wait(args: number | WebWaitRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.WebCommands/Wait', named(args, 'seconds'));
  }

  /** Waits until a download has completed, optionally one with a given name, and fails when none does. */
  async waitForDownload(args: WebWaitForDownloadRequest = {}): Promise<WebWaitForDownloadResponse> {
    return this.call('trailblaze.v1.WebCommands/WaitForDownload', byName(args, 'waitForDownload', 'name'));
  }

  /** Waits until the URL of the active tab matches a regular expression, and returns the URL. */
  async waitForUrl(args: string | WebWaitForUrlRequest): Promise<WebWaitForUrlResponse> {
    return this.call('trailblaze.v1.WebCommands/WaitForUrl', named(args, 'pattern'));
  }
}

/** DesktopCommands is the backend of desktop programs. GetBackends says whether a device has it. */
export class DesktopCommands {
  constructor(protected readonly call: Caller, protected readonly stream: Streamer) {}
}

export interface AddToolCategoryRequest {
  /** a category of tools */
  category: 'DEFAULT' | 'CORE_INTERACTION' | 'NAVIGATION' | 'OBSERVATION' | 'VERIFICATION' | 'MEMORY' | 'SESSION' | 'TRAIL' | 'DEVICE' | 'TABS' | 'FILES' | 'NETWORK' | 'STORAGE' | 'SCRIPT' | 'MOBILE' | 'PRIMITIVES' | 'BATCH' | 'AUTHORING' | 'CUSTOM' | 'SERVERS' | 'ALL';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface AwaitScreenRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** the screen that was shown last, as this tool named it */
  seen?: string;
}

export interface CancelRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** only this call; default: all that this session runs */
  callId?: string;
  /** only what runs on this device */
  device?: string;
}

export interface CheckToolRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** the tool, or its file; none: all of them */
  name?: string;
  /** call it once with these */
  args?: Record<string, unknown>;
  /** with args: instead of this session's device */
  device?: string;
}

export interface ClearAgentMetricsRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface ConfigRequest {
  /** what to do */
  action: 'GET' | 'SET' | 'LIST';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** a setting that LIST shows */
  key?: string;
  /** SET: the new value */
  value?: string;
}

export interface ConfigureSessionRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  mode?: 'MCP_CLIENT_LIKE_GOOSE_AS_AGENT' | 'TRAILBLAZE_AGENT_WHILE_LOOP' | 'MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING' | 'TRAILBLAZE_AGENT_RECURSIVE_MCP' | 'MCP_CLIENT_AS_AGENT' | 'TRAILBLAZE_AS_AGENT';
  screenshotFormat?: 'IMAGE_CONTENT' | 'NONE';
  autoIncludeScreenshot?: boolean;
  viewHierarchyVerbosity?: 'MINIMAL' | 'STANDARD' | 'FULL';
  llmCallStrategy?: 'DIRECT' | 'MCP_SAMPLING';
  /** bound of the text about the screen */
  maxTokens?: number;
  /** the app under test */
  targetApp?: string;
  /** list only tools whose name begins so */
  toolPrefix?: string;
}

export interface ConnectToDeviceRequest {
  /** name of the device */
  trailblazeDeviceId: string;
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface CreateToolRequest {
  /** of the file, and the id of a YAML tool */
  name: string;
  /** the whole text of the file */
  content: string;
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** YAML: a list of calls; TS: TypeScript, for conditions and loops */
  kind?: 'YAML' | 'TS';
  /** replace the file that is there */
  overwrite?: boolean;
}

export interface DeviceRequest {
  /** WEB, ANDROID and IOS connect to one of that platform */
  action: 'LIST' | 'CONNECT' | 'DISCONNECT' | 'CREATE_WEB' | 'INFO' | 'WEB' | 'ANDROID' | 'IOS' | 'RESERVE';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** run the browser without a window */
  headless?: boolean;
  /** size of the page, 1280x800 */
  viewport?: string;
  /** a device such as iPhone 14 */
  emulate?: string;
  /** name of a kept browser profile */
  profile?: string;
  /** clipboard-read */
  permissions?: string[];
  /** such as 52.52,13.40 */
  geolocation?: string;
  /** workspace file with a login state */
  storageState?: string;
  /** RESERVE: what the device must have, such as api>=30, width>=720 */
  requires?: string[];
  /** RESERVE: given back after this time without a call on it */
  limitMs?: number;
  /** RESERVE: how long to wait while others have all that fit */
  timeoutMs?: number;
  /** RESERVE: keep it for another process as long as the call lasts; opens nothing */
  hold?: boolean;
  /** how much to tell of each */
  detail?: 'SUMMARY' | 'FULL';
}

export interface EnableToolCategoriesRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** the categories to see */
  categories?: string[];
}

export interface EndSessionRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface FocusOnCategoryRequest {
  /** a category of tools */
  category: 'DEFAULT' | 'CORE_INTERACTION' | 'NAVIGATION' | 'OBSERVATION' | 'VERIFICATION' | 'MEMORY' | 'SESSION' | 'TRAIL' | 'DEVICE' | 'TABS' | 'FILES' | 'NETWORK' | 'STORAGE' | 'SCRIPT' | 'MOBILE' | 'PRIMITIVES' | 'BATCH' | 'AUTHORING' | 'CUSTOM' | 'SERVERS' | 'ALL';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface GetAgentMetricsRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface GetSessionConfigRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface JobRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** WAIT answers with the result as soon as it is there */
  action?: 'STATUS' | 'WAIT' | 'CANCEL' | 'LIST';
  /** the job, as the call that became one said; default: the only one */
  id?: string;
  /** WAIT: at most so long */
  timeoutMs?: number;
}

export interface ListToolCategoriesRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface ReloadToolsRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface RemoveToolCategoryRequest {
  /** a category of tools */
  category: 'DEFAULT' | 'CORE_INTERACTION' | 'NAVIGATION' | 'OBSERVATION' | 'VERIFICATION' | 'MEMORY' | 'SESSION' | 'TRAIL' | 'DEVICE' | 'TABS' | 'FILES' | 'NETWORK' | 'STORAGE' | 'SCRIPT' | 'MOBILE' | 'PRIMITIVES' | 'BATCH' | 'AUTHORING' | 'CUSTOM' | 'SERVERS' | 'ALL';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface RunPromptRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** what to do, one thing each, in plain language */
  steps?: string[];
  /** instead of steps: all of it in one */
  prompt?: string;
}

export interface SessionRequest {
  /** RECORDING shows what SAVE would write */
  action: 'START' | 'STOP' | 'SAVE' | 'INFO' | 'LIST' | 'ARTIFACTS' | 'RECORDING' | 'DELETE';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** of the session or the trail */
  title?: string;
  /** session id or its beginning, or last; default: the live one */
  id?: string;
  /** SAVE, RECORDING: one trail of several devices: {"alice": "web/a"} names that of each actor */
  actors?: Record<string, string>;
  /** SAVE: file below the trails folder; default: from the title */
  path?: string;
  /** SAVE: replace this platform's recording in the file */
  overwrite?: boolean;
  /** LIST: at most so many */
  limit?: number;
  /** LIST: only titles and ids with this text */
  filter?: string;
}

export interface SetAutoIncludeScreenshotRequest {
  /** add a picture to the result of every action */
  enabled: boolean;
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface SetLlmCallStrategyRequest {
  /** whose model is asked, in the modes that think */
  strategy: 'DIRECT' | 'MCP_SAMPLING';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface SetModeRequest {
  /** who decides what to do, and whose model thinks */
  mode: 'MCP_CLIENT_LIKE_GOOSE_AS_AGENT' | 'TRAILBLAZE_AGENT_WHILE_LOOP' | 'MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING' | 'TRAILBLAZE_AGENT_RECURSIVE_MCP' | 'MCP_CLIENT_AS_AGENT' | 'TRAILBLAZE_AS_AGENT';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface SetScreenshotFormatRequest {
  /** how pictures come with results */
  format: 'IMAGE_CONTENT' | 'NONE';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface SetTargetAppRequest {
  /** the app under test: a target's id, a package id or URL; empty for none */
  appTargetId: string;
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface SetViewHierarchyVerbosityRequest {
  /** how much of the screen is told after an action */
  verbosity: 'MINIMAL' | 'STANDARD' | 'FULL';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface StatusRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** of every client, not only this one */
  all?: boolean;
}

export interface SwitchTargetAppRequest {
  /** the app under test: a target's id, a package id or URL; empty for none */
  appTargetId: string;
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface SwitchToolSetRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** the categories to see */
  categories?: string[];
  /** instead of categories */
  preset?: 'default' | 'minimal' | 'standard' | 'testing' | 'all';
}

export interface ToolboxRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** show this tool with its arguments */
  name?: string;
  /** words that stand in the name or the text */
  search?: string;
  /** the tools of this category */
  category?: 'DEFAULT' | 'CORE_INTERACTION' | 'NAVIGATION' | 'OBSERVATION' | 'VERIFICATION' | 'MEMORY' | 'SESSION' | 'TRAIL' | 'DEVICE' | 'TABS' | 'FILES' | 'NETWORK' | 'STORAGE' | 'SCRIPT' | 'MOBILE' | 'PRIMITIVES' | 'BATCH' | 'AUTHORING' | 'CUSTOM' | 'SERVERS' | 'ALL';
  /** only tools for this platform */
  platform?: 'web' | 'android' | 'ios';
  /** with arguments */
  detail?: boolean;
}

export interface TrailRequest {
  /** RUN plays a trail on this session's device; SAVE makes one of what was done */
  action: 'LIST' | 'RUN' | 'SAVE' | 'START' | 'END' | 'VALIDATE';
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** the trail: its file, id or title; for SAVE and START the title */
  name?: string;
  /** the trail's file below the workspace */
  file?: string;
  /** RUN, VALIDATE: the text of a trail, instead of a file */
  yaml?: string;
  /** RUN: values of the arguments that the trail declares */
  args?: Record<string, string>;
  /** RUN: values to remember before it begins */
  memory?: Record<string, string>;
  /** RUN: the first step to play */
  from?: number;
  /** RUN: the last */
  to?: number;
  /** RUN: instead of this session's device */
  device?: string;
  /** LIST: only files, titles and tags with this text */
  filter?: string;
  /** LIST: 20 a page */
  page?: number;
  /** SAVE: replace this platform's recording in the file */
  overwrite?: boolean;
}

export interface TrailEditRequest {
  /** what to do */
  op: 'GET' | 'INSERT' | 'REPLACE' | 'DELETE' | 'MOVE' | 'CLEAR_RECORDING';
  /** the trail: its file, id or title */
  name: string;
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
  /** number of the step, from 1 */
  index?: number;
  /** INSERT, MOVE: after this step; 0 is first, -1 last (default) */
  position?: number;
  /** DELETE, MOVE: how many steps */
  count?: number;
  /** INSERT, REPLACE: what the step is to do */
  prompt?: string;
  /** INSERT, REPLACE: verify for a step that checks */
  stepType?: 'step' | 'verify';
  /** CLEAR_RECORDING: only this one's, such as web */
  platform?: string;
}

export interface UseMinimalToolsRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface UseStandardToolsRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

export interface UseTestingToolsRequest {
  /** The device to act on. Empty: the client's own, or the only one. */
  deviceId?: string;
  /** The session that the call belongs to. A device that is in another session refuses the call. */
  sessionId?: string;
}

/** ManagementCommands manages devices, sessions, trails and settings. Its commands need no device. */
export class ManagementCommands {
  constructor(protected readonly call: Caller, protected readonly stream: Streamer) {}

  /** Adds a category of tools to the list of this session. */
  async addToolCategory(args: AddToolCategoryRequest): Promise<AddToolCategoryResponse> {
    return this.call('trailblaze.v1.ManagementCommands/AddToolCategory', byName(args, 'addToolCategory', 'category'));
  }

  /** Waits until the screen shows something else than before, without a turn at the device: others act on it meanwhile. */
  async awaitScreen(args: AwaitScreenRequest = {}): Promise<AwaitScreenResponse> {
    return this.call('trailblaze.v1.ManagementCommands/AwaitScreen', byName(args, 'awaitScreen', 'deviceId'));
  }

  /** Ends what this session runs: one call, what runs on one device, or all. */
  async cancel(args: CancelRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.ManagementCommands/Cancel', byName(args, 'cancel', 'deviceId'));
  }

  /** Checks a tool of the workspace: whether its file makes a tool, and what it is. */
  async checkTool(args: CheckToolRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.ManagementCommands/CheckTool', byName(args, 'checkTool', 'deviceId'));
  }

  /** Begins counting anew for this session. */
  async clearAgentMetrics(args: ClearAgentMetricsRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.ManagementCommands/ClearAgentMetrics', byName(args, 'clearAgentMetrics', 'deviceId'));
  }

  /** Reads and changes settings. */
  async config(args: ConfigRequest): Promise<ConfigResponse> {
    return this.call('trailblaze.v1.ManagementCommands/Config', byName(args, 'config', 'action'));
  }

  /** Changes several settings of this session at once, all or none. */
  async configureSession(args: ConfigureSessionRequest = {}): Promise<ConfigureSessionResponse> {
    return this.call('trailblaze.v1.ManagementCommands/ConfigureSession', byName(args, 'configureSession', 'deviceId'));
  }

  /** Connects this session to a device, as `device` with CONNECT does: later calls go there. */
  async connectToDevice(args: string | ConnectToDeviceRequest): Promise<ConnectToDeviceResponse> {
    return this.call('trailblaze.v1.ManagementCommands/ConnectToDevice', named(args, 'trailblazeDeviceId'));
  }

  /** Writes a tool into the workspace, so that a sequence of calls you repeat becomes one call: for you, in trails and for everybody else. */
  async createTool(args: CreateToolRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.ManagementCommands/CreateTool', byName(args, 'createTool', 'name'));
  }

  /** Lists, connects and closes the devices that tools act on. */
  async device(args: DeviceRequest): Promise<DeviceResponse> {
    return this.call('trailblaze.v1.ManagementCommands/Device', byName(args, 'device', 'action'));
  }

  /** Sets the categories of tools that this session sees, in place of those it had. */
  async enableToolCategories(args: EnableToolCategoriesRequest = {}): Promise<EnableToolCategoriesResponse> {
    return this.call('trailblaze.v1.ManagementCommands/EnableToolCategories', byName(args, 'enableToolCategories', 'deviceId'));
  }

  /** Ends the live session, as `session` with STOP does. */
  async endSession(args: EndSessionRequest = {}): Promise<EndSessionResponse> {
    return this.call('trailblaze.v1.ManagementCommands/EndSession', byName(args, 'endSession', 'deviceId'));
  }

  /** Lists the tools of one category only, besides those that manage the session. */
  async focusOnCategory(args: FocusOnCategoryRequest): Promise<FocusOnCategoryResponse> {
    return this.call('trailblaze.v1.ManagementCommands/FocusOnCategory', byName(args, 'focusOnCategory', 'category'));
  }

  /** Shows how the tool calls of this session went: how many, how many failed, how long they took. */
  async getAgentMetrics(args: GetAgentMetricsRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.ManagementCommands/GetAgentMetrics', byName(args, 'getAgentMetrics', 'deviceId'));
  }

  /** Shows the settings of this session: mode, tool categories, device, target app, how the screen is told. */
  async getSessionConfig(args: GetSessionConfigRequest = {}): Promise<GetSessionConfigResponse> {
    return this.call('trailblaze.v1.ManagementCommands/GetSessionConfig', byName(args, 'getSessionConfig', 'deviceId'));
  }

  /** Asks for work that outlasted its call. */
  async job(args: JobRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.ManagementCommands/Job', byName(args, 'job', 'deviceId'));
  }

  /** Lists the categories of tools, with how many tools each has and which are on for this session. */
  async listToolCategories(args: ListToolCategoriesRequest = {}): Promise<ListToolCategoriesResponse> {
    return this.call('trailblaze.v1.ManagementCommands/ListToolCategories', byName(args, 'listToolCategories', 'deviceId'));
  }

  /** Reads the project's own tools again: YAML and TypeScript files, and the lists of its MCP servers. */
  async reloadTools(args: ReloadToolsRequest = {}): Promise<ReloadToolsResponse> {
    return this.call('trailblaze.v1.ManagementCommands/ReloadTools', byName(args, 'reloadTools', 'deviceId'));
  }

  /** Takes a category of tools off the list of this session. */
  async removeToolCategory(args: RemoveToolCategoryRequest): Promise<RemoveToolCategoryResponse> {
    return this.call('trailblaze.v1.ManagementCommands/RemoveToolCategory', byName(args, 'removeToolCategory', 'category'));
  }

  /** Gives a task in plain language to the agent of the language model that is configured, and waits until it is done. */
  async runPrompt(args: RunPromptRequest = {}): Promise<ActionResult> {
    return this.call('trailblaze.v1.ManagementCommands/RunPrompt', byName(args, 'runPrompt', 'deviceId'));
  }

  /** Records what is done on the device, from the first action on. */
  async session(args: SessionRequest): Promise<SessionResponse> {
    return this.call('trailblaze.v1.ManagementCommands/Session', byName(args, 'session', 'action'));
  }

  /** Adds a picture to the result of every action, or stops doing so, for this session. */
  async setAutoIncludeScreenshot(args: SetAutoIncludeScreenshotRequest): Promise<SetAutoIncludeScreenshotResponse> {
    return this.call('trailblaze.v1.ManagementCommands/SetAutoIncludeScreenshot', byName(args, 'setAutoIncludeScreenshot', 'enabled'));
  }

  /** Sets whose model is asked in the modes that think: the one configured here (DIRECT) or the client's own (MCP_SAMPLING). */
  async setLlmCallStrategy(args: SetLlmCallStrategyRequest): Promise<SetLlmCallStrategyResponse> {
    return this.call('trailblaze.v1.ManagementCommands/SetLlmCallStrategy', byName(args, 'setLlmCallStrategy', 'strategy'));
  }

  /** Sets who decides: in MCP_CLIENT_AS_AGENT you do, with these tools, and no model is needed here; in the other modes tasks are given to `runPrompt`. */
  async setMode(args: SetModeRequest): Promise<SetModeResponse> {
    return this.call('trailblaze.v1.ManagementCommands/SetMode', byName(args, 'setMode', 'mode'));
  }

  /** Sets how pictures come with results, for this session. */
  async setScreenshotFormat(args: SetScreenshotFormatRequest): Promise<SetScreenshotFormatResponse> {
    return this.call('trailblaze.v1.ManagementCommands/SetScreenshotFormat', byName(args, 'setScreenshotFormat', 'format'));
  }

  /** Sets the app under test for this session; its own tools are added to the list. */
  async setTargetApp(args: string | SetTargetAppRequest): Promise<SetTargetAppResponse> {
    return this.call('trailblaze.v1.ManagementCommands/SetTargetApp', named(args, 'appTargetId'));
  }

  /** Sets how much of the screen results tell after an action, for this session. */
  async setViewHierarchyVerbosity(args: SetViewHierarchyVerbosityRequest): Promise<SetViewHierarchyVerbosityResponse> {
    return this.call('trailblaze.v1.ManagementCommands/SetViewHierarchyVerbosity', byName(args, 'setViewHierarchyVerbosity', 'verbosity'));
  }

  /** Shows what this session runs and on which devices; with `all` what everybody runs. */
  async status(args: StatusRequest = {}): Promise<StatusResponse> {
    return this.call('trailblaze.v1.ManagementCommands/Status', byName(args, 'status', 'deviceId'));
  }

  /** The older name of `setTargetApp`. */
  async switchTargetApp(args: string | SwitchTargetAppRequest): Promise<SwitchTargetAppResponse> {
    return this.call('trailblaze.v1.ManagementCommands/SwitchTargetApp', named(args, 'appTargetId'));
  }

  /** Changes which tools an agent works with: categories, or a preset. */
  async switchToolSet(args: SwitchToolSetRequest = {}): Promise<SwitchToolSetResponse> {
    return this.call('trailblaze.v1.ManagementCommands/SwitchToolSet', byName(args, 'switchToolSet', 'deviceId'));
  }

  /** Finds tools, listed or not. */
  async toolbox(args: ToolboxRequest = {}): Promise<ToolboxResponse> {
    return this.call('trailblaze.v1.ManagementCommands/Toolbox', byName(args, 'toolbox', 'deviceId'));
  }

  /** Lists, plays, checks and records trails: files of steps with recorded calls, in the workspace. */
  async trail(args: TrailRequest): Promise<ActionResult> {
    return this.call('trailblaze.v1.ManagementCommands/Trail', byName(args, 'trail', 'action'));
  }

  /** Edits the steps of a trail file; comments and everything else in it stay as they are. */
  async trailEdit(args: TrailEditRequest): Promise<TrailEditResponse> {
    return this.call('trailblaze.v1.ManagementCommands/TrailEdit', byName(args, 'trailEdit', 'op'));
  }

  /** Lists the fewest tools that drive a page: acting on elements, and looking. */
  async useMinimalTools(args: UseMinimalToolsRequest = {}): Promise<UseMinimalToolsResponse> {
    return this.call('trailblaze.v1.ManagementCommands/UseMinimalTools', byName(args, 'useMinimalTools', 'deviceId'));
  }

  /** Lists the tools of everyday driving: acting, going places, looking. */
  async useStandardTools(args: UseStandardToolsRequest = {}): Promise<UseStandardToolsResponse> {
    return this.call('trailblaze.v1.ManagementCommands/UseStandardTools', byName(args, 'useStandardTools', 'deviceId'));
  }

  /** Lists the tools for writing tests: acting, looking, checking, remembering. */
  async useTestingTools(args: UseTestingToolsRequest = {}): Promise<UseTestingToolsResponse> {
    return this.call('trailblaze.v1.ManagementCommands/UseTestingTools', byName(args, 'useTestingTools', 'deviceId'));
  }
}

export interface ListSessionsRequest {
}

export interface WatchEventsRequest {
  sessionId: string;
  /** The sequence number of the last event that the client has; 0: from the first. */
  after?: string;
  /** What there is now, without waiting for more. */
  noFollow?: boolean;
}

export interface ReadArtifactRequest {
  sessionId: string;
  /** The name that events give it: the SHA-256 of its content. */
  hash: string;
}

export interface GetMemoryRequest {
  sessionId: string;
}

/** SessionService reads what sessions have kept: events, artifacts, memory. */
export class SessionService {
  constructor(protected readonly call: Caller, protected readonly stream: Streamer) {}

  /** Lists the sessions that are open. */
  async listSessions(args: ListSessionsRequest = {}): Promise<ListSessionsResponse> {
    return this.call('trailblaze.v1.SessionService/ListSessions', args);
  }

  /** Streams the events of a session in order. It ends with the session. A client that lost its connection goes on after the last sequence number that it has read: no event is lost or sent twice. */
  watchEvents(args: string | WatchEventsRequest): AsyncGenerator<WatchEventsResponse> {
    return this.stream('trailblaze.v1.SessionService/WatchEvents', named(args, 'sessionId'));
  }

  /** Streams an artifact of a session: a picture, a capture, a long text. */
  readArtifact(args: ReadArtifactRequest): AsyncGenerator<ReadArtifactResponse> {
    return this.stream('trailblaze.v1.SessionService/ReadArtifact', byName(args, 'readArtifact', 'sessionId'));
  }

  /** Reads the memory of an open session. Secrets are masked. */
  async getMemory(args: string | GetMemoryRequest): Promise<GetMemoryResponse> {
    return this.call('trailblaze.v1.SessionService/GetMemory', named(args, 'sessionId'));
  }
}

export interface CallToolRequest {
  name: string;
  /** The arguments. Its numbers are doubles: a whole number beyond 2^53 is not what was sent. */
  args?: Record<string, unknown>;
  /** The arguments as the text of a JSON object, in place of args. It holds every number exactly. */
  argsJson?: string;
  /** Arguments as name=value, typed by the schema of the tool, as one writes them in a shell. They go into the others. */
  texts?: string[];
  /** The reply is to be whole: a call that could not be carried out is answered with its failure and with what is known of it, and value_json holds the value to the letter. */
  whole?: boolean;
}

export interface ListToolsRequest {
}

export interface CancelCallsRequest {
  clientId?: string;
  deviceId?: string;
  callId?: string;
  job?: string;
  /** All calls, when nothing else is set. */
  all?: boolean;
  /** What the calls are told as the reason of their end. */
  why?: string;
}

export interface GetBackendsRequest {
}

/** ToolService calls any tool by its name: built in, of a workspace, or of an external server. */
export class ToolService {
  constructor(protected readonly call: Caller, protected readonly stream: Streamer) {}

  /** Calls a tool and waits for its end. The deadline and the cancellation of the request hold for the call. */
  async callTool(args: string | CallToolRequest): Promise<CallToolResponse> {
    return this.call('trailblaze.v1.ToolService/CallTool', named(args, 'name'));
  }

  /** The same, with reports of its progress before the result. */
  watchTool(args: string | CallToolRequest): AsyncGenerator<WatchToolResponse> {
    return this.stream('trailblaze.v1.ToolService/WatchTool', { call: named(args, 'name') });
  }

  /** Lists the tools that the client may call. */
  async listTools(args: ListToolsRequest = {}): Promise<ListToolsResponse> {
    return this.call('trailblaze.v1.ToolService/ListTools', args);
  }

  /** Ends calls. It never waits for one. */
  async cancelCalls(args: CancelCallsRequest = {}): Promise<CancelCallsResponse> {
    return this.call('trailblaze.v1.ToolService/CancelCalls', byName(args, 'cancelCalls', 'clientId'));
  }

  /** Says on which platform a device is, and which backends it has. */
  async getBackends(args: GetBackendsRequest = {}): Promise<GetBackendsResponse> {
    return this.call('trailblaze.v1.ToolService/GetBackends', args);
  }
}

/** A device. A backend is null when the device is of another platform. */
export abstract class Device extends TrailblazeCommands {
  abstract readonly platform: string;
  readonly manage = new ManagementCommands(this.call, this.stream);
  readonly sessions = new SessionService(this.call, this.stream);
  readonly tools = new ToolService(this.call, this.stream);

  get mobile(): MobileCommands | null {
    return ['android', 'ios'].includes(this.platform) ? new MobileCommands(this.call, this.stream) : null;
  }

  get web(): WebCommands | null {
    return ['web'].includes(this.platform) ? new WebCommands(this.call, this.stream) : null;
  }

  get desktop(): DesktopCommands | null {
    return ['desktop'].includes(this.platform) ? new DesktopCommands(this.call, this.stream) : null;
  }
}
