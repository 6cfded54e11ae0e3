/** Thousands of almost valid map requests: none causes a server error. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillSld, publishSquares } from '../support/maps.ts';
import { useTestServer } from '../support/test-server.ts';
import { createDeletion, createInsertion, createMutatedDocument } from '../support/text-mutations.ts';

/** Number of requests of each of two kinds; a release check uses at least 2,000. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 100);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const server = useTestServer();

beforeAll(() => publishSquares(server));

const MAP = 'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&bbox=0,0,10,10&width=20&height=20&format=image/png';

const queries = [
  `${MAP}&layers=topo:west,topo:east&styles=,topo:blue&transparent=true&bgcolor=0xFF00FF`,
  `${MAP}&layers=west&cql_filter=kind='low' AND rank < 3&sortBy=rank D&maxFeatures=1&startIndex=0`,
  `${MAP}&layers=topo:west&filter=<Filter><PropertyIsEqualTo><PropertyName>kind</PropertyName><Literal>low</Literal></PropertyIsEqualTo></Filter>`,
  `${MAP.replace('srs=EPSG:4326&bbox=0,0,10,10', 'srs=EPSG:3857&bbox=0,0,1000000,1000000')}&layers=topo:west&angle=30&buffer=5&format_options=dpi:180;antialias:off`,
  `${MAP.replace('1.1.1', '1.3.0').replace('srs', 'crs')}&layers=topo:west&time=2024-01-01/P1D&elevation=0/10&dim_x=1&env=a:b;c:d&viewparams=a:b;c:d`,
  `${MAP.replace('GetMap', 'GetFeatureInfo')}&layers=west&query_layers=west&x=4&y=4&info_format=application/json&feature_count=2&propertyName=kind`,
  'service=WMS&request=GetLegendGraphic&layer=topo:west&format=image/png&width=20&height=20&rule=fill&scale=1000&legend_options=fontSize:12;forceLabels:on',
  'service=WMS&version=1.1.1&request=DescribeLayer&layers=topo:west&output_format=application/json',
  'service=WMS&request=GetCapabilities&version=1.3.0&namespace=topo&updateSequence=0',
  `${MAP.replace('image/png', 'utfgrid')}&layers=topo:west&format_options=utfresolution:2`,
  `${MAP.replace('image/png', 'image/svg%2Bxml')}&layers=topo:west,topo:east`,
  'service=WMS&request=GetLegendGraphic&layer=topo:west,topo:east&format=image/gif&bbox=0,0,10,10&srs=EPSG:4326&srcwidth=20&srcheight=20&legend_options=countMatched:true;hideEmptyRules:true;dpi:180;columns:2;columnheight:40;wrap:true;wrap_limit:20;border:true;forceTitles:on;fontAntiAliasing:off;labelMargin:9',
  `${MAP.replace('image/png', 'kml')}&layers=topo:west&featureId=west.1&exceptions=application/vnd.ogc.se_inimage`,
  `${MAP.replace('image/png', 'kml')}&layers=topo:west&superoverlay=true&superoverlay_mode=hybrid&kmscore=4&legend=true&kmplacemark=true`,
];

const rule =
  '<MinScaleDenominator>1</MinScaleDenominator><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>low</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>';
const symbols =
  '<Rule><LineSymbolizer><Stroke><CssParameter name="stroke">#112233</CssParameter><CssParameter name="stroke-width">3</CssParameter><CssParameter name="stroke-dasharray">4 2</CssParameter></Stroke></LineSymbolizer><PointSymbolizer><Graphic><Mark><WellKnownName>star</WellKnownName><Fill/></Mark><Size>12</Size><Rotation>45</Rotation></Graphic></PointSymbolizer><TextSymbolizer><Label><ogc:PropertyName>kind</ogc:PropertyName></Label><Font><CssParameter name="font-size">10</CssParameter></Font></TextSymbolizer></Rule>';

const styles = [
  fillSld('#00ff00', { layer: 'topo:west' }),
  fillSld('#00ff00', { layer: 'topo:west', rule }),
  fillSld('#0f0', { layer: 'west' }).replace('<FeatureTypeStyle>', `<FeatureTypeStyle>${symbols}`),
];

/** Fragments with a special meaning, or that look as if they had one. */
const pieces = [
  ...'<>&;"\'/!?[]{}():,\\-=+%*@# \n',
  ...[
    '\0',
    '\ufeff',
    '\uffff',
    '%00',
    '%ff',
    '%25',
    '..',
    '//',
    '&&',
    'layers=',
    '&sld_body=<a/>',
    '&filter=<Filter/>',
  ],
  ...[
    'NaN',
    '1e999',
    '-1',
    '99999999999999999999',
    'null',
    '__proto__',
    'EPSG:',
    'CRS:84',
    'AUTO:42001,1,1',
    '1.5',
    '1e15',
  ],
  ...['<!DOCTYPE x>', '<![CDATA[', ']]>', '&x;', '&#0;', '<Not>', '</Not>', 'xmlns=""', '<Rule/>', '<ElseFilter/>'],
];

const mutation = fc.oneof(createInsertion(pieces), createDeletion(30));

describe('almost valid map requests', () => {
  it(`answers almost valid map requests (seed ${seed})`, { timeout: 1_200_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(createMutatedDocument(queries, mutation), async (query) => {
        const url = `//geoserver/wms?${query.replaceAll(/[^\x21-\x7e]|#/gu, (character) => encodeURIComponent(character.toWellFormed()))}`;

        const { status, text } = await server.get(url, { as: null });

        expect([200, 413], `${query}: ${text.slice(0, 300)}`).toContain(status);
      }),
      { numRuns: RUNS, seed },
    );
  });

  it(`answers almost valid map requests with styles (seed ${seed})`, { timeout: 1_200_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(createMutatedDocument(styles, mutation), async (sld) => {
        const form = `${MAP}&layers=topo:west&sld_body=${encodeURIComponent(sld.toWellFormed())}`;

        const { status, text } = await server.post('//geoserver/wms', form, {
          as: null,
          type: 'application/x-www-form-urlencoded',
        });

        expect([200, 413], `${sld}: ${text.slice(0, 300)}`).toContain(status);
      }),
      { numRuns: RUNS, seed },
    );
  });
});
