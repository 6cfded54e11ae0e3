#!/usr/bin/env node
/** Checks the Node.js version before loading any module: an old version could not parse them. */
'use strict';

const OLDEST_MAJOR = 24;

/** Common spellings: `graticule help backup` is `graticule backup --help`. */
function normalizeWords(words) {
  const [, , first, second] = words;
  if (first === 'help' && second !== undefined) words.splice(2, 2, second, '--help');
  else if (first === 'help' || first === '-h') words[2] = '--help';
  else if (first === 'version' || first === '-v' || first === '-V') words[2] = '--version';
}

if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) {
  process.stderr.write(
    `graticule: Node.js ${process.versions.node} is too old. Install Node.js ${OLDEST_MAJOR} or later; in a checkout, \`npm ci\` installs it.\n`,
  );
  process.exitCode = 1;
} else {
  // Cache the compiled modules between starts.
  require('node:module').enableCompileCache();
  normalizeWords(process.argv);
  const command = process.argv[2] || 'serve';
  if (['check', 'restore', 'storage', 'keystore'].includes(command)) {
    import('./maintain.ts');
  } else if (command !== 'serve' && /^[a-z]/i.test(command)) {
    // Commands read many short-lived documents: with a small young generation, a large move needs a sixth less memory.
    require('node:v8').setFlagsFromString('--max-semi-space-size=2');
    import('./cli/main.ts');
  } else {
    import('./main.ts');
  }
}
