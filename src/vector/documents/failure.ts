/** Converts database failures to public messages; the original messages can reveal too much. */
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

/** Error numbers of the database. */
const byNumber: Readonly<Record<number, string>> = {
  13: 'the database user lacks the required permission',
  18: 'the database rejected the user or the password',
  50: 'no response in time',
  59: 'the database does not support a required command',
  8000: 'the database rejected the user or the password',
};

/** The driver distinguishes these only by their messages. */
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

/** Returns problems and internal errors unchanged, and database errors as a problem. */
export function toProblem(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const code = findErrorCode(error);
  const isOfDatabase = error instanceof MongoError || isDamage(error) || (code !== undefined && code in byCode);
  return isOfDatabase ? problem('store-unreachable', { name, reason: getReason(error) }) : error;
}

/** Whether the response is not a valid document: broken, or nested too deep. */
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

/** A failed server selection contains the last error of each server. */
function findInnerError(error: Error): Error | undefined {
  if (error instanceof MongoServerSelectionError) {
    const servers = error.reason?.servers.values() ?? [];
    return [...servers].map((server) => server.error).find((each) => each instanceof Error);
  }
  return error.cause instanceof Error ? error.cause : undefined;
}
