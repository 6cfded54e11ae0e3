import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CSS_TYPE,
  createStylePackage,
  lineSe,
  lineSld,
  pictureSld,
  SE_TYPE,
  SLD_TYPE,
  send,
  tinyPng,
  ZIP_TYPE,
} from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const samples: readonly (readonly [string, Buffer])[] = [
  [SLD_TYPE, Buffer.from(lineSld('a'))],
  [SLD_TYPE, Buffer.from(pictureSld('b', 'icons/c.png'))],
  [SE_TYPE, Buffer.from(lineSe('d', 'e'))],
  [CSS_TYPE, Buffer.from('/* @title x */ [a > 1] { stroke: red; :mark { fill: blue } }')],
  [ZIP_TYPE, createStylePackage({ 'a.sld': pictureSld('a', 'b.png'), 'b.png': tinyPng() })],
];

interface Mutation {
  readonly at: number;
  readonly drop: number;
  readonly put: Uint8Array;
}

const mutations = fc.array(fc.record({ at: fc.nat(10_000), drop: fc.nat(8), put: fc.uint8Array({ maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 4,
});

function mutated(bytes: Buffer, list: readonly Mutation[]): Buffer {
  return list.reduce((current, { at, drop, put }) => {
    const from = at % (current.length + 1);
    return Buffer.concat([current.subarray(0, from), put, current.subarray(from + drop)]);
  }, bytes);
}

describe('a mutated style', () => {
  const server = useTestServer();

  it('is accepted and returned unchanged, or rejected, without a server error', {
    timeout: 600_000,
  }, async () => {
    await server.post('/styles', '{"style":{"name":"fuzzed","filename":"fuzzed.sld"}}');

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), mutations, fc.boolean(), async ([type, bytes], list, raw) => {
        const body = mutated(bytes, list);
        const sent = await send(server, 'PUT', `/styles/fuzzed?raw=${raw}`, type, body);

        expect([200, 400, 413, 415]).toContain(sent.status);
        for (const form of ['xml', 'html', 'sld', 'css', 'zip', 'png']) {
          const read = await server.get(`/styles/fuzzed.${form}`);
          expect([200, 404, 406]).toContain(read.status);
          const isItself = sent.status === 200 && type !== ZIP_TYPE && form === (type === CSS_TYPE ? 'css' : 'sld');
          expect(!isItself || read.bytes.equals(body) || read.status === 406).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
