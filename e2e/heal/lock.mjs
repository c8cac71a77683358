// Strips package-lock.json to the packages that package.json names. Their builds in dist/ need none of what they depend on,
// which would be 900 packages more. Run it after `npm install --package-lock-only`.
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const root = lock.packages[''];
const kept = { '': root };
for (const name of Object.keys(root.dependencies)) {
  const { name: real, version, resolved, integrity, license } = lock.packages[`node_modules/${name}`];
  kept[`node_modules/${name}`] = { ...(real && { name: real }), version, resolved, integrity, license };
}
lock.packages = kept;
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
