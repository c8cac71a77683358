// A module that several tools share. It defines no tool, so none is made of it.
import type { Context } from "@trailblaze/scripting";

/** Address of a page of the shop that is under test. */
export const at = (ctx: Context, path: string): string => {
  const shop = ctx.target?.resolveBaseUrl();
  if (!shop) throw new Error("give the address of the shop with --base-url");
  return shop + path;
};

/** Opens the cart and looks. A query never fails: it says whether the element is there. */
export const isInCart = async (ctx: Context, product: string): Promise<boolean> => {
  await ctx.tools.web_navigate({ url: at(ctx, "/cart") });
  const { visible } = await ctx.tools.isVisible({ text: product });
  return visible;
};
