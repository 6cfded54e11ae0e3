/** The session of a request: a snapshot for a read, or a change that is committed or only tried. */
import type { Principal } from '../../lib/identity/principal.ts';
import type { Problem } from '../../lib/problems/problem.ts';

/** A dry run does the same as a write and then discards it. */
export type SessionKind = 'read' | 'write' | 'dry run';

/** A change as clients see it. Items are streamed, because there can be very many. */
export interface ChangeDocument {
  /** All members before the items. */
  readonly head: { readonly sequence: number | null; readonly [member: string]: unknown };
  readonly items: AsyncIterable<object>;
}

/** A call to authorize. */
export interface AuthorizationRequest {
  readonly principal: Principal;
  /** The role that the matched route requires. */
  readonly role: string;
  readonly method: string;
  /** Whether the route changes anything. */
  readonly isWrite: boolean;
  /**
   * Computed only if a rule needs it. The matched path below the context path: literal segments, including `rest`, and
   * the values of variables.
   */
  readonly getPath: () => readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

/** Evaluates the access rules: returns the reason for a rejection, or undefined if the call is permitted. */
export type Authorize = (call: AuthorizationRequest) => Promise<Problem | undefined>;

export interface Session<S> {
  readonly services: S;
  /** Reads the same state as the services. */
  readonly authorize: Authorize;
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
