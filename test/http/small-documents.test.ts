import { expect, it } from 'vitest';
import { SMALL_DOCUMENT_BYTES } from '../../src/http/documents/document.ts';
import { everyDocumentRoute } from '../support/every-route.ts';
import { useTestServer } from '../support/test-server.ts';

const server = useTestServer();

/** The routes of style entries also accept style documents, which may be large. */
const routes = everyDocumentRoute().filter(({ route }) => !route.path.includes('/styles'));

it.each(routes.map((walked) => [walked.method, walked.route.path, walked] as const))(
  '%s %s rejects a document that would block other requests',
  async (method, _path, { path }) => {
    const body = JSON.stringify({ x: 'x'.repeat(SMALL_DOCUMENT_BYTES) });

    const reply = await server.request(method, path('x'), { type: 'application/json', body });

    expect([reply.status, reply.text]).toEqual([413, expect.stringMatching(/\d+ bytes/)]);
  },
);
