/** Rejects changes that a page of another site sends through an authenticated browser (CSRF). */
import type { IncomingHttpHeaders } from 'node:http';
import { problem } from '../../lib/problems/problem.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Programs send neither header and pass; browsers always send one of them with a change. */
export function checkCrossSite(method: string, headers: IncomingHttpHeaders, baseUrl: string): void {
  if (safeMethods.has(method)) {
    return;
  }
  const origin = headers.origin;
  const site = headers['sec-fetch-site'];
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const foreignOrigin = origin !== undefined && origin !== new URL(baseUrl).origin;
  if (foreignSite || foreignOrigin) {
    throw problem('cross-site', { origin: origin ?? String(site) });
  }
}
