#!/usr/bin/env node
/** Checks the Node.js version before loading any module: an old version could not parse them. */
'use strict';

const OLDEST_MAJOR = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) {
  process.stderr.write(
    `graticule: Node.js ${process.versions.node} is too old. Install Node.js ${OLDEST_MAJOR} or later, or run \`npm ci\`, which installs one.\n`,
  );
  process.exitCode = 1;
} else {
  // Cache the compiled modules between starts.
  require('node:module').enableCompileCache();
  // A word is a client command; options start a server.
  if (process.argv[2] === 'storage') {
    import('./maintain.ts');
  } else if (/^[a-z]/i.test(process.argv[2] || '')) {
    import('./cli/main.ts');
  } else {
    import('./main.ts');
  }
}
