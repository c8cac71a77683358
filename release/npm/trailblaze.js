#!/usr/bin/env node
// Runs the program with this process's arguments and streams, and ends as it ends.
const { spawn } = require('node:child_process');
let program;
try {
  program = require('../index.js');
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
// A terminal sends its interrupt to the program, too, and a second one would end it at once.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', error => {
  console.error(`error: cannot start ${program}: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
