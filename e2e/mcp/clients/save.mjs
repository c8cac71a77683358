// A flow driven through the SDK and saved as a trail: what the Go test then replays without a model.
import { cfg, check, connect, finish, must, text } from './lib.mjs';

const c = await connect();
const step = async (intent, name, args) => {
  const r = await must(`${intent}: ${name}`, c.call(name, { ...args, intent }));
  check(!r.isError, `${intent}: ${name}`, text(r));
  return text(r);
};
await step('Open the shop', 'web_navigate', { url: cfg.shop });
await step('Open the shop', 'web_verifyTextVisible', { text: 'Cedar Mug' });
const seen = await step('Open the shop', 'web_snapshot', {});
// The button of the mug's card: the first "Add to cart" after its name.
const mug = seen.indexOf('Cedar Mug');
const ref = seen.slice(mug).match(/button "Add to cart[^"]*"[^\n]*?\b(e\d+)\b/)?.[1] ?? seen.slice(mug).match(/\b(e\d+)\b[^\n]*button "Add to cart/)?.[1];
check(ref, 'the snapshot has a ref for the button', seen.slice(mug, mug + 600));
await step('Put the mug in the cart', 'web_click', { ref });
await step('Put the mug in the cart', 'web_verifyTextVisible', { text: 'Added Cedar Mug to your cart' });
await step('Look for a lamp', 'web_type', { ref: 'searchbox "Search"', text: 'lamp' });
await step('Look for a lamp', 'web_verifyTextVisible', { text: 'Firefly Lamp' });
const saved = await must('save', c.call('session', { action: 'SAVE', title: 'Mug and lamp' }));
check(!saved.isError, 'session SAVE', text(saved));
console.log(text(saved));
await c.close();
finish();
