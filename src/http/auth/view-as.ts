/** Previews: an administrator sends the header `Graticule-View-As` to see what other users see. */
import type { IncomingHttpHeaders } from 'node:http';
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';

export const VIEW_AS = 'Graticule-View-As';
const HEADER = VIEW_AS.toLowerCase();

/** Its description in OpenAPI. Requests that only administrators may send have nothing to preview. */
export const viewAsParameter = {
  name: VIEW_AS,
  in: 'header',
  description: 'For administrators: previews what others see, such as role=EDITOR, user=ann or role=ROLE_ANONYMOUS.',
  schema: { type: 'string' },
} as const;

/** POST carries long queries of services; their operations that change anything are refused later. */
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

interface SentHeaders {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn. Absent for inner operations. */
  readonly rawHeaders?: readonly string[];
}

interface PreviewedCall {
  readonly method: string;
  readonly isService: boolean;
}

type CreatePreview = (viewer: Principal, as: string) => Promise<Principal>;

/** Returns the principal of the preview; undefined without the header. */
export function findPreview(
  create: CreatePreview,
  viewer: Principal,
  { headers, rawHeaders = [] }: SentHeaders,
  { method, isService }: PreviewedCall,
): Promise<Principal> | undefined {
  const as = headers[HEADER];
  if (as === undefined) return undefined;
  if (isAnonymous(viewer)) throw problem('credentials-required', {});
  // Node joins repeated headers.
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === HEADER).length;
  return create(viewer, String(as)).then((principal) => {
    if (count > 1) throw problem('view-as-invalid', { reason: 'it occurs more than once' });
    if (!readMethods.has(method) && !(isService && method === 'POST')) throw problem('view-as-read-only', {});
    // A copy that the client has stored can be what the viewer sees.
    delete headers['if-none-match'];
    delete headers['if-modified-since'];
    return principal;
  });
}
