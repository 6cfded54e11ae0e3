/**
 * Builds the console after `npm ci`, as the `prepare` script. An installation never fails because of the console: if it
 * cannot be built here, the server builds it at the first request and reports the reason on the page.
 */
'use strict';

const OLDEST_MAJOR = 24;

async function prepare() {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) {
    return `Node.js ${OLDEST_MAJOR} is required and this is ${process.versions.node}`;
  }
  try {
    require.resolve('esbuild');
  } catch {
    return 'the development dependencies are not installed';
  }
  const { ensureConsole, getCacheFolder } = await import('./build.ts');
  await ensureConsole([getCacheFolder()]);
  return undefined;
}

prepare()
  .catch((error) => error.message)
  .then((reason) => {
    if (reason !== undefined) process.stderr.write(`The console was not built: ${reason}.\n`);
  });
