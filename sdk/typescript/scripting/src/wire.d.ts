
/** Tools by their names. `trailblaze check --types` says which there are, and what they take. */
export interface Tools {
  [name: string]: (args?: any) => Promise<any>;
}

/** What Trailblaze sends with each call of a tool, in `_meta.trailblaze`. */
export interface TrailblazeMeta {
  /** where the tool calls back */
  baseUrl: string;
  sessionId: string;
  /** the right to call back, until the call ends */
  invocationId: string;
  device?: { id?: string; platform: 'ios' | 'android' | 'web'; widthPixels: number; heightPixels: number; driverType: string };
  memory: Record<string, unknown>;
  target?: { id: string; displayName?: string; appIds?: string[]; resolvedBaseUrl?: string };
  capabilities?: { sampling?: boolean };
}

/** The older form of the same, among the arguments of a call. */
export interface TrailblazeContext {
  memory: Record<string, unknown>;
  device: NonNullable<TrailblazeMeta['device']>;
}

/** The client of a call, of its `_meta`: for servers that are written with an MCP SDK. */
export function fromMeta(meta: Record<string, unknown> | TrailblazeMeta | undefined): Context;

/** What a tool sends to `{baseUrl}/scripting/callback`. Version 1 is frozen. */
export interface JsScriptingCallbackRequest {
  version: 1;
  session_id: string;
  invocation_id: string;
  action: JsScriptingCallbackAction;
}
export interface JsScriptingCallbackAction {
  type: 'call_tool';
  tool_name: string;
  /** the arguments, as the text of a JSON object */
  arguments_json: string;
}
export interface JsScriptingCallbackResponse {
  result: JsScriptingCallbackResult;
}
export type JsScriptingCallbackResult =
  | { type: 'call_tool_result'; success: boolean; textContent: string; errorMessage: string; structured_content?: unknown }
  | { type: 'error'; message: string; code?: number };
