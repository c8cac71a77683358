// Arguments of the management tools: they need no page.
const all = [['addToolCategory', { category: 'ALL' }]];
export const manageArgs = () => Object.fromEntries(Object.entries({
  device: { args: { action: 'LIST' } },
  connectToDevice: { args: { trailblazeDeviceId: 'web' } },
  session: { args: { action: 'INFO' } },
  endSession: {},
  trail: { args: { action: 'LIST' } },
  trailEdit: { args: { op: 'GET', name: 'ground' } },
  toolbox: { args: { search: 'click' } },
  listToolCategories: {},
  enableToolCategories: { args: { categories: ['TABS'] }, after: all },
  addToolCategory: { args: { category: 'ALL' } },
  removeToolCategory: { args: { category: 'TABS' }, after: all },
  focusOnCategory: { args: { category: 'TABS' }, after: all },
  useMinimalTools: { after: all },
  useStandardTools: { after: all },
  useTestingTools: { after: all },
  switchToolSet: { args: { preset: 'all' }, after: all },
  getSessionConfig: {},
  configureSession: { args: { viewHierarchyVerbosity: 'MINIMAL' }, after: [['configureSession', { viewHierarchyVerbosity: 'STANDARD' }]] },
  setMode: { args: { mode: 'MCP_CLIENT_AS_AGENT' } },
  setScreenshotFormat: { args: (c) => firstChoice(c, 'setScreenshotFormat', 'format') },
  setAutoIncludeScreenshot: { args: { enabled: false } },
  setViewHierarchyVerbosity: { args: (c) => firstChoice(c, 'setViewHierarchyVerbosity', 'verbosity') },
  setLlmCallStrategy: { args: { strategy: 'DIRECT' } },
  setTargetApp: { args: { appTargetId: '' } },
  switchTargetApp: { args: { appTargetId: '' } },
  config: { args: { action: 'LIST' } },
  job: { args: { action: 'LIST' } },
  status: {},
  cancel: {},
  getAgentMetrics: {},
  clearAgentMetrics: {},
  createTool: { args: { name: 'team_open', overwrite: true, content: 'id: team_open\ndescription: Waits.\nparameters: []\ntools:\n  - wait: { timeToWaitInSeconds: 1 }\n' } },
  checkTool: { args: {} },
  reloadTools: {},
  runPrompt: { hidden: true }, // it is listed where there is a model, which internal/agent tests
}).map(([name, row]) => [name, { management: true, ...row }]));

// firstChoice takes what the schema offers (R202).
async function firstChoice(c, tool, arg) {
  const t = (await c.list()).find((x) => x.name === tool);
  return { [arg]: t.inputSchema.properties[arg].enum[0] };
}
