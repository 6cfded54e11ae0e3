/** What a failing document database tells, in words that a client may read: never its own, which may tell too much. */
import { MongoError, MongoNetworkTimeoutError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';

const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at its host and port',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of its host cannot be looked up at present',
  ETIMEDOUT: 'its host does not answer',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its host',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
};

/** Numbers of errors that the database itself reports. */
const byNumber: Readonly<Record<number, string>> = {
  13: 'the user has not the permission that is needed',
  18: 'the database does not accept the user or the password',
  50: 'it did not answer in time',
  59: 'the database does not know a command that is needed',
  8000: 'the database does not accept the user or the password',
};

/** The driver tells these apart by their words only. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [/auth/i, 'the database does not accept the user or the password'],
  [/certificate|SSL|TLS|self.signed/i, 'no encrypted connection can be made to it'],
  [/wire version/i, 'the database is too old'],
  [/BSON|opcode|message length|response|Invalid message|size of/i, 'what answers there is no document database'],
  [/timed out|timeout/i, 'its host does not answer'],
  [/closed|lost|interrupted/i, 'the connection was lost'],
];

/** What the caller gets: problems and faults of our own as they are, the database's as a problem. */
export function toProblem(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = findErrorCode(error);
  const isOfDatabase = error instanceof MongoError || isDamage(error) || (code !== undefined && code in byCode);
  return isOfDatabase ? problem('store-unreachable', { name, reason: getReason(error) }) : error;
}

/** A document that no database of the kind would send: broken, or nested deeper than can be read. */
function isDamage(error: Error): boolean {
  return (
    error.name.startsWith('BSON') ||
    (error instanceof RangeError && /call stack|OP_REPLY|offset|length/.test(error.message))
  );
}

function getReason(error: Error, depth = 0): string {
  if (isDamage(error)) return 'what answers there is no document database';
  const code = findErrorCode(error);
  if (code !== undefined && byCode[code] !== undefined) return byCode[code];
  if (error instanceof MongoServerError) {
    const number = Number(error.code);
    return byNumber[number] ?? `the database reports the error ${Number.isFinite(number) ? number : 'unknown'}`;
  }
  const inner = findInnerError(error);
  if (inner !== undefined && depth < 4) return getReason(inner, depth + 1);
  if (error instanceof MongoNetworkTimeoutError) return 'its host does not answer';
  const [, words] = byMessage.find(([pattern]) => pattern.test(error.message)) ?? [];
  return words ?? 'the connection failed';
}

/** Who waits in vain for a server is told what the last attempt at each met. */
function findInnerError(error: Error): Error | undefined {
  if (error instanceof MongoServerSelectionError) {
    const servers = error.reason?.servers.values() ?? [];
    return [...servers].map((server) => server.error).find((each) => each instanceof Error);
  }
  return error.cause instanceof Error ? error.cause : undefined;
}
