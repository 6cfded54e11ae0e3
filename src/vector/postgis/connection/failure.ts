/** Converts database failures to public messages; the original messages can reveal too much. */
import { DatabaseError } from 'pg';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';

const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection to its host and port was refused',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved at present',
  ETIMEDOUT: 'the host does not respond',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the host is unreachable',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  '28000': 'the database rejected the user',
  '28P01': 'the database rejected the user or the password',
  '3D000': 'the database does not exist',
  '42501': 'the database user lacks the required permission',
  '42704': 'PostGIS is not installed in the database, or its version is too old',
  '42883': 'PostGIS is not installed in the database, or its version is too old',
  '53300': 'the database has too many connections',
  '57014': 'no response in time',
  '57P01': 'the connection was lost',
  '57P02': 'the connection was lost',
  '57P03': 'the database is starting or stopping',
};

/** pg distinguishes these only by their messages. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [/exceeded when trying to connect/, 'all its connections are in use'],
  [/due to connection timeout|timeout expired/, 'the host does not respond'],
  [/Connection terminated|not queryable|connection error/i, 'the connection was lost'],
  [/SASL|password/, 'the database rejected the user or the password'],
  [/SSL|certificate|self.signed/i, 'an encrypted connection is not possible'],
];

function getReason(error: Error): string {
  const code = findErrorCode(error);
  const known = code === undefined ? undefined : byCode[code];
  if (known !== undefined) return known;
  const [, words] = byMessage.find(([pattern]) => pattern.test(error.message)) ?? [];
  if (words !== undefined) return words;
  return code === undefined ? 'the connection failed' : `the database reported error ${code}`;
}

/** What a connection needs, in order. */
export type ConnectionStep = 'host' | 'login' | 'postgis' | 'tables';

/** Returns the step that failed. A database that does not exist is found during the login. */
function findStep(error: Error): ConnectionStep {
  const code = findErrorCode(error) ?? '';
  if (/^(?:28|3D|53)/.test(code) || /SASL|password/.test(error.message)) return 'login';
  if (code === '42704' || code === '42883') return 'postgis';
  return code === '42501' || code === '57014' ? 'tables' : 'host';
}

/** Error classes about the database itself: connections, users, resources, intervention and system errors. */
const databaseErrorCodes = /^(?:08|28|3D|53|57|58|F0|XX)/;

/** Codes of these classes that concern a statement: it was cancelled, or parameters are missing. */
const statementErrorCodes: ReadonlySet<string> = new Set(['57014', '08P01']);

/** Whether the database responds but rejects the statement. */
export function isStatementError(error: unknown): error is DatabaseError {
  const code = error instanceof DatabaseError ? error.code : undefined;
  return code !== undefined && (statementErrorCodes.has(code) || !databaseErrorCodes.test(code));
}

/** Whether a retry on a new connection can succeed. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof Problem) && getReason(error) === 'the connection was lost';
}

/** Returns problems and internal errors unchanged, and database errors as a problem. */
export function toProblem(error: unknown, database: string): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  if ((error instanceof TypeError || error instanceof RangeError) && findErrorCode(error) === undefined) return error;
  if (isStatementError(error)) {
    return problem('store-refuses', { name: database, reason: getReason(error), step: findStep(error) });
  }
  // Several addresses of the host were tried.
  const cause = error instanceof AggregateError ? error.errors.find((each) => each instanceof Error) : undefined;
  return problem('store-unreachable', {
    name: database,
    reason: getReason(cause ?? error),
    step: findStep(cause ?? error),
  });
}
