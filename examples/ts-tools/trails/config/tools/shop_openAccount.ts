import { trailblaze } from "@trailblaze/scripting";

/** Opens the account page. It is recorded as the calls that it asks for, so that a trail does not need this tool. */
export const shop_openAccount = trailblaze.tool<{}>(
  { supportedPlatforms: ["web"], isDelegating: true },
  async (_, ctx) => ({
    success: true,
    _trailblaze_delegates: [
      { tool: "web_navigate", args: { url: `${ctx.target?.resolveBaseUrl()}/account` } },
      { tool: "web_verifyTextVisible", args: { text: "Account" } },
    ],
  }),
);
