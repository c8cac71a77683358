// Makes dist/ of what the program runs scripts with, so that a tool means the same in the program and in this package:
//   node build.mjs internal/makers/script/lib
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

const here = import.meta.dirname;
const lib = process.argv[2];
const read = (...path) => readFile(join(...path), 'utf8');
const write = (name, text) => writeFile(join(here, 'dist', name), text);

await mkdir(join(here, 'dist'), { recursive: true });
await write('define.js', await read(lib, 'define.js'));
await write('node.js', (await read(lib, 'node.js')).replaceAll('"trailblaze:define"', '"./define.js"'));
await write('index.js', await read(here, 'src', 'index.js'));
const [, declared] = /declare module "@trailblaze\/scripting" \{\n([^]*?)\n\}\n/.exec(await read(lib, 'scripting.d.ts'));
await write('index.d.ts', `${declared.replace(/^ {2}/gm, '')}\n${await read(here, 'src', 'wire.d.ts')}`);
