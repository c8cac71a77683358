import type { CallContext } from './commands.js';
import { noContext, noModel } from './connect.js';

/**
 * The context of a call, of what a tool has of it: what the official SDK hands over, or `_meta.trailblaze` itself. The older
 * form, `{ deviceId, sessionId, platform }`, has no address: the daemon is found.
 */
export function metaOf(ctx: any): CallContext {
  const meta = ctx?._meta ?? ctx?.mcpReq?._meta ?? ctx?.requestInfo?._meta ?? ctx?.params?._meta ?? ctx;
  const found = [meta, meta?.trailblaze, meta?._trailblaze].find((m) => m?.baseUrl || m?.deviceId);
  if (!found) throw noContext();
  const { deviceId, sessionId, platform } = found;
  return found.baseUrl ? found : { sessionId, device: { id: deviceId, platform } };
}

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

export interface MessageOptions {
  /** the model sees the screen */
  includeScreenshot?: boolean;
  /** of the answer; default 1000 */
  maxTokens?: number;
  systemPrompt?: string;
}

/** Asks the model that Trailblaze was given, by MCP's sampling. Needs `sampling: true` of the server in trailblaze.yaml. */
export class Sampling {
  constructor(private readonly context: any, private readonly meta?: CallContext) {}

  async createMessage(messages: Message[], options: MessageOptions = {}): Promise<{ content: string; model: string }> {
    const send = this.context?.sendRequest ?? this.context?.mcpReq?.send;
    if (!send || !this.meta?.capabilities?.sampling) throw noModel();
    const { includeScreenshot = false, maxTokens = 1000, systemPrompt } = options;
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
}
