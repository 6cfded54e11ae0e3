/** Thousands of almost valid WFS requests: none causes a server error. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishTables } from '../support/published-features.ts';
import { useTestServer } from '../support/test-server.ts';
import { createDeletion, createInsertion, createMutatedDocument } from '../support/text-mutations.ts';

/** Number of requests of each of two kinds; a release check uses at least 2,000. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 120);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const server = useTestServer();

beforeAll(() =>
  publishTables(server, 'topo', [
    {
      name: 'towns',
      attributes: [
        geometryColumn('Point'),
        column('name', 'string'),
        column('people', 'integer'),
        column('day', 'date'),
      ],
      rows: [[wkt('POINT (7 46)'), 'Bern', 2, new Date('2024-01-01T00:00:00Z')]],
    },
  ]),
);

const queries = [
  'service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:towns&count=1&startIndex=0&sortBy=name+D&propertyName=name,people',
  'service=WFS&version=1.1.0&request=GetFeature&typeName=topo:towns&maxFeatures=1&bbox=1,2,30,40,EPSG:4326&outputFormat=json',
  'service=WFS&version=1.0.0&request=GetFeature&typeName=topo:towns&featureID=towns.1&srsName=EPSG:3857',
  "service=WFS&version=2.0.0&request=GetFeature&typeNames=(towns)(towns)&cql_filter=name LIKE 'B%25';people > 1",
  'service=WFS&version=2.0.0&request=GetFeature&typeNames=towns&filter=<Filter><PropertyIsEqualTo><ValueReference>name</ValueReference><Literal>a</Literal></PropertyIsEqualTo></Filter>',
  'service=WFS&version=2.0.0&request=GetFeature&typeNames=towns&cql_filter=BBOX(the_geom,1,2,3,4) AND day AFTER 2020-01-01T00:00:00Z&resultType=hits',
  'service=WFS&version=2.0.0&request=GetFeature&storedQuery_id=urn:ogc:def:query:OGC-WFS::GetFeatureById&id=towns.1',
  'service=WFS&version=2.0.0&request=GetPropertyValue&typeNames=towns&valueReference=people',
  'service=WFS&version=2.0.0&request=DescribeFeatureType&typeNames=towns&outputFormat=application/json',
  'service=WFS&request=GetCapabilities&acceptVersions=2.0.0,1.1.0&sections=FeatureTypeList&updateSequence=0',
  'service=WFS&version=2.0.0&request=GetFeature&typeNames=towns&outputFormat=csv&format_options=csvSeparator:semicolon',
];

const documents = [
  '<wfs:GetFeature service="WFS" version="2.0.0" count="1" startIndex="0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0"><wfs:Query typeNames="towns" srsName="urn:ogc:def:crs:EPSG::4326"><wfs:PropertyName>name</wfs:PropertyName><fes:Filter><fes:And><fes:PropertyIsLike wildCard="*" singleChar="?" escapeChar="!"><fes:ValueReference>name</fes:ValueReference><fes:Literal>B*</fes:Literal></fes:PropertyIsLike><fes:PropertyIsBetween><fes:ValueReference>people</fes:ValueReference><fes:LowerBoundary><fes:Literal>1</fes:Literal></fes:LowerBoundary><fes:UpperBoundary><fes:Literal>9</fes:Literal></fes:UpperBoundary></fes:PropertyIsBetween></fes:And></fes:Filter><fes:SortBy><fes:SortProperty><fes:ValueReference>name</fes:ValueReference><fes:SortOrder>DESC</fes:SortOrder></fes:SortProperty></fes:SortBy></wfs:Query></wfs:GetFeature>',
  '<wfs:GetFeature version="1.1.0" maxFeatures="2" outputFormat="json" xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"><wfs:Query typeName="topo:towns"><ogc:Filter><ogc:Intersects><ogc:PropertyName>the_geom</ogc:PropertyName><gml:Polygon srsName="EPSG:4326"><gml:exterior><gml:LinearRing><gml:posList>0 0 10 0 10 10 0 0</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></ogc:Intersects></ogc:Filter></wfs:Query></wfs:GetFeature>',
  '<GetFeature version="1.0.0" xmlns="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc"><Query typeName="towns"><ogc:Filter><ogc:FeatureId fid="towns.1"/></ogc:Filter></Query></GetFeature>',
  '<wfs:GetPropertyValue version="2.0.0" valueReference="name" xmlns:wfs="http://www.opengis.net/wfs/2.0"><wfs:Query typeNames="towns"/></wfs:GetPropertyValue>',
  '<wfs:DescribeFeatureType version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0"><wfs:TypeName>topo:towns</wfs:TypeName></wfs:DescribeFeatureType>',
  '<wfs:GetCapabilities xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1"><ows:AcceptVersions><ows:Version>2.0.0</ows:Version></ows:AcceptVersions></wfs:GetCapabilities>',
];

/** Fragments with a special meaning, or that look as if they had one. */
const pieces = [
  ...'<>&;"\'/!?[]{}():,\\-=+%*@# \n',
  ...['\0', '\ufeff', '\uffff', '%00', '%ff', '%25', '..', '//', '&&', '(a)(b)', 'typeNames=', '&filter=<Filter/>'],
  ...['NaN', '1e999', '-1', '99999999999999999999', 'null', '__proto__', 'EPSG:', 'urn:ogc:def:crs:EPSG::', '1.5'],
  ...['<!DOCTYPE x>', '<![CDATA[', ']]>', '&x;', '&#0;', '<Not>', '</Not>', 'AND', 'OR NOT', 'xmlns=""', '_x0020_'],
];

const mutation = fc.oneof(createInsertion(pieces), createDeletion(30));

/** The statuses that the server may return to almost valid requests. */
const ours = new Set([200, 400, 404, 413]);

describe('almost valid WFS requests', () => {
  it(`answers almost valid key-value pairs (seed ${seed})`, { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(createMutatedDocument(queries, mutation), async (query) => {
        const url = `//geoserver/wfs?${query.replaceAll(/[^\x21-\x7e]|#/gu, (character) => encodeURIComponent(character.toWellFormed()))}`;

        const { status } = await server.get(url, { as: null });

        expect(ours, query).toContain(status);
      }),
      { numRuns: RUNS, seed },
    );
  });

  it(`answers almost valid documents (seed ${seed})`, { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(createMutatedDocument(documents, mutation), async (document) => {
        const { status } = await server.post('//geoserver/wfs', document.toWellFormed(), {
          as: null,
          type: 'text/xml',
        });

        expect(ours, document).toContain(status);
      }),
      { numRuns: RUNS, seed },
    );
  });
});
