/** The session of a request: a snapshot for a read, or a change that is committed or only tried. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { parseAccept } from '../negotiate/negotiation.ts';
import { createFlagParameter } from '../request/query.ts';

/** A dry run does the same as a write and then discards it. */
export type SessionKind = 'read' | 'write' | 'dry run';

/** A change as clients see it. Items are streamed, because there can be very many. */
export interface ChangeDocument {
  /** All members before the items. */
  readonly head: { readonly sequence: number | null; readonly [member: string]: unknown };
  readonly items: AsyncIterable<object>;
}

export interface Session<S> {
  readonly services: S;
  /** A change number at least as high as in every response sent before the request arrived. */
  position(): number;
  /** The number of the change that the request made; null if it made none. */
  changeNumber(): number | null;
  /**
   * Returns a function that builds the change document after the change. Call it before the change: the permissions at
   * that time decide what is shown, and the change can modify them.
   */
  prepareChangeDocument(principal: Principal): Promise<() => Promise<ChangeDocument>>;
  close(): void;
}

/** A committed change. */
export interface CommittedChange {
  readonly sequence: number;
  readonly atMs: number;
  readonly what: string;
}

/** A session whose changes are committed together. */
export interface TransactionSession<S> extends Session<S> {
  /** Sets the description of the change. */
  setChangeName(what: string): void;
  /** Runs the work; if it throws, its changes are rolled back and earlier changes stay. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** New names of renamed resources by their former names. */
  getRenames(): ReadonlyMap<string, string>;
}

export interface TransactionResult<T> {
  readonly result: T;
  /** Null if nothing was changed, or in a dry run. */
  readonly change: CommittedChange | null;
}

export interface Sessions<S> {
  open(kind: SessionKind): Session<S>;
  /**
   * Runs the work and commits its changes together. If it throws, nothing is committed. Repeats the work if another
   * change modifies what it has read.
   */
  runInTransaction<T>(
    how: TransactionOptions<T>,
    work: (session: TransactionSession<S>) => Promise<T>,
  ): Promise<TransactionResult<T>>;
  /** Ensures that subsequent reads are not older than the last response; undefined if that takes no time. */
  refresh(): Promise<void> | undefined;
  /** The number of the last visible change. */
  position(): number;
}

export interface TransactionOptions<T> {
  readonly isDryRun: boolean;
  readonly principal: Principal;
  /** Returns the response to store in the same transaction; the change is null if nothing was changed. */
  readonly reply?: (result: T, change: CommittedChange | null) => StoredReply;
}

/** A stored response of an idempotent request. */
export interface StoredReply {
  /** Identifies the account. */
  readonly who: string;
  readonly key: string;
  /** The fingerprint of the request. */
  readonly request: string;
  readonly reply: string;
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The media type that requests the change instead of the usual body. */
export const changeMediaType = 'application/vnd.graticule.change+json';

export const dryRunParameter = createFlagParameter(
  'Execute the request without saving anything; the response is the same.',
);

export function readSessionKind(method: string, rawQuery: string): SessionKind {
  if (readMethods.has(method)) {
    return 'read';
  }
  return parseDryRun(rawQuery) === true ? 'dry run' : 'write';
}

/** Rejects dry runs of reads and invalid values. */
export function checkDryRun(method: string, rawQuery: string): void {
  const sent = parseDryRun(rawQuery);
  if (sent === undefined) {
    return;
  }
  if (readMethods.has(method)) {
    throw problem('dry-run-on-read', { field: 'dryRun' });
  }
  if (typeof sent === 'string') {
    throw problem('query-invalid', { parameter: 'dryRun', value: sent, expected: 'true or false', field: 'dryRun' });
  }
}

/** Whether the client requests the change by its media type. */
export function acceptsChange(headers: IncomingHttpHeaders): boolean {
  const { accept } = headers;
  return (
    accept?.includes('vnd.graticule.change') === true &&
    parseAccept(accept).some(({ type, subtype, quality }) => `${type}/${subtype}` === changeMediaType && quality > 0)
  );
}

const dryRunValues: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Returns the flag, an invalid value, or undefined if it is not sent. It is stricter than other flags, because a client
 * that intends a dry run must not change anything: the name is case-insensitive, and repeated values must agree.
 */
function parseDryRun(rawQuery: string): boolean | string | undefined {
  // A quick check: few requests have the parameter, but any letter can be percent-encoded.
  if (rawQuery === '' || !/dryrun|%/i.test(rawQuery)) {
    return undefined;
  }
  const sent = [...new URLSearchParams(rawQuery)].filter(([name]) => name.toLowerCase() === 'dryrun');
  const values = new Set(sent.map(([, value]) => value));
  const [value] = values;
  return value === undefined || values.size > 1 ? value && [...values].join(', ') : (dryRunValues.get(value) ?? value);
}
