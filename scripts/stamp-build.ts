/** Leaves the revision and the moment of the build beside the compiled code: a published package has no `.git`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILD_FILE, UNKNOWN_REVISION } from '../src/operations/identity/build-identity.ts';
import { readGitHead } from '../src/operations/identity/git-head.ts';

const root = new URL('../', import.meta.url);
const head = await readGitHead(fileURLToPath(root));
const stamp = { revision: head?.revision ?? UNKNOWN_REVISION, builtAt: new Date().toISOString() };
mkdirSync(new URL('dist/', root), { recursive: true });
writeFileSync(new URL(`dist/${BUILD_FILE}`, root), `${JSON.stringify(stamp, null, 2)}\n`);
