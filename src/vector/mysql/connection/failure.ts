/** Converts failures of MySQL and MariaDB to public messages; the original messages can reveal too much. */
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import { PoolExhaustedError } from '../../sql/session-pool.ts';

type ConnectionStep = 'host' | 'login' | 'tables';

const LOST = 'the connection was lost';

/** By the number of the server, or the code of the client library or the system. */
const reasons: Readonly<Record<string, readonly [ConnectionStep, string]>> = {
  ECONNREFUSED: ['host', 'the connection to its host and port was refused'],
  ENOTFOUND: ['host', 'the host name does not exist'],
  EAI_AGAIN: ['host', 'the host name cannot be resolved at present'],
  ETIMEDOUT: ['host', 'the host does not respond'],
  EHOSTUNREACH: ['host', 'the host is unreachable'],
  ENETUNREACH: ['host', 'the host is unreachable'],
  ECONNRESET: ['host', LOST],
  EPIPE: ['host', LOST],
  PROTOCOL_CONNECTION_LOST: ['host', LOST],
  HANDSHAKE_NO_SSL_SUPPORT: ['host', 'an encrypted connection is not possible'],
  HANDSHAKE_SSL_ERROR: ['host', 'an encrypted connection is not possible'],
  AUTH_SWITCH_PLUGIN_ERROR: ['login', 'the method of authentication is not supported'],
  1044: ['login', 'the database user may not use the database'],
  1045: ['login', 'the database rejected the user or the password'],
  1698: ['login', 'the database rejected the user or the password'],
  1820: ['login', 'the password of the database user has expired'],
  1862: ['login', 'the password of the database user has expired'],
  3159: ['login', 'the database requires an encrypted connection'],
  1049: ['login', 'the database does not exist'],
  1040: ['login', 'the database has too many connections'],
  1203: ['login', 'the database has too many connections'],
  1226: ['login', 'the database user has too many connections'],
  1130: ['login', 'the database does not allow connections from this server'],
  1053: ['host', LOST],
  1927: ['host', LOST],
  4031: ['host', LOST],
  1142: ['tables', 'the database user lacks the required permission'],
  1143: ['tables', 'the database user lacks the required permission'],
  1227: ['tables', 'the database user lacks the required permission'],
  1356: ['tables', 'a view refers to tables or columns that do not exist or are not readable'],
  1317: ['tables', 'no response in time'],
  1969: ['tables', 'no response in time'],
  3024: ['tables', 'no response in time'],
};

/** A server that violates the protocol or sends more than a result may have. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

export function findErrorNumber(error: unknown): number | undefined {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' && error.errno > 0
    ? error.errno
    : undefined;
}

function findReason(error: Error): readonly [ConnectionStep, string] {
  if (error instanceof ProtocolError) return ['host', error.message];
  if (error instanceof PoolExhaustedError) return ['host', 'all its connections are in use'];
  const [number, code] = [findErrorNumber(error), findErrorCode(error)];
  const known = reasons[String(number)] ?? reasons[code ?? ''];
  if (known !== undefined) return known;
  if (/Can't add new command|closed state|server closed the connection/i.test(error.message)) return ['host', LOST];
  if (/SSL|TLS|certificate|self.signed/i.test(`${code} ${error.message}`))
    return ['host', 'an encrypted connection is not possible'];
  return number === undefined ? ['host', 'the connection failed'] : ['tables', `the database reported error ${number}`];
}

/** Returns the message of an error that a statement causes; undefined for others, whose messages can reveal too much. */
export function findStatementMessage(error: unknown): string | undefined {
  const number = findErrorNumber(error);
  return number === undefined || reasons[number] !== undefined ? undefined : (error as Error).message;
}

/** Whether a retry on a new connection can succeed. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof Problem) && findReason(error)[1] === LOST;
}

/** Whether the limit of the statement was exceeded. */
export function isStatementTimeout(error: unknown): boolean {
  return [1969, 3024].includes(findErrorNumber(error) ?? 0);
}

/** Returns problems and internal errors unchanged, and database errors as a problem. */
export function toProblem(error: unknown, database: string): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const number = findErrorNumber(error);
  if ((error instanceof TypeError || error instanceof RangeError) && findErrorCode(error) === undefined) return error;
  // The addresses of the host were tried one after the other.
  const cause = error instanceof AggregateError ? error.errors.find((each) => each instanceof Error) : undefined;
  const [step, reason] = findReason(cause ?? error);
  return problem(number !== undefined && step === 'tables' ? 'store-refuses' : 'store-unreachable', {
    name: database,
    reason,
    step,
  });
}
