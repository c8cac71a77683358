import { definitions, trailblaze as defined } from './define.js';
import { serve } from './node.js';

export { captureViewHierarchy, ConditionalActionFailedError, runConditionalActions, selectors, ToolError } from './define.js';
export { fromMeta } from './node.js';

export const trailblaze = Object.freeze({
  ...defined,
  run() {
    if (definitions.some((d) => !d.name)) throw new TypeError('a tool has no name: trailblaze.tool("acme_login", spec, handler)');
    serve();
  },
});
