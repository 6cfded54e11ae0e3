import { beforeAll, describe, expect, it } from 'vitest';
import { draft, drafts, oddSchema, waterSchema } from '../../../test/support/granules.ts';
import { addMosaic } from '../../../test/support/mosaics.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import type { GranuleSchema } from '../../raster/granules/port/port.ts';

/** As documented. */
const oceanSchema: GranuleSchema = {
  name: 'O3',
  attributes: [
    { role: 'footprint', name: 'the_geom', crs: { code: 'EPSG:4326' } },
    { role: 'location', name: 'location' },
    { role: 'imageindex', name: 'imageindex' },
    { role: 'value', name: 'time', type: 'timestamp' },
    { role: 'value', name: 'elevation', type: 'double' },
    { role: 'value', name: 'fileDate', type: 'timestamp' },
    { role: 'value', name: 'updated', type: 'timestamp' },
  ],
  domains: [
    { name: 'TIME', kind: 'time', attributes: ['time'] },
    { name: 'ELEVATION', kind: 'elevation', attributes: ['elevation'] },
  ],
};
const moment = new Date('2013-03-01T12:00:00Z');
const ocean = [0, 1, 2].map((number) =>
  draft(number, {
    location: 'polyphemus_20130301.nc',
    imageindex: number,
    values: { time: new Date('2013-03-01T00:00:00Z'), elevation: 10 + number * 25, fileDate: moment, updated: moment },
  }),
);

const index = '/workspaces/acme/coveragestores/ocean/coverages/O3/index';

describe('granule index of a mosaic coverage', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await addMosaic(server, 'acme', 'ocean', [
      { schema: oceanSchema, granules: ocean },
      { schema: waterSchema, granules: drafts(1_300) },
      { schema: oddSchema, granules: [{ ...draft(1, { location: `it's <a> "b".tif` }), values: {} }] },
    ]);
  });

  it('returns the attributes of its granules in order and a link to the granules', async () => {
    const reply = await server.get(`${index}.xml`);

    const attribute = (name: string, binding: string) => `    <Attribute>
      <name>${name}</name>
      <minOccurs>0</minOccurs>
      <maxOccurs>1</maxOccurs>
      <nillable>true</nillable>
      <binding>${binding}</binding>
    </Attribute>
`;
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch('application/xml');
    expect(reply.text).toBe(`<Schema>
  <attributes>
${[
  attribute('the_geom', 'org.locationtech.jts.geom.Polygon'),
  attribute('location', 'java.lang.String'),
  attribute('imageindex', 'java.lang.Integer'),
  attribute('time', 'java.sql.Timestamp'),
  attribute('elevation', 'java.lang.Double'),
  attribute('fileDate', 'java.sql.Timestamp'),
  attribute('updated', 'java.sql.Timestamp'),
].join('')}  </attributes>
  <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://localhost:80/geoserver/rest${index}/granules.xml" type="application/xml"/>
</Schema>
`);
  });

  it('returns the same in JSON', async () => {
    const reply = await server.get(index, { accept: 'application/json' });

    const described = reply.json() as { Schema: { attributes: { Attribute: unknown[] }; href: string } };
    expect(described.Schema.attributes.Attribute).toHaveLength(7);
    expect(described.Schema.attributes.Attribute[3]).toEqual({
      name: 'time',
      minOccurs: 0,
      maxOccurs: 1,
      nillable: true,
      binding: 'java.sql.Timestamp',
    });
    expect(described.Schema.href).toBe(`http://localhost:80/geoserver/rest${index}/granules.json`);
  });

  it('lists granules as GML 2', async () => {
    const reply = await server.get(`${index}/granules.xml?limit=1`);

    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch('application/xml');
    expect(reply.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<wfs:FeatureCollection xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gf="http://www.geoserver.org/rest/granules" xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" xmlns:ogc="http://www.opengis.net/ogc">
  <gml:boundedBy>
    <gml:Box srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
      <gml:coord>
        <gml:X>0</gml:X>
        <gml:Y>0</gml:Y>
      </gml:coord>
      <gml:coord>
        <gml:X>1</gml:X>
        <gml:Y>1</gml:Y>
      </gml:coord>
    </gml:Box>
  </gml:boundedBy>
  <gml:featureMember>
    <gf:O3 fid="O3.1">
      <gf:the_geom>
        <gml:Polygon srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
          <gml:outerBoundaryIs>
            <gml:LinearRing>
              <gml:coordinates>0,0 0,1 1,1 1,0 0,0</gml:coordinates>
            </gml:LinearRing>
          </gml:outerBoundaryIs>
        </gml:Polygon>
      </gf:the_geom>
      <gf:location>polyphemus_20130301.nc</gf:location>
      <gf:imageindex>0</gf:imageindex>
      <gf:time>2013-03-01T00:00:00Z</gf:time>
      <gf:elevation>10.0</gf:elevation>
      <gf:fileDate>2013-03-01T12:00:00Z</gf:fileDate>
      <gf:updated>2013-03-01T12:00:00Z</gf:updated>
    </gf:O3>
  </gml:featureMember>
</wfs:FeatureCollection>
`);
  });

  it('lists granules as GeoJSON', async () => {
    const reply = await server.get(`${index}/granules.json?offset=1&limit=1`);

    expect(reply.headers['content-type']).toMatch('application/json');
    expect(reply.text).toBe(
      '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"location":"polyphemus_20130301.nc","imageindex":1,"time":"2013-03-01T00:00:00.000Z","elevation":35,"fileDate":"2013-03-01T12:00:00.000Z","updated":"2013-03-01T12:00:00.000Z"},"geometry":{"type":"Polygon","coordinates":[[[1,0],[1,1],[2,1],[2,0],[1,0]]]},"id":"O3.2"}]}',
    );
  });

  it('returns XML by default, and only XML and JSON', async () => {
    expect((await server.get(index)).headers['content-type']).toMatch('application/xml');
    expect((await server.get(`${index}/granules`)).headers['content-type']).toMatch('application/xml');
    expect((await server.get(`${index}/granules`, { accept: 'text/html' })).status).toBe(406);
    // Some clients send it with reads.
    expect((await server.get(`${index}/granules.json`, { type: 'application/json' })).status).toBe(200);
  });

  it('lists the granules that match a filter', async () => {
    const ids = async (filter: string) => {
      const reply = await server.get(`${index}/granules.json?filter=${encodeURIComponent(filter)}`);
      return (reply.json() as { features: { id: string }[] }).features.map(({ id }) => id);
    };

    expect(await ids('elevation = 35')).toEqual(['O3.2']);
    expect(await ids("location='polyphemus_20130301.nc' AND time = 2013-03-01T00:00:00Z AND imageindex > 0")).toEqual([
      'O3.2',
      'O3.3',
    ]);
    expect(await ids('BBOX(the_geom, 0.2, 0.2, 0.8, 0.8)')).toEqual(['O3.1']);
    expect(await ids("IN ('O3.3')")).toEqual(['O3.3']);
    expect(await ids('EXCLUDE')).toEqual([]);
  });

  it('lists long results completely, with a common box', async () => {
    const all = `/workspaces/acme/coveragestores/ocean/coverages/watertemp/index/granules`;

    const [xml, json] = await Promise.all([server.get(`${all}.xml`), server.get(`${all}.json`)]);

    expect(xml.text.match(/<gml:featureMember>/g)).toHaveLength(1_300);
    expect(xml.text).toContain('<gml:X>16</gml:X>\n        <gml:Y>8</gml:Y>');
    expect((json.json() as { features: unknown[] }).features).toHaveLength(1_300);
    expect((await server.request('HEAD', `${all}.xml`)).status).toBe(200);
  });

  it('returns one granule as a collection of one', async () => {
    const xml = await server.get(`${index}/granules/O3.2.xml`);
    const json = await server.get(`${index}/granules/O3.2.json`);
    const plain = await server.get(`${index}/granules/O3.2`);

    expect(xml.text.match(/<gf:O3 fid="O3.2">/g)).toHaveLength(1);
    expect(json.json()).toMatchObject({ type: 'FeatureCollection', features: [{ id: 'O3.2' }] });
    expect(plain.text).toBe(xml.text);
  });

  it('accepts names with any characters', async () => {
    const odd = `/workspaces/acme/coveragestores/ocean/coverages/${encodeURIComponent(oddSchema.name)}/index`;
    const filter = encodeURIComponent(`location = 'it''s <a> "b".tif'`);

    const schema = await server.get(`${odd}.xml`);
    const granules = await server.get(`${odd}/granules.xml?filter=${filter}`);
    const one = await server.get(`${odd}/granules/${encodeURIComponent(`${oddSchema.name}.1`)}.json`);

    expect(schema.text).toContain(`/coverages/${encodeURIComponent(oddSchema.name)}/index/granules.xml`);
    expect(granules.text).toContain(`<gf:O_x0027_3_x0020__x0022_x_x0022__x0020_ü fid="O'3 &quot;x&quot; ü.1">`);
    expect(granules.text).toContain(`<gf:location>it's &lt;a&gt; "b".tif</gf:location>`);
    expect(one.json()).toMatchObject({ features: [{ id: `${oddSchema.name}.1` }] });
  });

  it.each([
    ['bogus filter', 'line 1, column 1'],
    ['elevation = ', 'line 1, column 13'],
    ['depth = 3 AND elevation = 2', 'line 1, column 1'],
    ['elevation = 20 elevation', 'line 1, column 16'],
    ["time AFTER 'yesterday'", 'line 1, column'],
    ["location = 'a' ; DROP TABLE granules", 'line 1, column 16'],
  ])('rejects the filter %s with the position', async (filter, place) => {
    const reply = await server.get(`${index}/granules?filter=${encodeURIComponent(filter)}`, {
      accept: 'application/problem+json',
    });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(place);
    expect(reply.text).toContain('granule-filter-invalid');
  });

  it('ends the error about a misspelt attribute with its suggestion', async () => {
    const reply = await server.get(`${index}/granules.json?filter=${encodeURIComponent('elevatoin = 2')}`);

    expect(reply.status).toBe(400);
    expect((reply.json() as { message: string }).message).toMatch(/did you mean 'elevation'\?$/);
  });

  it.each(['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'offset=-1', 'offset=x'])('rejects %s', async (query) => {
    expect((await server.get(`${index}/granules.xml?${query}`)).status).toBe(400);
  });

  it.each([
    [`${index}/granules/O3.99.xml`, 'granule-unknown'],
    [`${index}/granules/watertemp.1`, 'granule-unknown'],
    ['/workspaces/acme/coveragestores/ocean/coverages/nothing/index', 'coverage-unknown'],
    ['/workspaces/acme/coveragestores/nothing/coverages/O3/index/granules', 'store-unknown'],
    ['/workspaces/nowhere/coveragestores/ocean/coverages/O3/index', 'workspace-unknown'],
    ['/workspaces/acme/coveragestores/ocean-picture/coverages/ocean-picture/index', 'granule-index-missing'],
    ['/workspaces/acme/coveragestores/ocean-picture/coverages/ocean-picture/index/granules', 'granule-index-missing'],
  ])('answers %s with 404', async (path, code) => {
    const reply = await server.get(path, { accept: 'application/problem+json' });

    expect(reply.status).toBe(404);
    expect(reply.json()).toMatchObject({ code });
    expect((await server.get(`${path}?quietOnNotFound=true`)).text).toBe('');
  });

  it('rejects writes to the whole index', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await server.request(method, index)).status).toBe(405);
    for (const method of ['POST', 'PUT']) {
      expect((await server.request(method, `${index}/granules`)).status).toBe(405);
    }
  });
});

describe('granule index of a mosaic coverage in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    await addMosaic(server, 'acme', 'ocean', [{ schema: oceanSchema, granules: ocean }]);
  });

  it('contains the boxes of its granules, and is XML by default', async () => {
    const reply = await server.get(`${index}/granules?limit=1`);

    expect(reply.headers['content-type']).toMatch('application/xml');
    expect(reply.text).toContain(`    <gf:O3 fid="O3.1">
      <gml:boundedBy>
        <gml:Box srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
          <gml:coordinates>0,0 1,1</gml:coordinates>
        </gml:Box>
      </gml:boundedBy>
      <gf:the_geom>`);
  });

  it('returns errors in plain text', async () => {
    const reply = await server.get(`${index}/granules.xml?filter=bogus%20filter`);

    expect(reply.status).toBe(400);
    expect(reply.headers['content-type']).toMatch('text/plain');
    expect(reply.text).toContain('at line 1, column 1');
  });
});
