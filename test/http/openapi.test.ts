/** The OpenAPI description of the server: valid, and complete compared with the route tables. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listStatuses } from '../../src/http/openapi/statuses.ts';
import { type DocumentRoute, findAccepted, findReturned, listSuccesses } from '../../src/http/routes/route.ts';
import { type DialectName, dialects } from '../../src/interface/common/dialects.ts';
import type { Services } from '../../src/interface/common/services.ts';
import { createRouteFamilies } from '../../src/interface/route-families.ts';
import { inputFromJson, inputFromXml } from '../support/input.ts';
import { listDocumentedStatuses, withoutReferences } from '../support/openapi.ts';
import { startTestServer, useTestServer } from '../support/test-server.ts';

/** By media type. */
type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content; readonly headers?: object }>
  >;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const limits = { maxDepth: 50, maxNodes: 1_000 };

function routesIn(dialect: DialectName): readonly DocumentRoute<Services>[] {
  return createRouteFamilies(dialects[dialect], '0.0.0').flatMap((table) => table.routes);
}

function operationOf(document: OpenApi, route: DocumentRoute<Services>): Operation | undefined {
  const path = route.path.replace(/[:*](\w+)/g, '{$1}') || '/';
  return document.paths[path]?.[route.method.toLowerCase()];
}

describe.each(['graticule', 'geoserver'] as const)('GET /openapi.json in the dialect %s', (compat) => {
  const server = useTestServer({ compat });
  const read = async () => withoutReferences<OpenApi>((await server.get('/openapi.json')).text);

  it('returns valid OpenAPI 3.1 without linter findings', async () => {
    const reply = await server.get('/openapi.json', { headers: { host: 'maps.test' } });
    const config = await createConfig({ extends: ['recommended'] });

    const complaints = await lintFromString({ source: reply.text, config });

    expect(reply.headers['content-type']).toBe('application/json');
    expect(complaints.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('describes exactly the routes of the tables', async () => {
    const document = await read();
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = routesIn(compat);

    expect(described.sort()).toEqual(
      routes.map((route) => `${route.method} ${route.path.replace(/[:*](\w+)/g, '{$1}') || '/'}`).sort(),
    );
    expect(routes.filter((route) => operationOf(document, route)?.summary !== route.summary)).toEqual([]);
  });

  it('lists every status that each route can return', async () => {
    const document = await read();

    for (const route of routesIn(compat)) {
      const described = listDocumentedStatuses(operationOf(document, route)?.responses ?? {});
      expect([route.method, route.path, described]).toEqual([
        route.method,
        route.path,
        [...listStatuses(route, dialects[compat]).keys()],
      ]);
    }
  });

  it('describes every path variable with an example, and every parameter with its purpose', async () => {
    const document = await read();

    for (const route of routesIn(compat)) {
      const parameters = operationOf(document, route)?.parameters ?? [];
      const variables = [...route.path.matchAll(/[:*](\w+)/g)].map(([, name]) => name);
      const inPath = parameters.filter((each) => each.in === 'path');
      const inQuery = parameters.filter((each) => each.in === 'query');

      expect(inPath.map((each) => each.name)).toEqual(variables);
      expect(inPath.filter((each) => !each.example)).toEqual([]);
      expect(inQuery.map((each) => each.name)).toEqual(expect.arrayContaining(Object.keys(route.query)));
      expect(inQuery.filter((each) => !each.description)).toEqual([]);
    }
  });

  it('describes the headers for resuming a stream, retrying a request and returning the resource', async () => {
    const { paths } = await read();
    const headersOf = (path: string, method: string) =>
      (paths[path]?.[method]?.parameters ?? []).filter((each) => each.in === 'header').map(({ name }) => name);

    expect(headersOf('/events', 'get')).toEqual(['Last-Event-ID']);
    expect(headersOf('/security/self', 'get')).toEqual(['Graticule-View-As']);
    expect(headersOf('/workspaces', 'get')).toEqual([]);
    expect(headersOf('/workspaces', 'post')).toEqual(['Idempotency-Key', 'Prefer']);
    expect(headersOf('/workspaces/{workspace}', 'delete')).toEqual(['Idempotency-Key']);
  });

  it('shows an example of each document that is sent or returned', async () => {
    const document = await read();

    for (const route of routesIn(compat)) {
      const operation = operationOf(document, route);
      const isXml = route.formats.includes('xml');
      const sent = operation?.requestBody?.content;
      const answered = operation?.responses[listSuccesses(route)[0]]?.content;
      const accepted = findAccepted(route);
      const acceptsDocument = accepted !== undefined && 'document' in accepted;
      for (const content of [
        ...(acceptsDocument ? [sent] : []),
        ...(findReturned(route) === undefined ? [] : [answered]),
      ]) {
        // Responses have one example, in XML, because the schemas do not describe the XML form.
        if (content === sent || !isXml)
          expect(typeof content?.['application/json']?.example, route.path).toBe('object');
        if (isXml) expect(content?.['application/xml']?.example, route.path).toMatch(/^<[\w.:]+(?:\/>|>.*>)$/);
      }
    }
  });

  it('shows once how to call any operation with curl', async () => {
    const { info } = await read();

    for (const line of [
      'curl -u "$ADMIN" $REST/PATH.json',
      'curl -u "$ADMIN" --json @document.json $REST/PATH',
      `curl -u "$ADMIN" -X PUT -H 'Content-Type: application/zip' --data-binary @data.zip $REST/PATH`,
      `curl -u "$ADMIN" -H 'Content-Type: text/plain' -d TEXT $REST/PATH`,
      'curl -u "$ADMIN" -X DELETE $REST/PATH',
    ])
      expect(info.description).toContain(`\`${line}\``);
  });

  it('shows examples that the server accepts', async () => {
    const document = await read();

    for (const route of routesIn(compat)) {
      const accepted = findAccepted(route);
      if (accepted === undefined || !('document' in accepted)) continue;
      const content = operationOf(document, route)?.requestBody?.content;
      const json = JSON.stringify(content?.['application/json']?.example);
      const xml = String(content?.['application/xml']?.example);

      const unknown: string[] = [];
      const note = (at: string, name: string) => unknown.push(`${at}.${name}`);

      // Some XML elements are named after a class; JSON leaves the class out.
      expect(
        { read: accepted.document.read(inputFromXml(xml, limits), accepted.purpose, note) },
        route.path,
      ).toMatchObject({
        read: accepted.document.read(inputFromJson(json, limits), accepted.purpose, note),
      });
      expect(unknown, route.path).toEqual([]);
    }
  });

  it('lists JSON first, and a schema of every content, for generators of clients', async () => {
    const { paths, components } = (await server.get('/openapi.json')).json() as {
      readonly paths: Readonly<Record<string, object>>;
      readonly components: object;
    };
    const contents: (readonly [string, object])[] = [];
    const collectContents = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        if (name === 'content' && !('$ref' in inner) && Object.keys(inner).every((type) => type.includes('/'))) {
          contents.push([Object.keys(inner).join(), inner]);
        }
        collectContents(inner);
      }
    };
    collectContents({ paths, components });

    expect(contents.length).toBeGreaterThan(50);
    for (const [types, content] of contents) {
      if (types.includes('application/json')) expect(types).toMatch(/^application\/json/);
      for (const each of Object.values(content)) expect(each, types).toHaveProperty('schema');
    }
  });

  it('distinguishes JSON, which has types, from XML, which is text', async () => {
    const { paths } = await read();
    const { content } = paths['/workspaces/{workspace}']?.['get']?.responses['200'] ?? {};

    expect(content?.['application/json']).toMatchObject({
      schema: { properties: { workspace: { properties: { name: { type: 'string' } }, required: ['name'] } } },
    });
    expect(content?.['application/xml']).toMatchObject({
      schema: { type: 'string', contentMediaType: 'application/xml' },
      example: expect.stringContaining('<workspace><name>acme</name>'),
    });
  });

  it('returns a document small enough for a slow connection', async () => {
    const { bytes } = await server.get('/openapi.json');

    expect(bytes.length).toBeLessThanOrEqual(432 * 1_024);
  });

  it('has a unique name and an existing family for each operation', async () => {
    const document = await read();
    const operations = Object.values(document.paths).flatMap((each) => Object.values(each));
    const ids = operations.map((operation) => operation.operationId);

    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map((tag) => tag.name);
    expect(operations.filter((operation) => !operation.tags.every((tag) => tags.includes(tag)))).toEqual([]);
  });
});

describe('GET /openapi.json', () => {
  const server = useTestServer();

  it('describes the workspaces family', async () => {
    const { paths } = withoutReferences<OpenApi>((await server.get('/openapi.json')).text);

    expect(Object.keys(paths['/workspaces/{workspace}'] ?? {})).toEqual(['get', 'put', 'delete']);
    expect(listDocumentedStatuses(paths['/workspaces/{workspace}']?.['put']?.responses ?? {})).toEqual(
      expect.arrayContaining([200, 400, 401, 403, 404, 409, 412, 413, 415, 429, 500]),
    );
    expect(paths['/workspaces']?.['post']).toMatchObject({
      responses: { 201: { headers: { Location: {} }, content: { 'text/plain': {} } } },
      requestBody: { content: { 'text/xml': {}, 'application/json': {} } },
      parameters: [
        { name: 'default', in: 'query' },
        { name: 'dryRun', in: 'query' },
        { name: 'Idempotency-Key', in: 'header' },
        { name: 'Prefer', in: 'header' },
      ],
    });
    expect(paths['/workspaces/{workspace}']?.['get']).toMatchObject({
      responses: { 200: { headers: { ETag: {} } }, 304: {}, 404: {} },
      parameters: [{ name: 'workspace' }, { name: 'quietOnNotFound' }],
    });
  });

  it('names the server with the address the client used', async () => {
    const reply = await server.get('/openapi.json', { headers: { host: 'maps.example.org' } });

    expect(reply.json()).toMatchObject({ servers: [{ url: 'http://maps.example.org/geoserver/rest' }] });
  });

  it('requires administrator rights', async () => {
    expect((await server.get('/openapi.json', { as: null })).status).toBe(401);
  });
});

describe('GET /rest', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await server.post('/urlchecks', '{"regexUrlCheck":{"name":"test","regex":"^http://a/.*$"}}');
  });

  it('lists the resources as a page with links', async () => {
    for (const path of ['', '/', '.html', '/.html']) {
      const reply = await server.get(path);

      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(reply.text).toContain('<a href="http://localhost:80/geoserver/rest/workspaces.html">workspaces</a>');
    }
  });

  it('lists the resources in JSON and in XML', async () => {
    const json = (await server.get('.json')).json() as { resources: { resource: { name: string; href: string }[] } };
    const xml = await server.get('', { accept: 'text/xml' });

    expect(json.resources.resource).toContainEqual({
      name: 'workspaces',
      summary: 'List the workspaces',
      methods: 'GET, POST',
      href: 'http://localhost:80/geoserver/rest/workspaces.json',
    });
    expect(xml.text).toContain('<name>workspaces/default</name>');
  });

  it('lists every address that is readable without a name or a cursor, but no secrets', async () => {
    const { text } = await server.get('.json');
    // A search and an explanation require parameters, and a provider need not be called 'test'.
    const own = ['', '/openapi.json', '/events', '/search', '/security/acl/explain', '/security/authproviders/test'];
    const readable = routesIn('graticule').filter(
      ({ method, path, confidential }) =>
        method === 'GET' && !/[:*]/.test(path) && !own.includes(path) && !confidential,
    );

    expect(readable.filter(({ path }) => !text.includes(`"name":"${path.slice(1)}"`))).toEqual([]);
  });

  it('contains only addresses that are served', async () => {
    const { resources } = (await server.get('.json')).json() as { resources: { resource: { href: string }[] } };

    for (const { href } of resources.resource) {
      const { status } = await server.request('GET', `/${new URL(href).pathname}`);
      expect([href, status]).toEqual([href, 200]);
    }
  });

  it('omits unavailable resources', async () => {
    const fresh = await startTestServer();
    onTestFinished(() => fresh.close());

    const { text } = await fresh.get('.json');

    expect(text).toContain('"workspaces"');
    expect(text).not.toContain('workspaces/default');
    expect(text).not.toContain('urlchecks/test');
  });

  it('shows resource counts, first steps, and a link to the API description on the page', async () => {
    const { text } = await server.get('.html');

    expect(text).toMatch(/<b>1<\/b><a href="[^"]*\/workspaces\.html">Workspaces<\/a>/);
    expect(text).toContain('<h2>First steps</h2>');
    expect(text).toContain('<a href="http://localhost:80/geoserver/rest/openapi.json">openapi.json</a>');
    expect(text).toContain('<section><h2>Workspaces</h2>');
  });
});
