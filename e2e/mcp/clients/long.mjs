// A call that lasts gives signs of life, and one that the client cancels ends.
import { cfg, check, connect, finish, must, text } from './lib.mjs';

const c = await connect(['--categories', 'ALL']);
await must('open', c.call('web_navigate', { url: `${cfg.url}/ground.html` }));

const beats = [];
const waited = await must('wait', c.call('wait', { timeToWaitInSeconds: 8 }, { onprogress: (p) => beats.push(p), resetTimeoutOnProgress: true, timeout: 6000 }));
check(!waited.isError, 'a call of 8 s outlives a limit of 6 s that progress extends', text(waited));
check(beats.length >= 2, 'a heartbeat every few seconds', JSON.stringify(beats));
check(beats.every((b, i) => i === 0 || b.progress > beats[i - 1].progress), 'progress grows', JSON.stringify(beats));
check(beats.every((b) => b.message), 'progress says what goes on', JSON.stringify(beats));

const stop = new AbortController();
let begun;
const running = new Promise((resolve) => { begun = resolve; });
const long = c.call('wait', { timeToWaitInSeconds: 30 }, { signal: stop.signal, onprogress: () => begun() }).then(() => 'answered', (e) => String(e));
await Promise.race([running, long]);
const at = performance.now();
stop.abort('enough');
check(/enough|abort|cancel/i.test(await long), 'the client ends its wait');
const next = await must('the next call', c.call('web_currentUrl', {}));
const took = performance.now() - at;
check(!next.isError && text(next).includes('ground.html'), 'the device works after a cancel', text(next));
check(took < 1000, 'it does within a second', took);
console.log(`usable ${took.toFixed(0)} ms after the cancel, ${beats.length} heartbeats in 8 s`);
await c.close();
finish();
