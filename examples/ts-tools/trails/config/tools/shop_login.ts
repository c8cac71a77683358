import { trailblaze } from "@trailblaze/scripting";
import { at } from "./cart";

export interface LoginArgs {
  /** Address of the account. */
  email: string;
  /** Password of the account: a token such as {{password}}, which becomes the value only in the field. */
  password: string;
}

/**
 * Signs in to the shop and waits for the greeting.
 * Begins at any page; ends on the account page.
 */
export const shop_login = trailblaze.tool<LoginArgs, { greeting: string }>(
  { supportedPlatforms: ["web"], secretArguments: ["password"] },
  async (args, ctx) => {
    await ctx.tools.web_navigate({ url: at(ctx, "/account") });
    await ctx.tools.web_type({ ref: 'textbox "Email"', text: args.email });
    await ctx.tools.web_type({ ref: 'textbox "Password"', text: args.password });
    await ctx.tools.web_click({ ref: 'button "Sign in"' });
    await ctx.tools.web_verifyTextVisible({ text: "Good to see you" });
    return { greeting: "Good to see you" };
  },
);
