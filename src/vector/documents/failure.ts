/** What a failing document database tells, in words that a client may read: never its own, which may tell too much. */
import { MongoError, MongoNetworkTimeoutError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';

const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection to its host and port was refused',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved at present',
  ETIMEDOUT: 'the host does not respond',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the host is unreachable',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
};

/** Numbers of errors that the database itself reports. */
const byNumber: Readonly<Record<number, string>> = {
  13: 'the database user lacks the required permission',
  18: 'the database rejected the user or the password',
  50: 'no response in time',
  59: 'the database does not support a required command',
  8000: 'the database rejected the user or the password',
};

/** The driver tells these apart by their words only. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [/auth/i, 'the database rejected the user or the password'],
  [/certificate|SSL|TLS|self.signed/i, 'an encrypted connection is not possible'],
  [/wire version/i, 'the database version is too old'],
  [
    /BSON|opcode|message length|response|Invalid message|size of/i,
    'the server at its host and port is not a document database',
  ],
  [/timed out|timeout/i, 'the host does not respond'],
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
  if (isDamage(error)) return 'the server at its host and port is not a document database';
  const code = findErrorCode(error);
  if (code !== undefined && byCode[code] !== undefined) return byCode[code];
  if (error instanceof MongoServerError) {
    const number = Number(error.code);
    return byNumber[number] ?? `the database reported error ${Number.isFinite(number) ? number : 'unknown'}`;
  }
  const inner = findInnerError(error);
  if (inner !== undefined && depth < 4) return getReason(inner, depth + 1);
  if (error instanceof MongoNetworkTimeoutError) return 'the host does not respond';
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
