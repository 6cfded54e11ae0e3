/** The server command: reads the settings, starts the server, prints its address and stops it on a signal. */
import { enableCompileCache } from 'node:module';
import type { AccessLog } from './server/access-log.ts';
import type { AuditLog } from './server/audit-log.ts';
import { batchWrites, createLogger } from './server/log.ts';
import { notifySystemd, type SystemdNotice } from './server/notify-systemd.ts';
import type { Server } from './server/open-server.ts';
import './server/quick-ticks.ts';
import {
  formatHelpText,
  type HelpOptions,
  readSettings,
  SettingError,
  type Settings,
} from './server/settings/settings.ts';
import { readVersion } from './server/settings/version.ts';

// Cache the compiled modules between starts: parsing takes a third of the start-up time without the cache.
enableCompileCache();

/**
 * Closing without waiting for requests takes a few milliseconds. The next start recovers open files as after a crash.
 */
const MAX_CLOSING_MS = 2_000;

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const command = readSettings(words[0] === 'serve' ? words.slice(1) : words, process.env);
  switch (command.kind) {
    case 'help':
      process.stdout.write(formatHelpText(await collectHelp()));
      return;
    case 'version':
      process.stdout.write(`${readVersion()}\n`);
      return;
    case 'run':
      await run(command.settings);
  }
}

async function collectHelp(): Promise<HelpOptions> {
  const { commands, serverCommands } = await import('./cli/commands.ts');
  const summaries = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return {
    program: process.env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'graticule',
    commands: { ...serverCommands, ...Object.fromEntries(summaries) },
  };
}

async function run(settings: Settings): Promise<void> {
  await relaunchWithin(settings);
  const { openServer } = await import('./server/open-server.ts');
  const { resolveNodeName } = await import('./server/storage/open-storage.ts');
  const format = settings.logFormat === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : settings.logFormat;
  const logger = createLogger({
    level: settings.logLevel,
    format,
    write: batchWrites((text) => process.stderr.write(text)),
    ...(isSingle(settings) && settings.nodeName === undefined ? {} : { node: resolveNodeName(settings) }),
  });
  const stopTracing = await openTracing(logger);
  const accessLog = await openAccessLog(settings, logger);
  const auditLog = await openAuditLog(settings, logger);
  const server = await openServer(settings, {
    logger,
    logAccess: accessLog?.write,
    logAudit: auditLog?.write,
    countDroppedLines: () => ({ access: accessLog?.droppedLines ?? 0, audit: auditLog?.droppedLines ?? 0 }),
    clock: Date.now,
  });
  const stopped = waitForStopSignal();
  const address = await listen(server, settings, logger);
  const password = await server.generatedPassword();
  process.stdout.write(formatGreeting(settings, address, server, password));
  if (password !== undefined) {
    await server.confirmPasswordSeen();
  }
  const notify = (notice: SystemdNotice) =>
    notifySystemd(notice, process.env, (err) => logger.warn({ err }, 'cannot report the state to systemd'));
  notify({ state: 'READY', status: `Listening on ${address}` });

  await stopped;
  notify({ state: 'STOPPING', status: 'Waiting for requests in progress' });
  logger.info('stopping: waiting for requests in progress');
  const drained = new AbortController();
  const deadline = setTimeout(() => {
    logger.warn(
      { drainTimeoutMs: settings.drainTimeoutMs },
      'requests in progress did not finish within the drain timeout',
    );
    server.app.server.closeAllConnections();
    drained.abort();
    // A disk that does not respond can block even this close.
    setTimeout(() => process.exit(), MAX_CLOSING_MS);
  }, settings.drainTimeoutMs);
  await server.close(drained.signal);
  clearTimeout(deadline);
  await accessLog?.close();
  await auditLog?.close();
  await stopTracing?.();
  // Exit even if handles are still open.
  setTimeout(() => process.exit(), MAX_CLOSING_MS).unref();
  if (drained.signal.aborted) {
    // A hanging request would keep the process alive. Flush the log first.
    setImmediate(() => process.stderr.write('', () => process.exit()));
  }
}

function isSingle({ storage, storageFile }: Settings): boolean {
  return storage === undefined && storageFile === undefined;
}

async function openAccessLog(
  { accessLog: file, accessLogFormat: format }: Settings,
  logger: ReturnType<typeof createLogger>,
): Promise<AccessLog | undefined> {
  if (file === undefined) return undefined;
  const { AccessLog } = await import('./server/access-log.ts');
  const append = await openLogFile('--access-log', file);
  const onError = (err: unknown) =>
    logger.error({ err }, 'cannot write to the access log; its lines are kept in memory and written again');
  return new AccessLog({ format, clock: Date.now, append, onError });
}

/** Nothing is loaded unless the environment configures a collector. */
async function openTracing(logger: ReturnType<typeof createLogger>): Promise<(() => Promise<void>) | undefined> {
  if (!Object.keys(process.env).some((name) => name.startsWith('OTEL_EXPORTER_OTLP_'))) return undefined;
  const { readTraceSettings } = await import('./server/tracing/trace-settings.ts');
  const { startTracing } = await import('./server/tracing/start-tracing.ts');
  try {
    const settings = readTraceSettings(process.env, { version: readVersion() });
    return settings && startTracing(settings, logger);
  } catch (error) {
    throw new SettingError(`${formatReason(error)}.`);
  }
}

async function openAuditLog(
  { auditLog: file }: Settings,
  logger: ReturnType<typeof createLogger>,
): Promise<AuditLog | undefined> {
  if (file === undefined) return undefined;
  const { AuditLog } = await import('./server/audit-log.ts');
  const append = await openLogFile('--audit-log', file);
  const onError = (err: unknown) =>
    logger.error({ err }, 'cannot write to the audit log; its lines are kept in memory and written again');
  return new AuditLog({ clock: Date.now, append, onError });
}

/** Returns a function that appends lines; fails at once if the file is not writable. */
async function openLogFile(option: string, file: string): Promise<(lines: string) => Promise<void>> {
  const { appendToFile } = await import('./server/line-writer.ts');
  const append = appendToFile(file);
  try {
    await append('');
    return append;
  } catch (error) {
    throw new SettingError(`Cannot write to ${option} '${file}': ${formatReason(error)}.`);
  }
}

/** Restarts this process if its memory budget needs options that Node and the C library read only at start-up. */
async function relaunchWithin(settings: Settings): Promise<void> {
  const { computeBudgetBytes, computeWorkers, createMemoryBudget, findNeededLaunch } = await import(
    './server/settings/memory-budget.ts'
  );
  const bytes = computeBudgetBytes(settings);
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  const budget = createMemoryBudget(bytes, computeWorkers(settings));
  const launch = findNeededLaunch(budget, { nodeOptions: process.execArgv, environment });
  const [script = ''] = process.argv.slice(1);
  if (launch === undefined) return;
  // process.execve does not exist on Windows.
  process.execve?.(
    process.execPath,
    [process.execPath, ...launch.nodeOptions, script, ...process.argv.slice(2)],
    launch.environment,
  );
}

async function listen(server: Server, settings: Settings, logger: ReturnType<typeof createLogger>): Promise<string> {
  const { host, port } = settings;
  // Fastify calls this function once per address; a host name can resolve to several.
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

/** Resolves on the first stop signal. Later signals are ignored: on Ctrl-C both the terminal and npm send one. */
function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve()).on('SIGINT', () => resolve());
  });
}

function formatGreeting(settings: Settings, address: string, server: Server, password: string | undefined): string {
  const url = `${address}${server.restRoot}`;
  // A browser cannot open a wildcard address.
  const home = settings.publicUrl ?? address.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//localhost:');
  const lines = [
    `Graticule ${readVersion()} is ready.`,
    `  REST:  ${url}`,
    `  Data:  ${settings.dataDir}`,
    `  ${settings.noConsole ? 'Open in a browser:' : 'Console:'}  ${home}${settings.contextPath}/${settings.noConsole ? '' : 'console/'}`,
  ];
  if (password !== undefined) {
    lines.push(
      '',
      `Sign in as 'admin'. The password is shown only this once:`,
      `  ${password}`,
      '',
      'Example:',
      `  curl -u 'admin:${password}' '${url}/workspaces.json'`,
    );
  }
  const isNew = server.isFirstStart || (password !== undefined && !settings.resetAdminPassword);
  if (isNew && !settings.closed) {
    // In compatibility mode this rule exists from the start and must be replaced.
    const method = settings.compat === 'geoserver' ? 'PUT' : 'POST';
    lines.push(
      '',
      'All users can read published layers. To restrict reading to administrators, run:',
      `  curl -u admin -X ${method} -H 'Content-Type: application/json' -d '{"*.*.r":"ROLE_ADMINISTRATOR"}' '${url}/security/acl/layers'`,
      'To create this rule on a new server, start it with --closed.',
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
  // Print setting errors and system errors as one line, and all others with their stack for a bug report.
  const oneLine = error instanceof SettingError || (error instanceof Error && 'code' in error);
  const message = oneLine
    ? formatReason(error).replace(/\p{Cc}/gu, '\ufffd')
    : error instanceof Error
      ? error.stack
      : error;
  process.stderr.write(`graticule: ${message}\n`);
  process.exitCode = 1;
}
