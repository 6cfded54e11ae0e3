import { describe, expect, it } from 'vitest';
import { ANYONE } from '../../src/http/auth/auth.ts';
import { defineDocument } from '../../src/http/documents/document.ts';
import { createFieldBuilders } from '../../src/http/documents/fields.ts';
import { buildOpenApiDocument } from '../../src/http/openapi/document.ts';
import { listStatuses } from '../../src/http/openapi/statuses.ts';
import { createFlagParameter, createIntegerParameter } from '../../src/http/request/query.ts';
import { createRouteBuilders } from '../../src/http/route-table/route-table.ts';
import { dialects } from '../../src/interface/common/dialects.ts';
import { withoutReferences } from '../support/openapi.ts';

const { text } = createFieldBuilders<string>();
const place = defineDocument('place', { name: text((name) => name, { required: true }) }, { title: (name) => name });
const { get, getContent, post, postQuery, put, del, family } = createRouteBuilders<null>();

const found = async () => ({ resource: 'a' });

const table = family('Places', { description: 'Made up.', formats: ['xml', 'html'], formatGroup: 'catalog' }, [
  get('/places/:place', 'Read', { returns: place, versioned: true, problems: ['workspace-unknown'] }, found),
  post('/places', 'Create', { accepts: place, problems: ['namespace-not-empty'] }, async () => ({
    location: ['places'],
    text: 'a',
  })),
  put('/places/:place', 'Change', { accepts: place, problems: ['name-emptied'] }, async () => {}),
  del('/places/:place', 'Delete', { query: { recurse: createFlagParameter('All.') } }, async () => {}),
  postQuery('/places/:place/questions', 'Ask', { accepts: { kind: 'text', what: 'question' }, returns: place }, found),
  getContent('/motto', 'Read it', { mediaType: 'text/plain', role: ANYONE }, async () => ''),
  getContent(
    '/spec',
    'Read it',
    { mediaType: 'application/json', query: { n: createIntegerParameter('So many.', 1, 9) } },
    async () => '{}',
  ),
]);

function statuses(method: string, path: string, dialect: keyof typeof dialects = 'graticule'): readonly number[] {
  const route = table.routes.find((each) => each.method === method && each.path === path);
  return route === undefined ? [] : [...listStatuses(route, dialects[dialect]).keys()];
}

describe('the statuses of a route', () => {
  it.each([
    ['GET', '/places/:place', [200, 304, 400, 401, 403, 404, 406, 412, 429, 500, 503]],
    ['POST', '/places', [201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 507]],
    ['PUT', '/places/:place', [200, 400, 401, 403, 409, 412, 413, 415, 422, 429, 500, 503, 507]],
    ['DELETE', '/places/:place', [200, 400, 401, 403, 409, 412, 422, 429, 500, 503, 507]],
    ['GET', '/motto', [200, 400, 429, 500, 503]],
  ])('%s %s has the statuses of its row and of the common checks', (method, path, expected) => {
    expect(statuses(method, path)).toEqual(expected);
  });

  it('a route has other statuses in another dialect', () => {
    const route = table.routes[2];
    const codes = (dialect: keyof typeof dialects) =>
      route && [...listStatuses(route, dialects[dialect])].find(([, each]) => each.includes('name-emptied'))?.[0];

    expect([codes('graticule'), codes('geoserver')]).toEqual([400, 403]);
  });
});

describe('a described operation', () => {
  const info = { title: 'Test', version: '1.2.3', serverUrl: 'http://host/rest', samples: { place: 'here' } };
  const { paths, components } = withoutReferences<{
    paths: Record<string, Record<string, object>>;
    components: { responses: Record<string, { readonly description: string }> };
  }>(JSON.stringify(buildOpenApiDocument([table], dialects.graticule, info)));

  it('lists the media types it returns', () => {
    expect(paths['/places/{place}']?.['get']).toMatchObject({
      operationId: 'getPlacesByPlace',
      summary: 'Read',
      tags: ['Places'],
      parameters: [
        { name: 'place', in: 'path', required: true },
        { name: 'quietOnNotFound', in: 'query' },
      ],
      responses: {
        200: {
          description: 'OK',
          headers: { ETag: {} },
          content: {
            'application/xml': {
              schema: { type: 'string' },
              example: '<place><name>here</name></place>',
            },
            'text/html': {},
          },
        },
        304: { description: "The client's copy is current." },
        404: {
          description: 'workspace-unknown',
          content: { 'application/json': {}, 'application/xml': {}, 'application/problem+json': {}, 'text/plain': {} },
        },
        default: {
          description: expect.stringMatching(
            /^400: see Error\. 401: see Error\. 403: .* 500: unexpected\. 503: see Error\.$/,
          ),
          content: { 'application/json': {}, 'application/xml': {}, 'application/problem+json': {}, 'text/plain': {} },
        },
      },
    });
  });

  it('shares the errors that are common to all operations', () => {
    expect(components.responses['Error']?.description).toMatch(
      /^Error\. All operations: 400: url-malformed, .*503: provider-unavailable, storage-busy, storage-unavailable\..*$/,
    );
  });

  it('lists the media types of the documents it accepts', () => {
    expect(paths['/places']?.['post']).toMatchObject({
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: place.schema,
            example: { place: { name: 'here' } },
          },
          'text/json': {},
          'application/xml': {},
          'text/xml': {},
        },
      },
      responses: { 201: { headers: { Location: {} }, content: { 'text/plain': {} } } },
    });
  });

  it('declares a plain text body', () => {
    expect(paths['/places/{place}/questions']?.['post']).toMatchObject({
      requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } },
    });
  });

  it('declares that it needs no credentials', () => {
    expect(paths['/motto']?.['get']).toMatchObject({ security: [] });
    expect(paths['/spec']?.['get']).not.toHaveProperty('security');
  });

  it('describes its query parameters', () => {
    expect(paths['/spec']?.['get']).toMatchObject({
      parameters: [
        { name: 'n', in: 'query', description: 'So many.', schema: { type: 'integer', minimum: 1, maximum: 9 } },
      ],
    });
  });
});
