/** Thread tasks for a source: one call, one read, or one write session. */
import type { MessagePort } from 'node:worker_threads';
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import { createMessageReader } from '../../workers/messages.ts';
import { type SerializedProblem, serializeError } from '../../workers/serialized-problem.ts';
import type { Task } from '../../workers/task.ts';
import { vectorDrivers } from '../drivers.ts';
import type { ConnectionParameters } from '../port/driver.ts';
import { BatchPacker, listTransferables, type PackedBatch, unpackBatch } from '../port/packed-batch.ts';
import type {
  Attribute,
  Feature,
  FeatureTypeDescription,
  NewFeatureType,
  NewValues,
  ReadQuery,
  SourceQuery,
  SourceTile,
  TypeSummary,
  VectorSource,
  WriteSession,
} from '../port/port.ts';
import { splitBatch } from '../port/split-batch.ts';
import type { SqlView } from '../port/sql-view.ts';
import type { StatisticsRequest, ValueStatistics } from '../port/value-statistics.ts';

/** The address of a source; the main thread has checked access to its files. */
export interface SourceAddress {
  readonly type: string;
  readonly parameters: ConnectionParameters;
  /** The resolved locations of the files in the parameters. */
  readonly paths: ReadonlyMap<string, string>;
  /** The file on another server that it reads, and the channel to it. */
  readonly url?: string;
  readonly channel?: RangeChannel;
}

export type SourceCall =
  | { readonly method: 'listTypes' }
  | { readonly method: 'describe'; readonly name: string }
  | { readonly method: 'copyTo'; readonly path: string }
  | { readonly method: 'tile'; readonly of: QueryTarget; readonly tile: SourceTile }
  | { readonly method: 'statistics'; readonly of: QueryTarget; readonly request: StatisticsRequest }
  | { readonly method: 'count' | 'bounds'; readonly of: QueryTarget; readonly filter: ResolvedFilter | undefined };

type QueryTarget = string | SqlView;

export type CallResult =
  | readonly TypeSummary[]
  | FeatureTypeDescription
  | number
  | { readonly bounds: Bounds | undefined }
  | ValueStatistics
  | Uint8Array
  | undefined;

interface PortSession {
  readonly source: SourceAddress;
  readonly port: MessagePort;
}

/** A `read`, or a `select`, which first reports its remainder. */
export type NewReading = Omit<PortSession, 'port'> &
  (
    | { readonly name: string; readonly query: ReadQuery }
    | { readonly of: QueryTarget; readonly selection: SourceQuery }
  );

type ReadingInput = PortSession & NewReading;

/** Message from the reader: request a batch or stop. Message to the reader: a batch or the end. */
export type ReaderMessage = 'more' | 'stop';
export type ReadingMessage = { readonly batch: PackedBatch } | { readonly remainder: SourceQuery } | 'end';

/** Message of the session owner; batches follow on request while features are written. */
export type WriterMessage =
  | { readonly command: 'createType'; readonly type: NewFeatureType }
  | {
      readonly command: 'write';
      readonly name: string;
      readonly attributes: readonly Attribute[];
      readonly mode: 'append' | 'overwrite';
    }
  | { readonly command: 'describe'; readonly name: string }
  | { readonly command: 'insert'; readonly name: string; readonly features: readonly NewValues[] }
  | {
      readonly command: 'update';
      readonly name: string;
      readonly changes: NewValues;
      readonly filter: ResolvedFilter;
    }
  | { readonly command: 'remove' | 'find'; readonly name: string; readonly filter: ResolvedFilter }
  | { readonly command: 'commit' | 'rollback' }
  | { readonly command: 'batch'; readonly batch: PackedBatch | undefined }
  /** There are no more features, for a reason that the owner knows. */
  | { readonly command: 'failed' }
  /** The signal of the session was given. */
  | { readonly command: 'abort' };

export type SessionMessage = 'started' | 'next batch' | 'progress' | SessionReply;

/** The result of a session command: a table name, a description, ids, features, or nothing. */
export type CommandResult = string | FeatureTypeDescription | readonly string[] | readonly Feature[] | undefined;

/** The outcome of a command. */
export type SessionReply =
  | { readonly value: CommandResult }
  | { readonly problem: SerializedProblem }
  | { readonly fault: unknown };

const module = import.meta.url;

export const callingSource: Task<{ readonly source: SourceAddress; readonly call: SourceCall }, CallResult> = {
  module,
  name: 'callSource',
  work: callSource,
};
export const readingSource: Task<ReadingInput, void> = { module, name: 'readSource', work: readSource };
export const writingSource: Task<PortSession, void> = { module, name: 'writeSource', work: writeSource };

/** Callers cancel by stopping the thread. */
const never = new AbortController().signal;

export function callSource(input: { readonly source: SourceAddress; readonly call: SourceCall }): Promise<CallResult> {
  return withSource(input.source, async (source): Promise<CallResult> => {
    const { call } = input;
    switch (call.method) {
      case 'listTypes':
        return source.listTypes(never);
      case 'describe':
        return source.describe(call.name, never);
      case 'count':
        return source.count?.(call.of, call.filter, never);
      case 'bounds':
        return source.bounds?.(call.of, call.filter, never);
      case 'statistics':
        return source.computeStatistics?.(call.of, call.request, never);
      case 'tile':
        return source.tile?.(call.of, call.tile, never);
      case 'copyTo':
        await source.copyTo?.(call.path, never);
        return undefined;
    }
  });
}

export function readSource(reading: ReadingInput): Promise<void> {
  const { port } = reading;
  return withSource(reading.source, async (source) => {
    const wishes = createMessageReader<ReaderMessage>(port, { whenClosed: 'stop' });
    const packer = new BatchPacker();
    try {
      for await (const features of await startReading(source)) {
        for (const part of splitBatch(features)) {
          if ((await wishes.next()) === 'stop') return;
          const batch = packer.pack(part);
          port.postMessage({ batch } satisfies ReadingMessage, listTransferables(batch));
        }
      }
    } finally {
      sendMessage(port, 'end');
    }
  }).finally(() => port.close());

  async function startReading(source: VectorSource): Promise<AsyncIterable<readonly Feature[]>> {
    if (!('selection' in reading)) return source.read(reading.name, reading.query, never);
    const selection = await source.select?.(reading.of, reading.selection, never);
    if (selection === undefined) throw new Error('The source does not support selections.');
    sendMessage(port, { remainder: selection.remainder });
    return selection.batches;
  }

  function sendMessage(to: MessagePort, message: ReadingMessage): void {
    to.postMessage(message);
  }
}

export async function writeSource({ source: address, port }: PortSession): Promise<void> {
  const given = new AbortController();
  const messages = createMessageReader<WriterMessage>(port, {
    filter(message) {
      if (message.command === 'abort') given.abort();
      return message.command !== 'abort';
    },
    whenClosed: { command: 'rollback' },
  });
  const sendMessage = (message: SessionMessage): void => port.postMessage(message);
  try {
    await withSource(address, async (source) => {
      const session = await source.startWriting?.(given.signal);
      if (session === undefined) throw new Error('The source is read-only.');
      sendMessage('started');
      for (;;) {
        const message = await messages.next();
        const outcome = await toReply(() => executeCommand(session, message));
        sendMessage(outcome);
        // After a failed commit a rollback is still required.
        if (message.command === 'rollback' || (message.command === 'commit' && 'value' in outcome)) return;
      }
    });
  } finally {
    port.close();
  }

  async function executeCommand(session: WriteSession, message: WriterMessage): Promise<CommandResult> {
    switch (message.command) {
      case 'createType':
        await session.createType(message.type);
        return undefined;
      case 'write':
        return session.write(
          {
            name: message.name,
            attributes: message.attributes,
            batches: receiveBatches(),
            progress: () => sendMessage('progress'),
          },
          message.mode,
        );
      case 'describe':
        return session.describe(message.name);
      case 'insert':
        return session.insert(message.name, message.features);
      case 'update':
        return session.update(message.name, message.changes, message.filter);
      case 'remove':
        return session.remove(message.name, message.filter);
      case 'find':
        return session.find(message.name, message.filter);
      case 'commit':
        await session.commit();
        return undefined;
      case 'rollback':
        await session.rollback();
        return undefined;
      default:
        throw new Error(`Unexpected message '${message.command}': a command was expected.`);
    }
  }

  async function* receiveBatches(): AsyncGenerator<readonly Feature[]> {
    for (;;) {
      sendMessage('next batch');
      const message = await messages.next();
      if (message.command !== 'batch') throw new Error('The stream of features to be written was aborted.');
      if (message.batch === undefined) return;
      yield unpackBatch(message.batch);
    }
  }
}

async function toReply(work: () => Promise<CommandResult>): Promise<SessionReply> {
  try {
    return { value: await work() };
  } catch (error) {
    const problem = serializeError(error);
    return problem === undefined ? { fault: error } : { problem };
  }
}

async function withSource<T>(address: SourceAddress, work: (source: VectorSource) => Promise<T>): Promise<T> {
  const driver = vectorDrivers.find(({ type }) => type === address.type);
  if (driver === undefined) throw new Error(`Unknown driver type '${address.type}'.`);
  const source = await driver.open(address.parameters, {
    ...(address.channel === undefined ? {} : { ranges: address.channel }),
    async resolvePath(named) {
      const path = address.paths.get(named);
      if (path === undefined) throw new Error(`The path of '${named}' was not resolved.`);
      return path;
    },
  });
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}
