// Exports the path of the program for this machine, which one of the optional dependencies brings.
const { arch, platform } = process;
const name = `@trailblaze/${platform}-${arch}`;
try {
  module.exports = require.resolve(`${name}/bin/trailblaze${platform === 'win32' ? '.exe' : ''}`);
} catch {
  throw new Error(`trailblaze has no program for this machine: the package ${name} is not installed.\n` +
    'hint: Install trailblaze again with optional dependencies (without --omit=optional), on the system that it runs on.');
}
