// @ts-check

/** @typedef {{ baseUrl: string, sessionId: string, invocationId: string, memory: Record<string, any> }} Meta */

/** The session that a tool was called from. It lasts as long as the call. */
export class Trailblaze {
  /** @param {{ _meta?: Record<string, any> }} extra what the SDK gives a handler besides its arguments */
  constructor(extra) {
    const meta = extra._meta?.trailblaze;
    if (!meta) throw new Error("the call has no _meta.trailblaze: it was not made by Trailblaze");
    /** @type {Meta} */
    this.meta = meta;
  }

  /**
   * Address of a page of the shop: the base URL of the run, and a path.
   * @param {string} path
   */
  page(path) {
    const { baseUrl } = this.meta.memory;
    if (!baseUrl) throw new Error("the address of the shop is not known: give it with --base-url");
    return baseUrl + path;
  }

  /**
   * Calls a tool of the session. A tool that fails throws.
   * @param {string} tool
   * @param {Record<string, unknown>} args
   * @returns {Promise<any>} its value, else its text
   */
  async call(tool, args) {
    const answer = await fetch(`${this.meta.baseUrl}/scripting/callback`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        version: 1,
        session_id: this.meta.sessionId,
        invocation_id: this.meta.invocationId,
        action: { type: "call_tool", tool_name: tool, arguments_json: JSON.stringify(args) },
      }),
      signal: AbortSignal.timeout(120_000),
    });
    const { result } = await answer.json();
    if (!result.success) throw new Error(`call ${tool}: ${result.message ?? result.errorMessage}`);
    return result.structured_content ?? result.textContent;
  }
}
