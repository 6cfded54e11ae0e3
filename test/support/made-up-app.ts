/** An HTTP application with two fictitious families, for tests of behavior common to all families. */

import { buildApp } from '../../src/http/app.ts';
import { ANYONE } from '../../src/http/auth/auth.ts';
import type { CorsOrigins } from '../../src/http/auth/cors.ts';
import { defineDocument } from '../../src/http/documents/document.ts';
import { createFieldBuilders } from '../../src/http/documents/fields.ts';
import { createFlagParameter } from '../../src/http/request/query.ts';
import { noProxies } from '../../src/http/request/request-head.ts';
import { createRouteBuilders } from '../../src/http/route-table/route-table.ts';
import type { RouteTable, ServiceTable } from '../../src/http/routes/route.ts';
import { dialects } from '../../src/interface/common/dialects.ts';
import { anonymous } from '../../src/lib/identity/principal.ts';
import { problem } from '../../src/lib/problems/problem.ts';
import { createLogger } from '../../src/server/log.ts';

interface Place {
  readonly name: string;
}

const { text } = createFieldBuilders<Place>();
const placeDocument = defineDocument(
  'place',
  { name: text((place) => place.name, { required: true }) },
  { title: () => 'P' },
);
const { get, getContent, post, postQuery, put, del, family } = createRouteBuilders<ReadonlySet<string>>();

const places = family(
  'Places',
  {
    description: 'Made up.',
    formats: ['xml', 'json', 'html'],
    formatGroup: 'catalog',
    exactNames: { place: async (known, { place = '' }) => known.has(place) },
  },
  [
    post('/places', 'Create', { accepts: placeDocument, role: ANYONE }, async ({ body }) => ({
      location: ['places', body.name ?? ''],
      text: body.name ?? '',
    })),
    get('/places/:place', 'Read', { returns: placeDocument, versioned: true, role: ANYONE }, async ({ params }) => {
      if (params.place === 'nowhere') {
        throw problem('workspace-unknown', { name: params.place });
      }
      return { resource: { name: params.place }, version: 7 };
    }),
    put('/places/:place', 'Change', { accepts: placeDocument, role: ANYONE }, async () => {}),
    del('/places/:place', 'Delete', { role: ANYONE, query: { recurse: createFlagParameter('All.') } }, async () => {}),
    getContent('/motto', 'Read', { mediaType: 'text/plain', role: ANYONE }, async () => 'ubi bene\n'),
    getContent('/failure', 'Fail', { mediaType: 'text/plain', role: ANYONE }, async () => {
      throw new Error('password=hunter2 at /srv/secret.ts');
    }),
    put('/full/:place', 'Fail for want of room', { accepts: placeDocument, role: ANYONE }, async () => {
      throw Object.assign(new Error("ENOSPC: no space left on device, write '/srv/secret'"), { code: 'ENOSPC' });
    }),
    put('/busy/:place', 'Fail for a while', { accepts: placeDocument, role: ANYONE }, async () => {
      throw problem('storage-busy', { retryAfterSeconds: 5 });
    }),
    getContent('/mistake', 'Fail oddly', { mediaType: 'text/plain', role: ANYONE }, async () => {
      throw 'not even an error';
    }),
  ],
);

const echoes = family(
  'Echoes',
  { description: 'Made up.', formats: ['xml', 'json'], formatGroup: 'catalog', errorStyle: 'structured' },
  [
    post('/echoes', 'Create', { accepts: placeDocument, returns: placeDocument, role: ANYONE }, async ({ body }) => ({
      location: ['echoes', body.name ?? ''],
      resource: { name: body.name ?? '' },
    })),
    put('/echoes/:echo', 'Change', { accepts: placeDocument, returns: placeDocument, role: ANYONE }, async () => ({
      resource: { name: 'changed' },
      version: 7,
    })),
    postQuery(
      '/questions',
      'Ask',
      { accepts: { kind: 'text', what: 'question' }, returns: placeDocument, role: ANYONE },
      async ({ body }) => ({
        resource: { name: body },
      }),
    ),
  ],
);

export function madeUpApp(
  dialect: keyof typeof dialects = 'graticule',
  further: readonly RouteTable<ReadonlySet<string>>[] = [],
  {
    services = [],
    sendTimeoutMs = 60_000,
    changed = [],
    cors = '*',
  }: {
    readonly services?: readonly ServiceTable<ReadonlySet<string>>[];
    readonly sendTimeoutMs?: number;
    readonly changed?: Iterable<object>;
    readonly cors?: CorsOrigins;
  } = {},
) {
  const log: string[] = [];
  const app = buildApp<ReadonlySet<string>>({
    families: [places, echoes, ...further],
    outside: services,
    sessions: {
      refresh: () => undefined,
      position: () => 7,
      open: () => ({
        services: new Set(['a.xml']),
        position: () => 7,
        changeNumber: () => null,
        prepareChangeDocument: async () => async () => ({
          head: { sequence: null },
          items: (async function* () {
            yield* changed;
          })(),
        }),
        authorize: async () => undefined,
        close: () => undefined,
      }),
      runInTransaction: () => Promise.reject(new Error('Nothing here is one change of several operations')),
    },
    createPreview: async (viewer) => viewer,
    authenticateAgain: async (_services, principal) => principal,
    replies: { find: async () => undefined },
    room: { prepareDeletion: async () => undefined, checkStoring: () => undefined },
    clock: Date.now,
    createSpoolFile: () => Promise.reject(new Error('Nothing here is so large')),
    restRoot: '/rest',
    dialect: dialects[dialect],
    limits: {
      maxDepth: 10,
      maxNodes: 100,
      maxDocumentBytes: 1000,
      maxUploadBytes: 1000,
      requestTimeoutMs: 300_000,
      sendTimeoutMs,
      rightsCheckMs: 2_000,
    },
    origin: { proxies: noProxies },
    authenticate: (sent) => {
      if (sent === undefined) return anonymous;
      return sent.kind === 'password' && sent.user === 'ann' ? { name: 'ann', roles: new Set<string>() } : undefined;
    },
    cors,
    logger: createLogger({ level: 'debug', format: 'json', write: (line) => log.push(line) }),
  });
  return { app, log };
}
