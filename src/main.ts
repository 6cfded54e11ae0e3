/** The command line: reads settings, starts the server, says where it is, and stops it on a signal. */
import { enableCompileCache } from 'node:module';
import { totalmem } from 'node:os';
import { batchWrites, createLogger } from './server/log.ts';
import type { Server } from './server/open-server.ts';
import './server/quick-ticks.ts';
import { MIN_MEMORY_BYTES } from './server/settings/setting-kinds.ts';
import { formatHelpText, readSettings, SettingError, type Settings } from './server/settings/settings.ts';
import { readVersion } from './server/settings/version.ts';

// Keeps the compiled form of our modules between starts: without it a third of the start is spent on parsing.
enableCompileCache();

/** Closing takes some milliseconds when nobody is waited for; whatever is open then, the next start finds it as after a crash. */
const MAX_CLOSING_MS = 2_000;

async function main(): Promise<void> {
  const command = readSettings(process.argv.slice(2), process.env);
  switch (command.kind) {
    case 'help':
      process.stdout.write(formatHelpText());
      return;
    case 'version':
      process.stdout.write(`${readVersion()}\n`);
      return;
    case 'run':
      await run(command.settings);
  }
}

async function run(settings: Settings): Promise<void> {
  await relaunchWithin(settings);
  const { openServer } = await import('./server/open-server.ts');
  const { resolveNodeName: nodeNameOf } = await import('./server/storage/open-storage.ts');
  const format = settings.logFormat === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : settings.logFormat;
  const logger = createLogger({
    level: settings.logLevel,
    format,
    write: batchWrites((text) => process.stderr.write(text)),
    ...(settings.storage === undefined && settings.nodeName === undefined ? {} : { node: nodeNameOf(settings) }),
  });
  const server = await openServer(settings, { logger, clock: Date.now });
  const stopped = waitForStopSignal();
  const address = await listen(server, settings, logger);
  const password = await server.generatedPassword();
  process.stdout.write(formatGreeting(settings, address, server, password));
  if (password !== undefined) {
    await server.confirmPasswordSeen();
  }

  await stopped;
  logger.info('stopping: finishing the requests under way');
  const drained = new AbortController();
  const deadline = setTimeout(() => {
    logger.warn({ drainTimeoutMs: settings.drainTimeoutMs }, 'requests under way did not finish in time');
    server.app.server.closeAllConnections();
    drained.abort();
    // A disk that does not answer can keep even a closing without waiting from its end.
    setTimeout(() => process.exit(), MAX_CLOSING_MS);
  }, settings.drainTimeoutMs);
  await server.close(drained.signal);
  clearTimeout(deadline);
  // A server that is closed ends, whatever may still be open.
  setTimeout(() => process.exit(), MAX_CLOSING_MS).unref();
  if (drained.signal.aborted) {
    // Whatever still hangs would keep the process alive for ever; what was logged goes out with the next turn.
    setImmediate(() => process.stderr.write('', () => process.exit()));
  }
}

/** Starts this process once more where its memory budget needs options that Node and the C library read at the start only. */
async function relaunchWithin({ memory }: Settings): Promise<void> {
  const {
    computeAvailableBytes: availableBytes,
    createMemoryBudget,
    findNeededLaunch: neededLaunch,
  } = await import('./server/settings/memory-budget.ts');
  const available = availableBytes(totalmem(), process.constrainedMemory());
  const bytes = memory ?? available;
  if (bytes < MIN_MEMORY_BYTES) {
    throw new SettingError(
      `This machine or its cgroup has ${Math.floor(bytes / 1_048_576)} MB of memory; at least 256 MB are needed.`,
    );
  }
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  const launch = neededLaunch(createMemoryBudget(bytes), { nodeOptions: process.execArgv, environment });
  const [script = ''] = process.argv.slice(1);
  if (launch === undefined) return;
  // Windows has none.
  process.execve?.(
    process.execPath,
    [process.execPath, ...launch.nodeOptions, script, ...process.argv.slice(2)],
    launch.environment,
  );
}

async function listen(server: Server, settings: Settings, logger: ReturnType<typeof createLogger>): Promise<string> {
  const { host, port } = settings;
  // Asked for each address, of which a name may have several.
  const logAddress = (address: string) => {
    const text = `listening on ${address}`;
    logger.info(text);
    return text;
  };
  try {
    return await server.app.listen({ host, port, listenTextResolver: logAddress });
  } catch (error) {
    await server.close();
    throw new SettingError(`Cannot listen on --host ${host} --port ${port}: ${formatReason(error)}.`);
  }
}

/** The first signal to stop. Later ones change nothing: on Ctrl-C the terminal sends one, and npm another. */
function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve()).on('SIGINT', () => resolve());
  });
}

function formatGreeting(settings: Settings, address: string, server: Server, password: string | undefined): string {
  const url = `${address}${server.restRoot}`;
  // Listening on every address, it is here that a browser finds it.
  const home = settings.publicUrl ?? address.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//localhost:');
  const lines = [
    `Graticule ${readVersion()} is ready.`,
    `  REST:  ${url}`,
    `  Data:  ${settings.dataDir}`,
    `  Open in a browser:  ${home}${settings.contextPath}/`,
  ];
  if (password !== undefined) {
    lines.push(
      '',
      `The administrator is 'admin'. This is the only time the password is shown:`,
      `  ${password}`,
      '',
      'Try it:',
      `  curl -u 'admin:${password}' '${url}/workspaces.json'`,
    );
  }
  const isNew = server.isFirstStart || (password !== undefined && !settings.resetAdminPassword);
  if (isNew && !settings.closed) {
    // The reference server comes with a rule for everything, which is changed; otherwise there is none yet.
    const method = settings.compat === 'geoserver' ? 'PUT' : 'POST';
    lines.push(
      '',
      'Everybody can read the layers that you publish. To let only administrators read them:',
      `  curl -u admin -X ${method} -H 'Content-Type: application/json' -d '{"*.*.r":"ROLE_ADMINISTRATOR"}' '${url}/security/acl/layers'`,
      'A new server started with --closed has this rule from the beginning.',
    );
  }
  return `${lines.join('\n')}\n`;
}

function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

try {
  await main();
} catch (error) {
  // A wrong setting or an unusable data directory is one line; anything else keeps its stack for a bug report.
  const oneLine = error instanceof SettingError || (error instanceof Error && 'code' in error);
  const said = oneLine
    ? formatReason(error).replace(/\p{Cc}/gu, '\ufffd')
    : error instanceof Error
      ? error.stack
      : error;
  process.stderr.write(`graticule: ${said}\n`);
  process.exitCode = 1;
}
