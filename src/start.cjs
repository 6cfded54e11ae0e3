#!/usr/bin/env node
/** Looks at the Node.js first: an old one could not even read the rest, and would not say why. */
'use strict';

const OLDEST_MAJOR = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) {
  process.stderr.write(
    `graticule: Node.js ${OLDEST_MAJOR} or later is needed, and this is ${process.versions.node}; \`npm ci\` brings one along.\n`,
  );
  process.exitCode = 1;
} else {
  // Keeps the compiled form of our modules between starts, from the first of them on.
  require('node:module').enableCompileCache();
  // A word is a command, and for a server that runs; options are those of a server to be started.
  if (process.argv[2] === 'storage') {
    import('./maintain.ts');
  } else if (/^[a-z]/i.test(process.argv[2] || '')) {
    import('./cli/main.ts');
  } else {
    import('./main.ts');
  }
}
