/** Parts of the console that need no browser. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listChangedFields, nameReference } from '../../console/parts/diff/list-fields.ts';
import { canAffect } from '../../console/rest/affected-paths.ts';
import {
  findSummary,
  listFieldProblems,
  NO_NETWORK,
  RestProblem,
  readProblem,
  toProblem,
} from '../../console/rest/problems.ts';
import { hashSha256 } from '../../console/rest/sha256.ts';
import { matchRoute } from '../../console/shell/match-route.ts';
import { words as german } from '../../console/words/de.ts';
import { words as english } from '../../console/words/en.ts';
import { recordKinds } from '../../src/server/storage/record-kinds.ts';

describe('addresses', () => {
  const routes = [{ path: '' }, { path: 'layers' }, { path: 'w/:workspace/layers/:layer' }];

  it.each([
    ['', ''],
    ['layers', 'layers'],
    ['layers/', 'layers'],
    ['w/a/layers/b', 'w/:workspace/layers/:layer'],
    ['w/a/layers', undefined],
    ['nowhere', undefined],
  ])('%s is the page %s', (path, expected) => {
    expect(matchRoute(routes, path)?.route.path).toBe(expected);
  });

  it('values are decoded once, and invalid encodings stay as they are', () => {
    expect(matchRoute(routes, 'w/a%2Fb%2525/layers/%C3%BC')?.params).toEqual({ workspace: 'a/b%25', layer: 'ü' });
    expect(matchRoute(routes, 'w/100%/layers/x')?.params).toEqual({ workspace: '100%', layer: 'x' });
  });
});

describe('problems', () => {
  const read = (status: number, body: string, headers: Record<string, string> = {}) =>
    readProblem(new Response(body, { status, headers }));

  it('have the text, the fields, the blockers and the waiting time of the server', async () => {
    const document = {
      ...{ status: 400, code: 'document-invalid', title: 'Invalid document', detail: 'Invalid field.' },
      errors: [{ field: 'workspace.name', message: 'is missing' }, { detail: 'no field' }],
      blockers: ['layer acme:roads'],
    };
    const found = await read(400, JSON.stringify(document), { 'retry-after': '7', 'x-request-id': 'r1' });

    expect(found.document).toEqual({ ...document, requestId: 'r1' });
    expect(found.retryAfterSeconds).toBe(7);
    expect(listFieldProblems(found)).toEqual([{ field: 'workspace.name', message: 'is missing' }]);
  });

  it.each([
    ['<ServiceException code="x">No such layer.\n</ServiceException>', 'No such layer.'],
    [
      '<ServiceExceptionReport version="1.1.1">\n <ServiceException code="y">Unknown layer &apos;x&apos;.</ServiceException>',
      "Unknown layer 'x'.",
    ],
    ['<ows:ExceptionText>Too large.</ows:ExceptionText>', 'Too large.'],
    ['plain reason', 'plain reason'],
    ['<html>a page of a proxy</html>', 'Status 502'],
    ['', 'Status 502'],
  ])('of services and proxies are read from %s', async (body, detail) => {
    expect((await read(502, body)).document).toMatchObject({ status: 502, detail });
  });

  it('have no summary that only repeats the errors of fields', () => {
    const summarize = (detail: string, ...messages: readonly string[]) =>
      findSummary(
        new RestProblem({
          ...{ status: 400, code: 'x', title: 't', detail },
          errors: messages.map((message, index) => ({ field: `f${index}`, message })),
        }),
      );

    expect(
      summarize('format: is missing; resources: expected a list', 'is missing', 'expected a list'),
    ).toBeUndefined();
    expect(summarize('2 fields are invalid.', 'is missing', 'expected a list')).toBe('2 fields are invalid.');
    expect(summarize('name: is missing', 'is missing')).toBe('name: is missing');
  });

  it('of the field alone are errors of that field', () => {
    const found = new RestProblem({ status: 400, code: 'x', title: 't', detail: 'd', field: 'dataStore.name' });
    expect(listFieldProblems(found)).toEqual([{ field: 'dataStore.name', message: 'd' }]);
    expect(toProblem(found)).toBe(found);
    expect(toProblem(new TypeError('broken')).document.detail).toBe('broken');
    expect(NO_NETWORK).not.toBe('unexpected');
  });
});

describe('remembered answers', () => {
  it.each([
    ['/workspaces/acme/datastores/d/featuretypes/roads', '/workspaces/acme/layers?limit=200', true],
    ['/workspaces/acme/datastores/d/featuretypes/roads', '/layers?limit=200', true],
    ['/workspaces/acme/datastores/d/featuretypes/roads', '/workspaces/other/layers?limit=200', false],
    ['/workspaces/a b/styles/s', '/workspaces/a%20b/layers/x', true],
    ['/styles/line', '/workspaces/acme/layers/roads', true],
    ['/workspaces/acme', '/workspaces?limit=50', true],
    ['/security/tokens/x', '/layers?limit=200', false],
    ['/security/tokens/x', '/security/self', true],
    ['/security/acl/layers', '/layers?limit=200', true],
    ['/security/tokens/x', '/history?limit=10', true],
    ['/workspaces/acme/layers/roads', 'ogc/features/v1/collections/acme%3Aroads/items', true],
    ['/workspaces/acme/layers/roads', 'ogc/features/v1/collections/other%3Aroads/items', false],
    ['/styles/line', 'rest/styles/line.png', true],
    ['/batch', 'rest/workspaces/acme/styles/line.png?width=40', true],
    ['/workspaces/acme/layers/roads', 'rest/workspaces/acme/styles/line.png', false],
  ])('a change of %s affects %s: %s', (changed, known, expected) => {
    expect(canAffect(changed, known)).toBe(expected);
  });
});

describe('hashes', () => {
  it('are those of SHA-256 for texts of all lengths around a block', () => {
    for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1_000]) {
      const text = 'ä€x'.repeat(length).slice(0, length);
      expect(Buffer.from(hashSha256(text))).toEqual(createHash('sha256').update(text).digest());
    }
  });
});

describe('languages', () => {
  it('do not name a number of features that the server did not count', () => {
    const describeNumbers = ({ mapTools }: typeof english) => [
      mapTools.shownInView(3, 3),
      mapTools.shownInView(100, 1_234),
      mapTools.shownInView(100, undefined),
    ];

    expect(describeNumbers(english)).toEqual(['3 features', '100 of 1,234 features', 'The first 100 features']);
    expect(describeNumbers(german)).toEqual(['3 Objekte', '100 von 1.234 Objekten', 'Die ersten 100 Objekte']);
  });

  it('have the same texts, and no text is empty', () => {
    const listKeys = (value: unknown, path = ''): readonly string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([name, inner]) => listKeys(inner, `${path}.${name}`))
        : [`${path} ${value === '' ? 'empty' : typeof value}`];

    expect(listKeys(german)).toEqual(listKeys(english));
    expect(listKeys(english).filter((key) => key.endsWith('empty'))).toEqual([]);
  });
});

describe('changes', () => {
  it('have words for every kind of resource', () => {
    for (const { search } of [english, german]) {
      expect(recordKinds.filter(({ kind }) => search.kinds[kind] === undefined)).toEqual([]);
    }
  });

  it('name other resources by their paths', () => {
    const references = { 's-1-0': '/styles/roads', 'w-1-0': '/workspaces/acme' };
    const before = { defaultStyle: 'line', styles: ['line', 's-1-0'], parts: [{ id: 's-1-0' }] };
    const after = { defaultStyle: 's-1-0', styles: ['line'], parts: [{ id: 'gone-1-0' }] };

    expect(listChangedFields(before, after, references)).toEqual([
      { field: 'defaultStyle', before: 'line', after: '/styles/roads' },
      { field: 'styles', before: 'line, /styles/roads', after: 'line' },
      { field: 'parts.0.id', before: '/styles/roads', after: 'gone-1-0' },
    ]);
    expect(nameReference('w-1-0/roads.sld', references)).toBe('/workspaces/acme/roads.sld');
    expect(nameReference('/roads.sld', references)).toBe('/roads.sld');
  });
});
