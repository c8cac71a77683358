// Arguments that each tool takes and that do something on pages/ground.html, and arguments that no tool takes.

// valid says, by tool that agents see (those for scripts are not listed): what to call before (besides opening the page), the arguments, and, where the tool rightly refuses in
// a browser without a window, what its refusal says.
export const valid = (url) => {
  const page = `${url}/ground.html`;
  const css = (s) => ({ web: { cssSelector: s } });
  const saveText = { ref: 'button "Save"' };
  return {
    assertEquals: { args: { actual: 'a', expected: ' a ' } },
    assertMath: { args: { expression: '6 * 7', expected: '42' } },
    assertNotEquals: { args: { actual: 'a', expected: 'b' } },
    assertNotVisibleWithText: { args: { text: 'Hidden entry' } },
    assertVisible: { args: { text: 'Total 42' } },
    batch: { args: { calls: [{ tool: 'web_type', args: { ref: 'css=#name', text: 'Ann' } }, { tool: 'assertVisible', args: { text: 'Total 42' } }] } },
    clearText: { before: [['web_click', { ref: 'css=#name' }]] },
    dragTo: { args: { ref: 'css=#parcel', toRef: 'css=#shelf' } },
    dumpMemory: {},
    eraseText: { before: [['web_click', { ref: 'css=#name' }]], args: { charactersToErase: 1 } },
    getScreenshot: {},
    hideKeyboard: {},
    inputText: { before: [['web_click', { ref: 'css=#name' }]], args: { text: 'x' } },
    inputTextRandom: { before: [['web_click', { ref: 'css=#name' }]], args: { variable: 'made' } },
    launchApp: { args: { appId: page, launchMode: 'FORCE_RESTART' } },
    longPress: { args: { text: 'Save' } },
    mobile_listInstalledApps: {},
    mobile_pasteClipboard: { before: [['mobile_setClipboard', { text: 'pasted' }], ['web_click', { ref: 'css=#name' }]] },
    mobile_setClipboard: { args: { text: 'kept' } },
    openUrl: { args: { url: page } },
    pressBack: { before: [['web_click', { ref: 'css=#next' }]] },
    pressKey: { args: { keyCode: 'ESCAPE' } },
    remember: { args: { variable: 'total', id: 'total' } },
    requestDetailedViewHierarchy: {},
    runTrail: { args: { path: 'trails/ground.trail.yaml' } },
    scrollUntilTextIsVisible: { args: { text: 'Far down' } },
    swipe: { args: { direction: 'UP' } },
    takeSnapshot: { args: { screenName: 'Ground' } },
    tap: { args: { text: 'Save' } },
    tapOnPoint: { args: { x: 5, y: 5, effect: 'none' } },
    viewHierarchy: {},
    wait: { args: { timeToWaitInSeconds: 1 } },
    waitForChange: { page: `${page}?tick=200`, args: { timeoutMs: 4000, quietWindowMs: 50 }, may: /settle|quiet|still/i },
    web_applyCookies: { args: { cookiesJson: JSON.stringify([{ name: 'a', value: 'b', domain: '127.0.0.1', path: '/' }]) } },
    web_assertNetworkEvent: { before: [['web_click', { ref: 'css=#send' }]], args: { eventName: 'page_seen' } },
    web_clear: { args: { ref: 'css=#name' } },
    web_clearRoutes: {},
    web_click: { args: saveText },
    web_closeTab: { before: [['web_newTab', { url: page }]] },
    web_console: { before: [['web_click', { ref: 'css=#log' }]] },
    web_currentUrl: {},
    web_dialogs: {},
    web_downloads: {},
    web_drag: { args: { ref: 'css=#parcel', toRef: 'css=#shelf' } },
    web_emulate: { args: { device: 'iPhone 14' }, after: [['web_emulate', { device: '' }]] },
    web_fillSecret: { args: { ref: 'css=#code', name: 'gate' } },
    web_getStorageState: {},
    web_handleDialog: { before: [['web_setDialogPolicy', { policy: 'keep' }], ['web_click', { ref: 'css=#ask' }]], args: { accept: true }, after: [['web_setDialogPolicy', { policy: 'default' }]] },
    web_hover: { args: { ref: 'button "Menu"' } },
    web_listFrames: {},
    web_listTabs: {},
    web_mockRoute: { args: { pattern: '**/nothing', status: 204 }, after: [['web_clearRoutes', {}]] },
    web_navigate: { args: { url: page } },
    web_newTab: { args: { url: page }, after: [['web_closeTab', {}]] },
    web_pressKey: { args: { key: 'Escape' } },
    web_requestDetails: { args: { include: ['BOUNDS', 'CSS_SELECTORS'] } },
    web_requests: {},
    web_resize: { args: { width: 1000, height: 700 } },
    web_scroll: { args: { direction: 'DOWN', amount: 200 } },
    web_selectOption: { args: { ref: 'css=#country', values: ['Norway'] } },
    web_setChecked: { args: { ref: 'css=#gift', checked: true } },
    web_setDialogPolicy: { args: { policy: 'default' } },
    web_setStorageState: { args: { state: { cookies: [], origins: [] } } },
    web_snapshot: { args: { screenshot: true } },
    web_switchTab: { args: { index: 0 } },
    web_type: { args: { ref: 'css=#name', text: 'Grace' } },
    web_uploadFile: { args: { ref: 'css=#attach', paths: ['note.txt'] } },
    web_verifyElementVisible: { args: { ref: 'css=#total' } },
    web_verifyListVisible: { args: { items: ['One', 'Two'] } },
    web_verifyTextVisible: { args: { text: 'Total 42' } },
    web_verifyValue: { args: { ref: 'css=#total', expected: '42' } },
    web_wait: { args: { seconds: 1 } },
    web_waitForDownload: { before: [['web_click', { ref: 'css=#get', effect: 'none' }]] },
    web_waitForUrl: { args: { pattern: 'ground' } },
  };
};

// wrong makes arguments that break a schema in as many places as it has, and lists the names a refusal must mention.
export function wrong(schema) {
  const args = {}, names = [];
  for (const [name, s] of Object.entries(schema.properties ?? {})) {
    const bad = wrongValue(s);
    if (bad !== undefined) { args[name] = bad; names.push(name); }
  }
  for (const name of schema.required ?? []) if (!(name in args)) names.push(name); // left out
  if (schema.additionalProperties === false || !names.length) { args.noSuchArgument = 1; names.push('noSuchArgument'); }
  return { args, names };
}

function wrongValue(s) {
  const types = [].concat(s.type ?? []);
  if (s.enum) return 'NO_SUCH_CHOICE';
  if (!types.length) return undefined; // takes anything
  if (types.includes('object')) return types.includes('string') ? undefined : 'not an object';
  if (types.includes('array')) return types.includes('string') ? undefined : 'not a list';
  if (types.includes('string')) return types.length > 1 ? undefined : { not: 'a string' };
  if (types.includes('number') || types.includes('integer')) return 'not a number';
  if (types.includes('boolean')) return 'not a truth';
  return undefined;
}
