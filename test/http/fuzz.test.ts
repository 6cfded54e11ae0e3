/** Thousands of almost valid bodies: none causes a server error. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';

const RUNS = 2_000;
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const documents = [
  '<workspace><name>roads</name><isolated>true</isolated></workspace>',
  '<?xml version="1.0" encoding="UTF-8"?>\n<workspace xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><name>ü&amp;&#x1F5FA;</name><metadata xsi:nil="true"/></workspace>',
  '<workspace><name>m</name><metadata><entry key="a">1</entry><entry><string>b</string><string>2</string></entry><c><string>3</string></c></metadata></workspace>',
  '<namespace><prefix>roads</prefix><uri>http://example.org/roads</uri><isolated>false</isolated></namespace>',
  '<workspace><!-- c --><![CDATA[x]]><name>a</name><atom:link xmlns:atom="http://www.w3.org/2005/Atom" href="x"/></workspace>',
  '{"workspace":{"name":"roads","isolated":true,"metadata":{"entry":[{"@key":"a","$":"1"}]}}}',
  "{'workspace':{'name':'single','metadata':{'a':1.5e3,'b':null,'c':[true,false]},},}",
  '{"namespace":{"prefix":"n","uri":"urn:n","isolated":null}}',
  '{"workspace":{"name":["\\u0000","\\ud83d\\ude00"],"__proto__":{"x":1},"constructor":[]}}',
];

/** Fragments with a special meaning, or that look as if they had one. */
const pieces = [
  ...'<>&;"\'/!?[]{}:,\\-= \n\r\t',
  ...['\0', '\u0007', '\ufeff', '\uffff', '\u2028', '..', '.xml', '%', '%2F', '\\u0000', '\\ud800', '&#0;', '&#xD800;'],
  ...['<!DOCTYPE x>', '<![CDATA[', ']]>', '<!--', '-->', '<?xml?>', 'xmlns=""', 'xsi:nil="true"', '&lt;', '&x;'],
  ...['null', 'true', 'NaN', '1e999', '-0', '[]', '{}', '__proto__', 'default', '"@key"', '"$"'],
];

type Mutation = (bytes: Buffer) => Buffer;

const spot = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (bytes: Buffer, part: number) => Math.floor(part * bytes.length);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(spot, fc.nat(255)).map(([part, byte]) => (bytes: Buffer) => {
    const changed = Buffer.from(bytes);
    changed[at(bytes, part)] = byte;
    return changed;
  }),
  fc.tuple(spot, fc.constantFrom(...pieces)).map(([part, piece]) => (bytes: Buffer) => {
    const where = at(bytes, part);
    return Buffer.concat([bytes.subarray(0, where), Buffer.from(piece), bytes.subarray(where)]);
  }),
  fc.tuple(spot, spot).map(([from, to]) => (bytes: Buffer) => {
    const [first = 0, second = 0] = [at(bytes, from), at(bytes, to)].sort((a, b) => a - b);
    return Buffer.concat([bytes.subarray(0, first), bytes.subarray(second)]);
  }),
  fc.tuple(spot, spot, fc.integer({ min: 1, max: 50 })).map(([from, to, times]) => (bytes: Buffer) => {
    const [first = 0, second = 0] = [at(bytes, from), at(bytes, to)].sort((a, b) => a - b);
    const copies = Array.from({ length: times }, () => bytes.subarray(first, second));
    return Buffer.concat([bytes.subarray(0, second), ...copies, bytes.subarray(second)]);
  }),
  fc.tuple(spot, fc.constantFrom(...documents), spot).map(([part, other, from]) => (bytes: Buffer) => {
    const tail = Buffer.from(other);
    return Buffer.concat([bytes.subarray(0, at(bytes, part)), tail.subarray(at(tail, from))]);
  }),
);

const body = fc
  .tuple(fc.constantFrom(...documents), fc.array(mutation, { maxLength: 6 }))
  .map(([document, mutations]) => mutations.reduce<Buffer>((bytes, mutate) => mutate(bytes), Buffer.from(document)));

const contentType = fc.constantFrom(
  ...['text/xml', 'application/xml', 'application/json', 'text/json', 'text/xml; charset=utf-16', ''],
  ...['application/json; charset=latin1', 'text/xml; charset=shift_jis', 'text/plain', 'application/json;charset="'],
);

const call = fc.record({
  method: fc.constantFrom('POST', 'PUT'),
  path: fc.constantFrom(
    ...['/workspaces', '/workspaces.json', '/workspaces/there', '/workspaces/there.xml', '/workspaces/default'],
    ...['/namespaces', '/namespaces.xml', '/namespaces/there', '/namespaces/default.json', '/workspaces?default=true'],
  ),
  type: contentType,
  accept: fc.constantFrom('*/*', 'application/json', 'text/xml', 'text/html', 'application/problem+json', 'nonsense'),
  body,
});

describe.each(['graticule', 'geoserver'] as const)(`${RUNS / 2} almost valid bodies, FUZZ_SEED=${seed}`, (compat) => {
  const server = useTestServer({ compat });

  it(`almost valid bodies cause no server error in the dialect ${compat}`, async () => {
    await server.post('/workspaces', '<workspace><name>there</name></workspace>');

    await fc.assert(
      fc.asyncProperty(call, async ({ method, path, type, accept, body }) => {
        const reply = await server.request(method, path, { body, accept, headers: { 'content-type': type } });

        expect(reply.status).toBeLessThan(500);
        expect(reply.text).not.toMatch(/at .*\.ts|node_modules|SQLITE|undefined|\[object/);
        expect(reply.text.length).toBeLessThan(10_000);
      }),
      { seed, numRuns: RUNS / 2 },
    );

    for (const path of ['/workspaces.xml', '/workspaces.json', '/workspaces.html', '/namespaces.json']) {
      expect((await server.get(path)).status).toBe(200);
    }
    expect(await server.server.storage.findIntegrityProblems()).toEqual([]);
    expect(server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
