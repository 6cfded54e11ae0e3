import { expect, it } from 'vitest';
import { addKeyToChunks, addKeyToLinks } from './key-links.ts';

const root = 'http://maps.example/geoserver';
const xml = { root, key: 'grt_k', isXml: true };

const document = `<a xmlns:land="${root}/land" href="${root}/wms?"><b>${root}/land/ows?service=WFS&amp;request=X</b>
<c url='${root}/gwc/service/wmts/rest/a/{TileRow}.png'/><d href="http://other.example/geoserver/wms?"/><e>${root}/rest/wms</e></a>`;

const expected = `<a xmlns:land="${root}/land" href="${root}/wms?authkey=grt_k&amp;"><b>${root}/land/ows?service=WFS&amp;request=X&amp;authkey=grt_k</b>
<c url='${root}/gwc/service/wmts/rest/a/{TileRow}.png?authkey=grt_k'/><d href="http://other.example/geoserver/wms?"/><e>${root}/rest/wms</e></a>`;

it('adds the key to links to services of this server and to nothing else', () => {
  expect(addKeyToLinks(document, xml)).toBe(expected);
  expect(addKeyToLinks(`{"href":"${root}/ogc/features/v1?f=json"}`, { ...xml, isXml: false })).toBe(
    `{"href":"${root}/ogc/features/v1?f=json&authkey=grt_k"}`,
  );
});

it('adds the key to links that are split between chunks of any size', async () => {
  for (const size of [1, 7, 50, 10_000]) {
    const bytes = Buffer.from(document);
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    let sent = '';
    for await (const piece of addKeyToChunks(chunks(), xml)) sent += piece;
    expect(sent).toBe(expected);
  }
});
