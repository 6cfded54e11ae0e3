/** The possible statuses of an operation: of its own problems and of the pipeline. */
import { type ProblemCode, problemKinds } from '../../lib/problems/problem-kinds.ts';
import { ANYONE } from '../auth/auth.ts';
import type { WireDialect } from '../negotiate/wire-dialect.ts';
import {
  type DocumentRoute,
  findAccepted,
  findReturned,
  isVersioned,
  listSuccesses,
  type RequestBodySpec,
} from '../routes/route.ts';

const accessProblems = [
  'credentials-required',
  'credentials-ambiguous',
  'authkey-refused',
  'token-invalid',
  'provider-unavailable',
  'proxy-header-invalid',
  'proxy-user-reserved',
  'role-missing',
  'token-scope',
  'token-not-allowed',
  'too-many-attempts',
  'token-rate',
  'view-as-denied',
  'view-as-invalid',
  'view-as-read-only',
] as const satisfies readonly ProblemCode[];

/** Lists the problems that the pipeline can return for an operation. */
export function listFrameworkProblems<S>(route: DocumentRoute<S>): readonly ProblemCode[] {
  const isRead = route.method === 'GET';
  const accepted = findAccepted(route);
  const hasQuery = Object.keys(route.query).length > 0;
  return [
    'url-malformed',
    'names-unknown',
    'unexpected',
    'too-many-requests',
    'too-many-concurrent',
    ...(route.role === ANYONE ? [] : accessProblems),
    ...(isRead ? [] : (['cross-site', ...retryProblems] as const)),
    ...(isRead && findReturned(route) !== undefined ? (['not-acceptable'] as const) : []),
    ...(isRead ? (['dry-run-on-read'] as const) : (['storage-full'] as const)),
    'storage-busy',
    'storage-unavailable',
    ...(hasQuery || !isRead ? (['query-invalid'] as const) : []),
    ...(isList(route) ? (['page-unknown'] as const) : []),
    ...(isVersioned(route) ? (['precondition-failed'] as const) : []),
    ...(accepted === undefined ? [] : problemsByBody[accepted.kind]),
  ];
}

const retryProblems = [
  'idempotency-key-invalid',
  'idempotency-key-in-use',
  'idempotency-key-reused',
] as const satisfies readonly ProblemCode[];

const bodyProblems = [
  'xml-malformed',
  'xml-doctype',
  'json-malformed',
  'text-undecodable',
  'document-too-deep',
  'document-too-busy',
  'document-missing',
  'document-root',
  'document-invalid',
  'body-too-large',
  'body-incomplete',
  'body-type-unknown',
  'body-encoding-unknown',
] as const satisfies readonly ProblemCode[];

const uploadProblems = [
  'text-undecodable',
  'body-too-large',
  'body-incomplete',
  'body-encoding-unknown',
] as const satisfies readonly ProblemCode[];

const problemsByBody: Readonly<Record<RequestBodySpec['kind'], readonly ProblemCode[]>> = {
  document: bodyProblems,
  text: bodyProblems,
  json: bodyProblems,
  upload: uploadProblems,
  'document or file': [...bodyProblems, 'body-type-missing'],
};

/** Returns every status of an operation with its problems. */
export function listStatuses<S>(
  route: DocumentRoute<S>,
  dialect: WireDialect,
): ReadonlyMap<number, readonly ProblemCode[]> {
  const codes = [...listFrameworkProblems(route), ...route.problems];
  const good = [...listSuccesses(route), ...(canBeUnchanged(route) ? [304] : [])];
  const statuses = new Map<number, readonly ProblemCode[]>(good.map((status) => [status, []]));
  return new Map([...statuses, ...groupByStatus(codes, dialect)].sort(([a], [b]) => a - b));
}

export function canBeUnchanged<S>(route: DocumentRoute<S>): boolean {
  return route.method === 'GET' && isVersioned(route);
}

/** Whether responses can be pages of a list. */
export function isList<S>({ kind }: DocumentRoute<S>): boolean {
  return kind === 'collection' || kind === 'file';
}

export function groupByStatus(
  codes: readonly ProblemCode[],
  dialect: WireDialect,
): ReadonlyMap<number, readonly ProblemCode[]> {
  const grouped = Map.groupBy(codes, (code) => dialect.statuses[code] ?? problemKinds[code].status);
  return new Map([...grouped].sort(([a], [b]) => a - b));
}
