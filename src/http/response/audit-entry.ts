/** Creates the entry of the audit log for a request that was denied, made a change, or previewed what others see. */
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { AuditEntry, LoggedRequest, RequestContext } from '../context/app-options.ts';

/** Other problems with status 403 are conflicts, for example a workspace that is not empty. */
const denials: ReadonlySet<string> = new Set<ProblemCode>([
  'cross-site',
  'data-rule-violated',
  'database-host-refused',
  'feature-access-denied',
  'layer-group-global',
  'path-refused',
  'purge-refused',
  'role-missing',
  'style-global',
  'token-not-allowed',
  'token-scope',
  'token-scope-exceeds',
  'url-refused',
  'view-as-denied',
  'view-as-read-only',
]);

/** Returns undefined for other requests. */
export function createAuditEntry(
  { change, session }: Pick<RequestContext<unknown>, 'change' | 'session'>,
  { requestId, method, path, status, user, client: address, code = '-', viewAs }: LoggedRequest,
): AuditEntry | undefined {
  const facts = { requestId, method, path, status, user, address, ...(viewAs === undefined ? {} : { viewAs }) };
  if (viewAs !== undefined && code !== 'view-as-read-only') return { event: 'view-as', ...facts };
  if (status === 401 || denials.has(code)) return { event: 'denied', ...facts, reason: code };
  const made = change ?? session?.changeNumber() ?? null;
  return made === null ? undefined : { event: 'change', ...facts, change: made };
}
