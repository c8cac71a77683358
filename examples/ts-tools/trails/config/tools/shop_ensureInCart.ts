import { trailblaze } from "@trailblaze/scripting";
import { at, isInCart } from "./cart";

/** Puts a product into the cart unless it is there already. */
export const shop_ensureInCart = trailblaze.tool<{ /** Name of the product, such as Cedar Mug. */ product: string }>(
  { supportedPlatforms: ["web"] },
  async ({ product }, ctx) => {
    if (await isInCart(ctx, product)) return `${product} was in the cart already.`;
    await ctx.tools.web_navigate({ url: at(ctx, "/") });
    await ctx.tools.web_type({ ref: 'searchbox "Search"', text: product });
    await ctx.tools.web_verifyElementVisible({ ref: `article "${product}"`, timeoutMs: 10_000 });
    await ctx.tools.web_click({ ref: `button "Add to cart" in article "${product}"` });
    await ctx.tools.web_verifyTextVisible({ text: `Added ${product} to your cart` });
    return `Added ${product}.`;
  },
);
