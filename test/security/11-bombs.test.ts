/** Lesson 11: every address rejects depth, size and number bombs quickly, and the server keeps running. */
import { describe, expect, it } from 'vitest';
import { findAccepted } from '../../src/http/routes/route.ts';
import { everyDocumentRoute } from '../support/every-route.ts';
import { useTestServer } from '../support/test-server.ts';

/** Maximum duration of one request on a slow machine under load. */
const BUDGET_MS = 60_000;

const bombs: Readonly<Record<string, { readonly type: string; readonly body: string; readonly status: number }>> = {
  'deep XML': { type: 'text/xml', body: '<a>'.repeat(30_000), status: 400 },
  'deep XML that is closed': { type: 'text/xml', body: `${'<a>'.repeat(101)}${'</a>'.repeat(101)}`, status: 400 },
  'deep objects': { type: 'application/json', body: '{"a":'.repeat(19_000), status: 400 },
  'deep arrays': { type: 'application/json', body: '['.repeat(90_000), status: 400 },
  'many attributes': {
    type: 'text/xml',
    body: `<a ${Array.from({ length: 9_000 }, (_, index) => `b${index}=""`).join(' ')}>`,
    status: 400,
  },
  'many namespaces': {
    type: 'text/xml',
    body: `<a ${Array.from({ length: 5_000 }, (_, index) => `xmlns:n${index}="u"`).join(' ')}>`,
    status: 400,
  },
  'an endless number': { type: 'application/json', body: `{"a":${'9'.repeat(99_000)}`, status: 400 },
  'an endless exponent': { type: 'application/json', body: '{"a":1e99999999999999999999', status: 400 },
  'an endless name': { type: 'text/xml', body: `<${'a'.repeat(99_000)}`, status: 400 },
  'an endless string': { type: 'application/json', body: `"${'\\u0061'.repeat(16_000)}`, status: 400 },
  'an endless comment': { type: 'text/xml', body: `<!--${'-'.repeat(99_000)}`, status: 400 },
  'an endless body': { type: 'text/xml', body: `<a>${'x'.repeat(200_000)}</a>`, status: 413 },
};

const MAX_DOCUMENT_BYTES = 100_000;

describe('lesson 11: document bombs', () => {
  const server = useTestServer({ flags: ['--max-document-bytes', String(MAX_DOCUMENT_BYTES)] });

  it.each(Object.entries(bombs))('rejects %s quickly at every address', async (_case, bomb) => {
    for (const { method, path, route } of everyDocumentRoute()) {
      const startedAt = performance.now();
      const { status, text } = await server.request(method, path('made-up'), bomb);

      // Some small documents have a smaller limit.
      const accepted = findAccepted(route);
      const limitBytes = (accepted && 'document' in accepted && accepted.document.maxBytes) || MAX_DOCUMENT_BYTES;
      const expected = Buffer.byteLength(bomb.body) > limitBytes ? 413 : bomb.status;
      expect([method, route.path, status]).toEqual([method, route.path, expected]);
      expect(text.length).toBeLessThan(2_000);
      expect(performance.now() - startedAt).toBeLessThan(BUDGET_MS);
    }
    expect((await server.get('/workspaces')).status).toBe(200);
  });
});
