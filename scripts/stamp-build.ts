/** Adds files to the build that the compiler does not produce: the console, the launcher, and the identity of the build. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../console/build.ts';
import { BUILD_FILE, UNKNOWN_REVISION } from '../src/operations/identity/build-identity.ts';
import { readGitHead } from '../src/operations/identity/git-head.ts';

const root = new URL('../', import.meta.url);
const head = await readGitHead(fileURLToPath(root));
// A container image is built without `.git`; its Dockerfile passes the revision.
const revision = process.env['BUILD_REVISION'] ?? head?.revision ?? UNKNOWN_REVISION;
const stamp = { revision, builtAt: new Date().toISOString() };
mkdirSync(new URL('dist/', root), { recursive: true });
writeFileSync(new URL(`dist/${BUILD_FILE}`, root), `${JSON.stringify(stamp, null, 2)}\n`);
const starter = readFileSync(new URL('src/start.cjs', root), 'utf8').replaceAll(/(import\('[^']+)\.ts'\)/g, "$1.js')");
writeFileSync(new URL('dist/start.cjs', root), starter, { mode: 0o755 });
await buildConsole(fileURLToPath(new URL('dist/console', root)));
