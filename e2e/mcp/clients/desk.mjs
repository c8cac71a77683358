// Arguments of the desk tools: they manage the house and need no page.
export const deskArgs = () => ({
  device: { desk: true, args: { action: 'LIST' } },
  session: { desk: true, args: { action: 'INFO' } },
  addToolCategory: { desk: true, args: { category: 'ALL' } },
});
