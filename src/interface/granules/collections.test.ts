import { describe, expect, test } from 'vitest';
import { draft, oddSchema, waterSchema } from '../../../test/support/granules.ts';
import type { ListFrame } from '../../http/serialization/list-frame.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { Granule } from '../../raster/granules/port/port.ts';
import { createGeoJsonFrame } from './geojson.ts';
import { createGmlFrame } from './gml.ts';

const full: Granule = {
  ...draft(2, {
    location: `a & b/<c> 'd' "e" ü.nc`,
    imageindex: 4,
    values: {
      time: new Date('2008-10-31T00:00:00Z'),
      elevation: 50,
      'depth"s; --': Math.fround(0.1),
      läuft: 9007199254740993n,
      count: 7,
      model: ']]>',
      ingestion: new Date('2008-11-02T01:02:03.456Z'),
    },
  }),
  id: 'watertemp.1',
};
const sparse: Granule = { ...draft(1, { values: {} }), id: 'watertemp.2' };

function printed(frame: ListFrame<Granule>, granules: readonly Granule[]): string {
  return granules.length === 0
    ? frame.empty
    : `${frame.before}${granules.map(frame.item).join(frame.between)}${frame.after}`;
}

describe('granules in GML 2', () => {
  test('are members of a collection with a common box', () => {
    const bounds = { minX: 1, minY: 0, maxX: 3, maxY: 1 };

    expect(
      printed(createGmlFrame(waterSchema, bounds, 'without bounds'), [full, sparse]),
    ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<wfs:FeatureCollection xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gf="http://www.geoserver.org/rest/granules" xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" xmlns:ogc="http://www.opengis.net/ogc">
  <gml:boundedBy>
    <gml:Box srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
      <gml:coord>
        <gml:X>1</gml:X>
        <gml:Y>0</gml:Y>
      </gml:coord>
      <gml:coord>
        <gml:X>3</gml:X>
        <gml:Y>1</gml:Y>
      </gml:coord>
    </gml:Box>
  </gml:boundedBy>
  <gml:featureMember>
    <gf:watertemp fid="watertemp.1">
      <gf:the_geom>
        <gml:Polygon srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
          <gml:outerBoundaryIs>
            <gml:LinearRing>
              <gml:coordinates>2,0 2,1 3,1 3,0 2,0</gml:coordinates>
            </gml:LinearRing>
          </gml:outerBoundaryIs>
        </gml:Polygon>
      </gf:the_geom>
      <gf:location>a &amp; b/&lt;c&gt; 'd' "e" ü.nc</gf:location>
      <gf:imageindex>4</gf:imageindex>
      <gf:time>2008-10-31T00:00:00Z</gf:time>
      <gf:elevation>50.0</gf:elevation>
      <gf:depth_x0022_s_x003B__x0020_-->0.1</gf:depth_x0022_s_x003B__x0020_-->
      <gf:läuft>9007199254740993</gf:läuft>
      <gf:count>7</gf:count>
      <gf:model>]]&gt;</gf:model>
      <gf:ingestion>2008-11-02T01:02:03.456Z</gf:ingestion>
    </gf:watertemp>
  </gml:featureMember>
  <gml:featureMember>
    <gf:watertemp fid="watertemp.2">
      <gf:the_geom>
        <gml:Polygon srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
          <gml:outerBoundaryIs>
            <gml:LinearRing>
              <gml:coordinates>1,0 1,1 2,1 2,0 1,0</gml:coordinates>
            </gml:LinearRing>
          </gml:outerBoundaryIs>
        </gml:Polygon>
      </gf:the_geom>
      <gf:location>tiles/000001.tif</gf:location>
      <gf:imageindex>0</gf:imageindex>
    </gf:watertemp>
  </gml:featureMember>
</wfs:FeatureCollection>
`);
  });

  test('have a box each where clients of the reference server expect it', () => {
    const text = printed(createGmlFrame(waterSchema, undefined, 'with bounds'), [sparse]);

    expect(text).toContain(`    <gf:watertemp fid="watertemp.2">
      <gml:boundedBy>
        <gml:Box srsName="http://www.opengis.net/gml/srs/epsg.xml#4326">
          <gml:coordinates>1,0 2,1</gml:coordinates>
        </gml:Box>
      </gml:boundedBy>
      <gf:the_geom>`);
  });

  test('are well-formed for any name and any number', () => {
    const odd: Granule = { ...sparse, id: `O'3 "x" ü.1` };

    for (const granules of [[], [odd]]) {
      const text = printed(createGmlFrame(oddSchema, undefined, 'with bounds'), granules);
      expect(readXml(text, { maxDepth: 20, maxNodes: 1_000 })).toMatchObject({ local: 'FeatureCollection' });
    }
    expect(printed(createGmlFrame(oddSchema, undefined, 'without bounds'), [])).toContain(
      '<gml:null>unknown</gml:null>',
    );
    expect(printed(createGmlFrame({ ...oddSchema, name: '3 d' }, undefined, 'without bounds'), [odd])).toContain(
      `<gf:_x0033__x0020_d fid="O'3 &quot;x&quot; ü.1">`,
    );
  });

  test('may have holes, several parts, and another CRS', () => {
    const schema = {
      ...oddSchema,
      name: 'o3',
      attributes: [{ role: 'footprint', name: 'the_geom', crs: { code: 'EPSG:32632' } }],
    } as const;
    const ordinates = Float64Array.of(0, 0, 4, 0, 4, 4, 0, 0, 1, 1, 2, 1, 2, 2, 1, 1, 9, 9, 10, 9, 10, 10, 9, 9);
    const footprint = { type: 'MultiPolygon', dimension: 'XY', ordinates, ends: [4, 8, 12], parts: [2, 3] } as const;

    const text = printed(createGmlFrame(schema, undefined, 'without bounds'), [{ ...sparse, footprint }]);

    expect(text.match(/epsg\.xml#32632/g)).toHaveLength(1);
    expect(text.match(/<gml:polygonMember>/g)).toHaveLength(2);
    expect(text.match(/<gml:innerBoundaryIs>/g)).toHaveLength(1);
    expect(printed(createGeoJsonFrame(schema), [{ ...sparse, footprint }])).toContain(
      '"geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,1],[2,2],[1,1]]],[[[9,9],[10,9],[10,10],[9,9]]]]}',
    );
  });
});

describe('granules in GeoJSON', () => {
  test('are features of a collection', () => {
    expect(printed(createGeoJsonFrame(waterSchema), [full, sparse])).toBe(
      `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"location":"a & b/<c> 'd' \\"e\\" ü.nc","imageindex":4,"time":"2008-10-31T00:00:00.000Z","elevation":50,"depth\\"s; --":0.1,"läuft":9007199254740993,"count":7,"model":"]]>","ingestion":"2008-11-02T01:02:03.456Z"},"geometry":{"type":"Polygon","coordinates":[[[2,0],[2,1],[3,1],[3,0],[2,0]]]},"id":"watertemp.1"},{"type":"Feature","properties":{"location":"tiles/000001.tif","imageindex":0,"time":null,"elevation":null,"depth\\"s; --":null,"läuft":null,"count":null,"model":null,"ingestion":null},"geometry":{"type":"Polygon","coordinates":[[[1,0],[1,1],[2,1],[2,0],[1,0]]]},"id":"watertemp.2"}]}`,
    );
    expect(printed(createGeoJsonFrame(waterSchema), [])).toBe('{"type":"FeatureCollection","features":[]}');
  });
});
