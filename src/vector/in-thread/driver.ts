/** Runs the sources of a driver in threads, for libraries that block their thread. */
import { MessageChannel, type Transferable } from 'node:worker_threads';
import type { Bounds } from '../../crs/bounds.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import { createInterruption } from '../../lib/async/interruption.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import { runWithChannel } from '../../remote/run-with-channel.ts';
import { createMessageReader } from '../../workers/messages.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { deserializeProblem } from '../../workers/serialized-problem.ts';
import { type ConnectionParameters, type DriverContext, findRemoteUrl, type VectorDriver } from '../port/driver.ts';
import { BatchPacker, listTransferables } from '../port/packed-batch.ts';
import type { Feature, FeatureTypeDescription, IncomingFeatures, VectorSource, WriteSession } from '../port/port.ts';
import type { ValueStatistics } from '../port/value-statistics.ts';
import { createRunOptions, formatStoreKey, readUnchanged, startReading } from './read-session.ts';
import {
  type CallResult,
  type CommandResult,
  callingSource,
  type SessionMessage,
  type SourceAddress,
  type SourceCall,
  type WriterMessage,
  writingSource,
} from './source-tasks.ts';

/** Wraps a driver; only the access checks of files run on this thread. */
export function createThreadDriver(driver: VectorDriver, pool: WorkerPool, remote?: RemoteFiles): VectorDriver {
  return {
    ...driver,
    ...(remote === undefined || driver.parseRemoteUrl === undefined
      ? {}
      : { checkAccess: (parameters) => checkRemoteAccess(remote, findRemoteUrl(driver, parameters)) }),
    async open(parameters, context) {
      // Opened here only to find its capabilities: such drivers read nothing before the first call.
      const here = await driver.open(parameters, context);
      return createThreadSource(driver, { here, parameters, context, pool, remote });
    },
  };
}

/** The files on other servers, which the main thread reads for the threads. */
export interface RemoteFiles {
  readonly blocks: RemoteBlocks;
  readonly urlGate: Pick<UrlGate, 'check'>;
}

/** Like a path, a URL that the server may not open is rejected; each request is checked again when it is sent. */
async function checkRemoteAccess({ urlGate }: RemoteFiles, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const decision = await urlGate.check(url);
  if (decision.kind === 'refused') throw problem('url-refused', { url: decision.shown, reason: decision.reason });
}

/** A command can change all features of a file, and a commit can write all of it. */
const MAX_COMMAND_MS = 600_000;

/** The time for an aborted session to roll back before its thread is stopped. */
const GRACE_MS = 10_000;

function createThreadSource(
  driver: VectorDriver,
  {
    here,
    parameters,
    context,
    pool,
    remote,
  }: {
    readonly here: VectorSource;
    readonly parameters: ConnectionParameters;
    readonly context: DriverContext;
    readonly pool: WorkerPool;
    readonly remote: RemoteFiles | undefined;
  },
): VectorSource {
  let isClosed = false;
  let store: string | undefined;
  const url = findRemoteUrl(driver, parameters);
  const turns = createTurnQueue();
  const readers = { pool, blocks: remote?.blocks };
  const isAwaited = () => pool.isAwaited?.(store) ?? pool.waiting() > 0;
  const resolveAddress = async (signal: AbortSignal): Promise<SourceAddress> => {
    if (isClosed) throw new Error('The source is closed.');
    signal.throwIfAborted();
    const paths = new Map<string, string>();
    for (const parameter of driver.pathParameters ?? []) {
      const named = parameters[parameter] ?? '';
      if (driver.parseRemoteUrl?.(named) !== undefined) continue;
      paths.set(named, await context.resolvePath(named));
    }
    const found = { type: driver.type, parameters, paths, ...(url === undefined ? {} : { url }) };
    store = formatStoreKey(found);
    return found;
  };
  const runCall = async (what: SourceCall, signal: AbortSignal): Promise<CallResult> => {
    const source = await resolveAddress(signal);
    const options = createRunOptions(source, signal);
    if (remote === undefined || url === undefined) return pool.run(callingSource, { source, call: what }, options);
    return runWithChannel(remote.blocks, [url], signal, ({ input, options: { transfer = [] } }) =>
      pool.run(callingSource, { source: { ...source, ...input }, call: what }, { ...options, transfer }),
    );
  };

  return {
    ...(here.filters === undefined ? {} : { filters: here.filters }),
    ...(here.hasLevels === undefined ? {} : { hasLevels: here.hasLevels }),
    // The result type belongs to the request.
    listTypes: async (signal) =>
      (await runCall({ method: 'listTypes' }, signal)) as Awaited<ReturnType<VectorSource['listTypes']>>,
    describe: async (name, signal) =>
      (await runCall({ method: 'describe', name }, signal)) as FeatureTypeDescription | undefined,
    async *read(name, query, signal) {
      const source = await resolveAddress(signal);
      yield* readUnchanged(() => startReading(readers, { source, name, query }, signal));
    },
    ...(here.select === undefined
      ? {}
      : {
          async select(of, selection, signal) {
            const source = await resolveAddress(signal);
            const start = () => startReading(readers, { source, of, selection }, signal);
            const reading = start();
            const first = await reading.receive();
            const remainder = typeof first === 'object' && 'remainder' in first ? first.remainder : {};
            return { batches: readUnchanged(start, reading), remainder };
          },
        }),
    ...(here.count === undefined
      ? {}
      : {
          count: async (of, filter, signal) =>
            (await runCall({ method: 'count', of, filter }, signal)) as number | undefined,
        }),
    ...(here.bounds === undefined
      ? {}
      : {
          bounds: async (of, filter, signal) =>
            (await runCall({ method: 'bounds', of, filter }, signal)) as
              | { readonly bounds: Bounds | undefined }
              | undefined,
        }),
    ...(here.computeStatistics === undefined
      ? {}
      : {
          computeStatistics: async (of, request, signal) =>
            (await runCall({ method: 'statistics', of, request }, signal)) as ValueStatistics | undefined,
        }),
    ...(here.tile === undefined
      ? {}
      : {
          tile: async (of, tile, signal) =>
            (await runCall({ method: 'tile', of, tile }, signal)) as Uint8Array | undefined,
        }),
    ...(here.copyTo === undefined
      ? {}
      : { copyTo: async (path, signal) => void (await runCall({ method: 'copyTo', path }, signal)) }),
    ...(here.startWriting === undefined
      ? {}
      : {
          async startWriting(signal) {
            const releaseTurn = await turns.take(signal);
            try {
              return await startWriting(pool, await resolveAddress(signal), signal, releaseTurn);
            } catch (error) {
              releaseTurn();
              throw error;
            }
          },
        }),
    isAwaited: () => isAwaited() || turns.isTaken(),
    async close() {
      isClosed = true;
      await here.close();
    },
  };
}

async function startWriting(
  pool: WorkerPool,
  source: SourceAddress,
  signal: AbortSignal,
  onEnd: () => void,
): Promise<WriteSession> {
  const { port1: mine, port2: theirs } = new MessageChannel();
  const replies = createMessageReader<SessionMessage>(mine);
  const sendMessage = (message: WriterMessage, transfer: readonly Transferable[] = []): void =>
    mine.postMessage(message, [...transfer]);
  // The signal does not stop the thread immediately, because the session must roll back.
  const killed = new AbortController();
  const ended = pool.run(
    writingSource,
    { source, port: theirs },
    { ...createRunOptions(source, killed.signal), maxComputingMs: MAX_COMMAND_MS, transfer: [theirs] },
  );
  const failure = createInterruption();
  ended.catch(failure.interrupt);
  let isOver = false;
  const finishSession = (): void => {
    isOver = true;
    mine.close();
    signal.removeEventListener('abort', abort);
    clearTimeout(grace);
    onEnd();
  };
  // Only on failure, because the final reply can arrive after the thread is known to have ended.
  ended.catch(finishSession);
  let grace: NodeJS.Timeout | undefined;
  const abort = (): void => {
    sendMessage({ command: 'abort' });
    grace = setTimeout(() => killed.abort(signal.reason), GRACE_MS).unref();
  };
  signal.addEventListener('abort', abort);

  const receiveNext = (): Promise<SessionMessage> => failure.guard(replies.next());

  /** Sends a command and waits for its reply; `between` handles other messages. */
  const sendCommand = async (
    message: WriterMessage,
    between: (message: SessionMessage) => Promise<void> = async () => undefined,
  ): Promise<CommandResult> => {
    sendMessage(message);
    for (;;) {
      const reply = await receiveNext();
      if (typeof reply === 'string') {
        await between(reply);
      } else if ('problem' in reply) {
        throw deserializeProblem(reply.problem);
      } else if ('fault' in reply) {
        signal.throwIfAborted();
        throw reply.fault;
      } else {
        return reply.value;
      }
    }
  };

  await receiveNext();
  return {
    async createType(type) {
      await sendCommand({ command: 'createType', type });
    },
    async write(features, mode) {
      const { name, attributes } = features;
      const supply = createBatchSupply(features, sendMessage);
      try {
        const written = await sendCommand({ command: 'write', name, attributes, mode }, supply.answer);
        return String(written);
      } catch (error) {
        throw supply.failure() ?? error;
      } finally {
        await supply.end();
      }
    },
    async describe(name) {
      return (await sendCommand({ command: 'describe', name })) as FeatureTypeDescription | undefined;
    },
    insert: async (name, features) => (await sendCommand({ command: 'insert', name, features })) as readonly string[],
    update: async (name, changes, filter) =>
      (await sendCommand({ command: 'update', name, changes, filter })) as readonly string[],
    remove: async (name, filter) => (await sendCommand({ command: 'remove', name, filter })) as readonly string[],
    find: async (name, filter) => (await sendCommand({ command: 'find', name, filter })) as readonly Feature[],
    async commit() {
      await sendCommand({ command: 'commit' });
      await ended;
      finishSession();
    },
    async rollback() {
      // A stopped thread has rolled back everything.
      if (isOver) return;
      await sendCommand({ command: 'rollback' });
      await ended;
      finishSession();
    },
  };
}

/** Sessions that write the same file take turns, so that waiting sessions occupy no threads. */
function createTurnQueue() {
  let last: Promise<unknown> = Promise.resolve();
  const takers = new Set<symbol>();
  return {
    /** Whether a session writes or waits. */
    isTaken: () => takers.size > 0,
    /** Returns a function that ends the turn; waiting stops on abort. */
    async take(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const taker = Symbol();
      const [own, before] = [Promise.withResolvers<void>(), last];
      const given = createInterruption();
      const giveUp = () => given.interrupt(signal.reason);
      last = before.then(() => own.promise);
      takers.add(taker);
      const leave = () => {
        takers.delete(taker);
        own.resolve();
      };
      signal.addEventListener('abort', giveUp);
      try {
        await given.guard(before);
        return leave;
      } catch (error) {
        leave();
        throw error;
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}

/** Supplies features batch by batch on request. */
function createBatchSupply(
  features: IncomingFeatures,
  say: (message: WriterMessage, transfer?: readonly Transferable[]) => void,
) {
  const packer = new BatchPacker();
  const iterator: AsyncIterator<readonly Feature[]> = features.batches[Symbol.asyncIterator]();
  let failure: unknown;
  return {
    async answer(message: SessionMessage): Promise<void> {
      if (message === 'progress') features.progress?.();
      if (message !== 'next batch') return;
      try {
        const { done, value } = await iterator.next();
        const batch = done === true ? undefined : packer.pack(value);
        say({ command: 'batch', batch }, batch && listTransferables(batch));
      } catch (error) {
        failure = error;
        say({ command: 'failed' });
      }
    },
    failure: () => failure,
    async end(): Promise<void> {
      await iterator.return?.();
    },
  };
}
