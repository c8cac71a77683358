// @ts-check
// Acme's own tools: an MCP server that Trailblaze starts, and that calls Trailblaze back.
//
//   node acme_tools.mjs                                  # one device: stdin and stdout
//   node acme_tools.mjs --transport http --port 52530    # several devices: Trailblaze does this by itself
import { createServer } from "node:http";
import { parseArgs } from "node:util";

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

import { Trailblaze } from "./trailblaze.mjs";

/** @param {Record<string, unknown>} value */
const answer = (value) => ({
  content: [{ type: /** @type {const} */ ("text"), text: JSON.stringify(value) }],
  structuredContent: value,
});

function acme() {
  const server = new McpServer({ name: "acme-tools", version: "1.0.0" });

  // A login: calls in a row. An error that a tool throws fails the call.
  server.registerTool(
    "acme_login",
    {
      description: "Signs a customer in to the shop.",
      inputSchema: { email: z.string(), password: z.string() },
    },
    async ({ email, password }, extra) => {
      const tb = new Trailblaze(extra);
      await tb.call("web_navigate", { url: tb.page("/account") });
      await tb.call("web_type", { ref: 'textbox "Email"', text: email });
      await tb.call("web_type", { ref: 'textbox "Password"', text: password });
      await tb.call("web_click", { ref: 'button "Sign in"' });
      await tb.call("web_verifyTextVisible", { text: "Good to see you" });
      return answer({ success: true });
    },
  );

  // A condition: it looks first, and acts only when there is something to do.
  server.registerTool(
    "acme_signOut",
    { description: "Signs out, if anybody is signed in.", inputSchema: {} },
    async (_, extra) => {
      const tb = new Trailblaze(extra);
      await tb.call("web_navigate", { url: tb.page("/account") });
      const ref = 'button "Sign out"';
      const { visible } = await tb.call("isVisible", { ref });
      if (visible) await tb.call("web_click", { ref });
      return answer({ success: true, wasSignedIn: visible });
    },
  );

  // A retry: a call that failed is made again.
  server.registerTool(
    "acme_addToCart",
    {
      description: "Puts a product into the cart. What the shop shows late is looked for again.",
      inputSchema: { product: z.string(), attempts: z.number().int().min(1).default(3) },
    },
    async ({ product, attempts }, extra) => {
      const tb = new Trailblaze(extra);
      await tb.call("web_navigate", { url: tb.page("/") });
      let last = "";
      for (let attempt = 1; attempt <= attempts; attempt++) {
        try {
          await tb.call("web_click", { ref: `button "Add to cart" in article "${product}"` });
          return answer({ success: true, attempts: attempt });
        } catch (error) {
          last = String(error);
        }
      }
      return answer({ success: false, error: `${product} cannot be added: ${last}` });
    },
  );

  // A delegate: it makes no call, but says which to make.
  server.registerTool(
    "acme_openCart",
    {
      description: "Opens the cart: the calls that do it are made, and recorded, in place of this one.",
      inputSchema: {},
    },
    async () => answer({
      success: true,
      _trailblaze_delegates: [{ tool: "web_click", args: { ref: 'link "Cart, 1 item"' } }],
    }),
  );

  // What MCP has no words for.
  const registry = {
    tools: {
      acme_login: { platforms: ["web"], groups: ["auth"], secretArguments: ["password"] },
      acme_signOut: { platforms: ["web"], groups: ["auth"] },
      acme_addToCart: { platforms: ["web"], groups: ["cart"], timeoutMs: 60_000 },
      acme_openCart: { platforms: ["web"], groups: ["cart"], isRecordable: false, isDelegating: true },
    },
    groups: { auth: { description: "Sign in and out" }, cart: { description: "The cart" } },
    serverInfo: { name: "acme-tools", version: "1.0.0" },
  };
  const mimeType = "application/json";
  server.registerResource("registry", "trailblaze://registry", { mimeType }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType, text: JSON.stringify(registry) }],
  }));
  return server;
}

const { values: options } = parseArgs({
  options: { transport: { type: "string", default: "stdio" }, port: { type: "string", default: "52530" } },
});

if (options.transport === "http") {
  // A server for each request: it keeps nothing between calls, so calls of several devices overlap.
  createServer(async (request, response) => {
    if (request.url !== "/mcp" || request.method !== "POST") {
      response.writeHead(request.url === "/mcp" ? 405 : 404).end();
      return;
    }
    const server = acme();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on("close", () => server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  }).listen(Number(options.port), "127.0.0.1");
} else {
  await acme().connect(new StdioServerTransport());
}
