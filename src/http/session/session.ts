/** What a request works with from its way in to its reply: one state for a read, a change that is noted or only tried. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { parseAccept } from '../negotiate/negotiation.ts';
import { createFlagParameter } from '../request/query.ts';

/** A dry run does all that a write does, and keeps nothing of it. */
export type SessionKind = 'read' | 'write' | 'dry run';

/** A change as clients see it. There may be very many items: they are made while those before them are sent. */
export interface ChangeDocument {
  /** All that stands before the items. */
  readonly head: { readonly sequence: number | null; readonly [member: string]: unknown };
  readonly items: AsyncIterable<object>;
}

export interface Session<S> {
  readonly services: S;
  /** The number of a change that is at least that of every one answered before the request arrived. */
  position(): number;
  /** The number of the change that the request has made; null if it made none. */
  changeNumber(): number | null;
  /**
   * Gives what tells this client of the change once it is made or tried, as a document. To be asked for before: what
   * may be shown goes by the rights that the work is done with, and the work may change them.
   */
  prepareChangeDocument(principal: Principal): Promise<() => Promise<ChangeDocument>>;
  close(): void;
}

/** A change once it is certain. */
export interface CommittedChange {
  readonly sequence: number;
  readonly atMs: number;
  readonly what: string;
}

/** A session whose changes are kept together in the end, as one. */
export interface TransactionSession<S> extends Session<S> {
  /** Says what all of it is called. */
  setChangeName(what: string): void;
  /** Runs work of one or more changes; if it throws they are taken back, and what was before them stays. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** What has got other names so far, by those it had. */
  getRenames(): ReadonlyMap<string, string>;
}

export interface TransactionResult<T> {
  readonly result: T;
  /** Null if nothing was changed, or all of it only tried. */
  readonly change: CommittedChange | null;
}

export interface Sessions<S> {
  open(kind: SessionKind): Session<S>;
  /**
   * Runs work in a session whose changes are kept as one, when it ends; if it throws, nothing is. It is run again if
   * others have changed meanwhile what it has read.
   */
  runInTransaction<T>(
    how: TransactionOptions<T>,
    work: (session: TransactionSession<S>) => Promise<T>,
  ): Promise<TransactionResult<T>>;
  /** Sees to it that what is read from now on is not older than the last reply; undefined where that takes no time. */
  refresh(): Promise<void> | undefined;
  /** The number of the last change that reads show. */
  position(): number;
}

export interface TransactionOptions<T> {
  readonly isDryRun: boolean;
  readonly principal: Principal;
  /** What is kept of the reply, in the same transaction as the change; null if nothing was changed. */
  readonly reply?: (result: T, change: CommittedChange | null) => StoredReply;
}

/** The reply to a request that may be sent again. */
export interface StoredReply {
  /** Identifies the account. */
  readonly who: string;
  readonly key: string;
  /** What tells the request from others. */
  readonly request: string;
  readonly reply: string;
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What asks for the change instead of the usual body. */
export const changeMediaType = 'application/vnd.graticule.change+json';

export const dryRunParameter = createFlagParameter(
  'Do everything but keep nothing of it; the reply is that of the real one.',
);

export function readSessionKind(method: string, rawQuery: string): SessionKind {
  if (readMethods.has(method)) {
    return 'read';
  }
  return parseDryRun(rawQuery) === true ? 'dry run' : 'write';
}

/** Refuses what cannot be tried, and what is no answer to whether it should be. */
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

/** Whether a client wants to see the change: only who names it by its media type. */
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
 * The flag, or a value that is none; undefined where it is not sent. Other flags have more spellings than this one, and
 * their names only one; but who meant to try must not have done it, so that a name in other letters counts as well, and
 * of several values all must say the same.
 */
function parseDryRun(rawQuery: string): boolean | string | undefined {
  // Hardly any request has it; but any letter may be escaped.
  if (rawQuery === '' || !/dryrun|%/i.test(rawQuery)) {
    return undefined;
  }
  const sent = [...new URLSearchParams(rawQuery)].filter(([name]) => name.toLowerCase() === 'dryrun');
  const values = new Set(sent.map(([, value]) => value));
  const [value] = values;
  return value === undefined || values.size > 1 ? value && [...values].join(', ') : (dryRunValues.get(value) ?? value);
}
