import { expect, it } from 'vitest';
import { SMALL_DOCUMENT_BYTES } from '../../src/http/documents/document.ts';
import { everyDocumentRoute } from '../support/every-route.ts';
import { useTestServer } from '../support/test-server.ts';

const server = useTestServer();

/** Styles are sent through the same routes as their entries, and may be large. */
const routes = everyDocumentRoute().filter(({ route }) => !route.path.includes('/styles'));

it.each(routes.map((walked) => [walked.method, walked.route.path, walked] as const))(
  '%s %s refuses a document that would keep all others waiting',
  async (method, _path, { path }) => {
    const body = JSON.stringify({ x: 'x'.repeat(SMALL_DOCUMENT_BYTES) });

    const reply = await server.request(method, path('x'), { type: 'application/json', body });

    expect([reply.status, reply.text]).toEqual([413, expect.stringMatching(/\d+ bytes/)]);
  },
);
