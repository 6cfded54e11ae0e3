/** Unknown fields and query parameters: ignored with a warning, or rejected if the client prefers strict handling. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { DialectName } from '../../src/interface/common/dialects.ts';
import { inJson } from '../support/auth-providers.ts';
import { lineSld, SLD_TYPE } from '../support/styles.ts';
import { useTestServer } from '../support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../support/vector-samples.ts';

const strict = { headers: { prefer: 'handling=strict' } };
const workspace = '<workspace><name>acme</name></workspace>';
const type = '/workspaces/acme/datastores/shapes/featuretypes/a';

/** The texts of the Warning headers. */
function warnings(reply: { readonly headers: Readonly<Record<string, string | undefined>> }): readonly string[] {
  return [...(reply.headers['warning'] ?? '').matchAll(/199 - "([^"]*)"/g)].map(([, sentence = '']) => sentence);
}

describe('unknown names', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', workspace);
    await putZip(server, '/workspaces/acme/datastores/shapes/file.shp', zipOf({ a: pointShapefile() }));
  });

  it.each([
    ['XML', '<workspace><name>f1</name><isolatd>true</isolatd></workspace>'],
    ['JSON', '{"workspace":{"name":"f2","isolatd":true}}'],
  ])('ignores an unknown field in %s, and suggests the most similar field in a warning', async (_format, body) => {
    const reply = await server.post('/workspaces', body);

    expect(reply.status).toBe(201);
    expect(warnings(reply)).toEqual(["Unknown field 'workspace.isolatd' was ignored. Did you mean 'isolated'?"]);
  });

  it.each([
    ['XML', '<featureType><title>A</title><nativeBoundingBox><minX>1</minX></nativeBoundingBox></featureType>'],
    ['JSON', '{"featureType":{"title":"A","nativeBoundingBox":{"minX":1}}}'],
  ])(
    'reports the path of an unknown field in a document in %s, also if the document is rejected',
    async (_format, body) => {
      const reply = await server.put(type, body);

      expect(reply.status).toBe(400);
      expect(warnings(reply)).toEqual([
        "Unknown field 'featureType.nativeBoundingBox.minX' was ignored. Did you mean 'minx'?",
      ]);
    },
  );

  it.each([
    [
      'XML',
      '<featureType><keywords><strings>a</strings></keywords><attributes><attribute><name>name</name><titel>N</titel></attribute><attribute><name>rank</name><titel>R</titel></attribute></attributes></featureType>',
    ],
    [
      'JSON',
      '{"featureType":{"keywords":{"strings":["a"]},"attributes":{"attribute":[{"name":"name","titel":"N"},{"name":"rank","titel":"R"}]}}}',
    ],
  ])('reports an unknown field once for all items of a list in %s', async (_format, body) => {
    const reply = await server.put(type, body);

    expect(reply.status).toBe(200);
    expect(warnings(reply)).toEqual([
      "Unknown field 'featureType.keywords.strings' was ignored. Did you mean 'string'?",
      "Unknown field 'featureType.attributes.attribute.titel' was ignored.",
    ]);
  });

  it('reports an unknown field beside the root of a document', async () => {
    const reply = await server.put('/workspaces/acme', '{"workspace":{},"workspaces":{}}');

    expect(reply.status).toBe(200);
    expect(warnings(reply)).toEqual(["Unknown field 'workspaces' was ignored. Did you mean 'workspace'?"]);
  });

  it.each([
    ['a read', 'GET', '/workspaces/acme.json?qietOnNotFound=true', 200, 'qietOnNotFound', 'quietOnNotFound'],
    ['a delete', 'DELETE', '/workspaces/acme?recurs=true', 403, 'recurs', 'recurse'],
    ['a list', 'GET', '/styles?naem=a', 200, 'naem', undefined],
  ])('ignores an unknown parameter in the query of %s', async (_what, method, path, status, name, nearest) => {
    const reply = await server.request(method, path);

    const hint = nearest === undefined ? '.' : `. Did you mean '${nearest}'?`;
    expect(reply.status).toBe(status);
    expect(warnings(reply)).toEqual([`Unknown query parameter '${name}' was ignored${hint}`]);
  });

  it('reports unknown names in a dry run', async () => {
    const reply = await server.post('/workspaces?dryRun=true&defualt=true', '{"workspace":{"name":"f3","nmae":"x"}}');

    expect(reply.status).toBe(201);
    expect(warnings(reply)).toEqual([
      "Unknown query parameter 'defualt' was ignored. Did you mean 'default'?",
      "Unknown field 'workspace.nmae' was ignored. Did you mean 'name'?",
    ]);
  });

  it.each([
    ['Straße', 'Stra%C3%9Fe'],
    ['道路 🛣', '%E9%81%93%E8%B7%AF %F0%9F%9B%A3'],
    ['100 % of %41', '100 % of %2541'],
    ['a\nb', 'a%0Ab'],
    ['道'.repeat(31), '?'.repeat(31)],
  ])('percent-encodes an unknown name in the warning if a header cannot contain it: %j', async (name, reported) => {
    const reply = await server.put('/workspaces/acme', JSON.stringify({ workspace: { [name]: 1 } }));

    expect(warnings(reply)).toEqual([`Unknown field 'workspace.${reported}' was ignored.`]);
  });

  it('reports at most ten unknown names, each shortened', async () => {
    const fields = Object.fromEntries(Array.from({ length: 42 }, (_, index) => [`${'ü'.repeat(5_000)}${index}`, 1]));

    const reply = await server.put('/workspaces/acme', JSON.stringify({ workspace: fields }));

    expect(reply.status).toBe(200);
    expect(warnings(reply)).toHaveLength(11);
    expect(warnings(reply).at(-1)).toBe('32 more unknown names were ignored.');
    expect(reply.headers['warning']?.length).toBeLessThan(4_000);
  });

  it.each([
    ['a cache-busting number named _', '_=1731690000000'],
    ['a cache-busting number named _dc', '_dc=1'],
    ['dryRun in another case', 'DRYRUN=true'],
    ['quietOnNotFound', 'quietOnNotFound=true'],
  ])('does not report %s', async (_what, query) => {
    const reply = await server.put(`/workspaces/acme?${query}`, '{"workspace":{}}');

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toBeUndefined();
  });

  it.each([
    ['metadata in XML', '/workspaces/acme', '<workspace><metadata><anything>1</anything></metadata></workspace>'],
    ['metadata in JSON', '/workspaces/acme', '{"workspace":{"metadata":{"entry":{"@key":"anything","$":"1"}}}}'],
    ['metadata with elements', type, '{"featureType":{"metadata":{"entry":[{"@key":"x","any":{"thing":1}}]}}}'],
    [
      'titles in several languages',
      type,
      '<featureType><internationalTitle><de>Orte</de></internationalTitle></featureType>',
    ],
    ['attributes in XML', type, '<featureType lang="en"><title lang="en">A</title></featureType>'],
  ])('accepts any name in %s', async (_what, path, body) => {
    const reply = await server.put(path, body);

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toBeUndefined();
  });
});

describe('a client that prefers strict handling', () => {
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', workspace));

  it.each([
    ['XML', '<workspace><name>s1</name><isolatd>true</isolatd></workspace>'],
    ['JSON', '{"workspace":{"name":"s1","isolatd":true}}'],
  ])('receives an error for unknown names in %s and in the query, and nothing changes', async (_format, body) => {
    const reply = await server.post('/workspaces?defualt=true', body, strict);

    expect(reply.status).toBe(400);
    expect(reply.headers['preference-applied']).toBe('handling=strict');
    expect(reply.headers['warning']).toBeUndefined();
    expect(reply.text).toContain(
      "Unknown names are rejected because of Prefer: handling=strict: query parameter 'defualt' (did you mean 'default'?); field 'workspace.isolatd' (did you mean 'isolated'?).",
    );
    expect((await server.get('/workspaces/s1')).status).toBe(404);
  });

  it('receives the paths of unknown names in a problem document', async () => {
    const reply = await server.put('/workspaces/acme', '{"workspace":{"isolatd":true}}', {
      ...strict,
      accept: 'application/problem+json',
    });

    expect(reply.json()).toMatchObject({
      code: 'names-unknown',
      field: 'workspace.isolatd',
      errors: [{ field: 'workspace.isolatd', message: "is unknown; did you mean 'isolated'?" }],
    });
  });

  it('receives an error for a read with an unknown query parameter', async () => {
    expect((await server.get('/workspaces?nmae=a', strict)).status).toBe(400);
  });

  it('receives a normal response with Preference-Applied if all names are known', async () => {
    const reply = await server.put('/workspaces/acme', '{"workspace":{"isolated":false}}', strict);

    expect(reply.status).toBe(200);
    expect(reply.headers['preference-applied']).toBe('handling=strict');
  });

  it.each([
    ['handling=strict, respond-async', true],
    ['respond-async; x=y, Handling = "strict"', true],
    ['handling=lenient', false],
    ['handling=lenient, handling=strict', false],
    ['strict', false],
    ['return=minimal', false],
  ])('sends the preference in the syntax of RFC 7240: %s', async (prefer, isStrict) => {
    const reply = await server.get('/workspaces?nmae=a', { headers: { prefer } });

    expect(reply.status).toBe(isStrict ? 400 : 200);
    expect(reply.headers['preference-applied']).toBe(isStrict ? 'handling=strict' : undefined);
  });
});

const modes: readonly DialectName[] = ['graticule', 'geoserver'];

describe.each(modes)('a document that is read in mode %s and sent back unchanged', (compat) => {
  const server = useTestServer({ compat });
  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme","metadata":{"a":"1"}}}');
    await putZip(server, '/workspaces/acme/datastores/shapes/file.shp', zipOf({ a: pointShapefile() }));
    await server.put(
      type,
      JSON.stringify({
        featureType: {
          keywords: { string: ['x'] },
          metadataLinks: { metadataLink: [{ type: 'text/html', metadataType: 'FGDC', content: 'http://x/1' }] },
          metadata: { entry: [{ '@key': 'time', dimensionInfo: { enabled: false } }] },
          internationalTitle: { de: 'Orte' },
        },
      }),
    );
    await server.post('/styles?name=roads', lineSld('roads'), { type: SLD_TYPE });
    await server.put('/styles/roads', '{"style":{"legend":{"width":1,"height":1,"onlineResource":"a.png"}}}');
    await server.post('/workspaces/acme/styles?name=paths', lineSld('paths'), { type: SLD_TYPE });
    await server.put(
      '/layers/acme:a',
      '{"layer":{"defaultStyle":{"name":"roads"},"styles":{"style":[{"name":"acme:paths"}]}}}',
    );
    await server.post('/urlchecks', '{"regexUrlCheck":{"name":"c","regex":"^x$"}}');
    await server.post('/security/authproviders', inJson('p'));
  });

  it.each([
    ['/workspaces/acme', undefined],
    ['/workspaces/default', undefined],
    ['/namespaces/acme', undefined],
    ['/namespaces/default', undefined],
    ['/workspaces/acme/datastores/shapes', undefined],
    [type, undefined],
    ['/layers/acme:a', undefined],
    ['/styles/roads', undefined],
    ['/workspaces/acme/styles/paths', undefined],
    ['/styles/roads', '/layers/acme:a/styles'],
    ['/urlchecks/c', undefined],
    ['/security/authproviders/p', undefined],
    ['/security/acl/catalog', undefined],
    ['/security/acl/layers', undefined],
  ])('contains no unknown name: %s', async (path, addedTo) => {
    for (const format of ['json', 'xml']) {
      const read = await server.get(`${path}.${format}`);
      const how = { type: format, headers: { prefer: 'handling=strict' } };

      const reply = await (addedTo === undefined
        ? server.put(path, read.text, how)
        : server.post(addedTo, read.text, how));

      expect([read.status, reply.status, reply.text.includes('Unknown names are rejected')]).toEqual([
        200,
        addedTo === undefined ? 200 : 201,
        false,
      ]);
    }
  });
});
