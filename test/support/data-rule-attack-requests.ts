/** Requests of all services that try to learn what data rules hide. */
import { FEATURES } from './features.ts';

const sld = (symbolizer: string, filter = '') =>
  encodeURIComponent(
    `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>LAYER</Name><UserStyle><FeatureTypeStyle><Rule>${filter}${symbolizer}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
  );
const FILL = '<PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></PolygonSymbolizer>';
const TEXT = '<TextSymbolizer><Label><ogc:PropertyName>tax</ogc:PropertyName></Label></TextSymbolizer>';
const sized = (expression: string) =>
  `<PolygonSymbolizer><Fill><CssParameter name="fill-opacity">${expression}</CssParameter></Fill></PolygonSymbolizer>`;
const LENGTH = '<ogc:Function name="strLength"><ogc:PropertyName>tax</ogc:PropertyName></ogc:Function>';
const IS_OPEN =
  '<ogc:Filter><ogc:PropertyIsNotEqualTo><ogc:PropertyName>tax</ogc:PropertyName><ogc:Literal>secret</ogc:Literal></ogc:PropertyIsNotEqualTo></ogc:Filter>';

const conditions = [
  "tax = 'secret'",
  "NOT (tax = 'secret')",
  'tax IS NULL',
  'NOT (tax IS NULL)',
  'strLength(tax) > 2',
  "strConcat(tax, owner) = 'secretann'",
  "tax LIKE 's%'",
  "tax BETWEEN 'b' AND 'zzz'",
  "in(tax, 'secret', 'zz') = true",
  'num > 5 OR tax IS NULL',
  "owner <> 'ann'",
  'area(the_geom) > 150',
  'INTERSECTS(the_geom, POLYGON ((21 21, 40 21, 40 29, 21 29, 21 21)))',
  'DISJOINT(the_geom, POLYGON ((30 21, 40 21, 40 29, 30 29, 30 21)))',
  'BBOX(the_geom, 26, 20, 50, 50)',
  'CONTAINS(the_geom, POINT (1.5 1.5))',
  "seen > '2020-06-01T00:00:00Z'",
  "IN ('lots.6', 'lots.7')",
  "jsonPointer(tax, '/a') = 1",
];

/** `LAYER` stands for the attacked layer and `NAME` for its workspace; `plain:spots` is a layer without rules. */
export function listAttackRequests(isMasked: boolean): readonly string[] {
  // Conditions on attributes that are hidden in all rows have few outcomes.
  const encoded = (isMasked ? conditions : conditions.slice(0, 3)).map(encodeURIComponent);
  const wfs = '//geoserver/wfs?service=WFS&version=2.0.0&typeNames=LAYER';
  const items = `${FEATURES}/collections/LAYER/items?limit=100`;
  const view =
    'service=WMS&version=1.1.1&layers=LAYER&styles=polygon&srs=EPSG:4326&bbox=-20,-20,60,60&width=160&height=160';
  const map = `//geoserver/wms?request=GetMap&format=image/png&${view}`;
  const info = `//geoserver/wms?request=GetFeatureInfo&query_layers=LAYER&info_format=application/json&feature_count=50&${view}`;
  const legend = '//geoserver/wms?service=WMS&version=1.1.1&request=GetLegendGraphic&layer=LAYER&format=image/png';
  const rules = `&sld_body=${sld(FILL, IS_OPEN)}`;
  const wmts =
    '//geoserver/gwc/service/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=LAYER&tilematrixset=EPSG:4326';
  return [
    ...encoded.flatMap((each) => [
      `${wfs}&request=GetFeature&outputFormat=application/json&cql_filter=${each}`,
      `${wfs}&request=GetFeature&resultType=hits&cql_filter=${each}`,
      `${items}&filter-lang=ecql-text&filter=${each}`,
      `${map}&cql_filter=${each}`,
      `${info}&x=45&y=105&cql_filter=${each}`,
    ]),
    ...['application/json', 'gml2', 'gml3', 'gml32', 'csv', 'KML', 'text/html'].flatMap((each) => [
      `${wfs}&request=GetFeature&outputFormat=${encodeURIComponent(each)}`,
      `${wfs}&request=GetFeature&count=3&sortBy=tax,num&outputFormat=${encodeURIComponent(each)}`,
    ]),
    ...['tax', 'owner', 'the_geom', 'strLength(tax)', '@gml:id', 'lots/tax'].flatMap((each) => [
      `${wfs}&request=GetFeature&propertyName=${each}`,
      `${wfs}&request=GetPropertyValue&valueReference=${each}`,
    ]),
    ...['tax', '-tax', 'num', '-seen'].map((each) => `${items}&sortby=${each}`),
    ...[
      'tax=secret',
      'owner=bob',
      'num=70',
      'bbox=26,20,50,50',
      'datetime=2021-01-01/..',
      'datetime=../1999-12-31',
    ].map((each) => `${items}&${each}`),
    ...['lots.3', 'lots.5', 'lots.6', 'lots.7'].flatMap((id) => [
      `${FEATURES}/collections/LAYER/items/${id}`,
      `${wfs}&request=GetFeature&resourceId=${id}&outputFormat=application/json`,
    ]),
    `${FEATURES}/collections/LAYER`,
    `${FEATURES}/collections/LAYER/queryables`,
    `${wfs}&request=DescribeFeatureType`,
    `${wfs}&request=GetFeature&viewparams=tax:secret`,
    map,
    `${map}&sld_body=${sld(FILL, IS_OPEN)}`,
    `${map}&sld_body=${sld(`${FILL}${TEXT}`)}`,
    `${map}&sld_body=${sld(sized(LENGTH))}`,
    `${map}&env=tax:secret&viewparams=tax:secret`,
    `${map}&sortBy=tax`,
    `${map}&time=1999-01-01/2022-01-01`,
    ...[
      'application/vnd.google-earth.kml+xml',
      'image/svg+xml',
      'application/vnd.google-earth.kml+xml;mode=download',
    ].map((each) => map.replace('image/png', encodeURIComponent(each))),
    ...[
      [45, 105],
      [90, 70],
      [43, 117],
    ].flatMap(([x, y]) => [`${info}&x=${x}&y=${y}`, `${info}&x=${x}&y=${y}&propertyName=tax&buffer=20`]),
    ...['countMatched:true', 'hideEmptyRules:true', 'countMatched:true;hideEmptyRules:true'].flatMap((each) => [
      `${legend}&legend_options=${each}&srs=EPSG:4326&bbox=-20,-20,60,60&width=100&height=100&srcwidth=160&srcheight=160${rules}`,
      `${legend.replace('image/png', 'application/json')}&legend_options=${each}&srs=EPSG:4326&bbox=-20,-20,60,60&srcwidth=160&srcheight=160${rules}`,
    ]),
    '//geoserver/NAME/wms?service=WMS&version=1.3.0&request=GetCapabilities',
    '//geoserver/NAME/wfs?service=WFS&version=2.0.0&request=GetCapabilities',
    '//geoserver/wms/reflect?layers=LAYER',
    '//geoserver/wms/kml?layers=LAYER',
    ...['image/png', 'application/vnd.mapbox-vector-tile', 'application/json;type=utfgrid'].map(
      (each) => `${wmts}&tilematrix=EPSG:4326:0&tilerow=0&tilecol=1&format=${encodeURIComponent(each)}`,
    ),
    '/sldservice/LAYER/attributes.json',
    ...['uniqueInterval', 'quantile', 'equalInterval', 'jenks', 'equalArea', 'standardDeviation'].flatMap((method) =>
      ['tax', 'num', 'owner'].map((each) => `/sldservice/LAYER/classify.json?attribute=${each}&method=${method}`),
    ),
    '/sldservice/LAYER/classify.xml?attribute=num&method=quantile&intervals=2&customClasses=&bbox=-20,-20,60,60',
    ...listJoins(wfs, isMasked),
    ...listReadersOfOtherLayers(),
    ...listFiles(wfs, items),
    ...listTransformations(map),
    ...listStylesAndTiles(view),
  ];
}

/** Joins with the layer itself and with a layer that everybody sees. */
function listJoins(wfs: string, isMasked: boolean): readonly string[] {
  const join = (types: string) =>
    `${wfs.replace('typeNames=LAYER', `typeNames=(${types})`)}&aliases=(a,b)&request=GetFeature`;
  const conditions = [
    '"a/tax" = "b/tax"',
    '"a/num" = "b/num"',
    '"a/num" < "b/num" AND "a/tax" IS NULL',
    'INTERSECTS("a/the_geom", "b/the_geom")',
    'DWITHIN("a/the_geom", "b/the_geom", 6, meters)',
    '"a/tax" <> \'secret\' AND "a/num" = "b/num"',
  ];
  const limited = isMasked ? conditions : conditions.slice(0, 4);
  return ['LAYER,LAYER', 'plain:spots,LAYER'].flatMap((types) => [
    ...limited.flatMap((each) => [
      `${join(types)}&outputFormat=application/json&cql_filter=${encodeURIComponent(each)}`,
      `${join(types)}&resultType=hits&cql_filter=${encodeURIComponent(each)}`,
    ]),
    ...['gml32', 'csv'].map(
      (each) => `${join(types)}&outputFormat=${each}&cql_filter=${encodeURIComponent('"a/num" = "b/num"')}`,
    ),
    `${join(types)}&outputFormat=csv&sortBy=b/tax&cql_filter=${encodeURIComponent('"a/num" = "b/num"')}`,
    `${join(types)}&outputFormat=csv&propertyName=(a/num)(b/tax)&cql_filter=${encodeURIComponent('"a/num" = "b/num"')}`,
  ]);
}

/** Filters and styles of a layer that everybody sees, which read the attacked one. */
function listReadersOfOtherLayers(): readonly string[] {
  const all = "queryCollection('LAYER', 'the_geom', 'INCLUDE')";
  const conditions = [
    "name = querySingle('LAYER', 'tax', 'num = 8')",
    "name IN (queryCollection('LAYER', 'tax', 'INCLUDE'))",
    "num IN (queryCollection('LAYER', 'num', 'INCLUDE'))",
    "num IN (queryCollection('LAYER', 'num', 'tax IS NOT NULL'))",
    "INTERSECTS(the_geom, collectGeometries(queryCollection('LAYER', 'the_geom', 'num < 90')))",
    "num IN (queryCollection('LAYER', 'num', 'tax = ''secret'''))",
    `INTERSECTS(the_geom, collectGeometries(${all}))`,
    `area(collectGeometries(${all})) > 300`,
    "name = querySingle('LAYER', 'none', 'INCLUDE')",
  ].map(encodeURIComponent);
  const spots = 'service=WFS&version=2.0.0&request=GetFeature&typeNames=plain:spots&outputFormat=application/json';
  const box = 'service=WMS&version=1.1.1&srs=EPSG:4326&bbox=-20,-20,60,60&width=160&height=160';
  const drawn = `${box}&request=GetMap&format=image/png&layers=plain:spots&styles=`;
  const tile =
    'service=WMTS&version=1.0.0&request=GetTile&layer=plain:spots&tilematrixset=EPSG:4326&tilematrix=EPSG:4326:0&tilerow=0&tilecol=1&format=image/png';
  const label = (text: string) => sized(`<ogc:Function name="strLength">${text}</ogc:Function>`);
  const single = (attribute: string) =>
    `<ogc:Function name="querySingle"><ogc:Literal>LAYER</ogc:Literal><ogc:Literal>${attribute}</ogc:Literal><ogc:Literal>num = 8</ogc:Literal></ogc:Function>`;
  return [
    ...conditions.flatMap((each) => [
      `//geoserver/wfs?${spots}&cql_filter=${each}`,
      `//geoserver/wms?${drawn}polygon&cql_filter=${each}`,
      `//geoserver/gwc/service/wmts?${tile}&cql_filter=${each}`,
    ]),
    ...['tax', 'num', 'owner', 'none'].map(
      (each) => `//geoserver/wms?${drawn}&sld_body=${sld(label(single(each))).replace('LAYER', 'plain:spots')}`,
    ),
  ];
}

function listFiles(wfs: string, items: string): readonly string[] {
  const formats = [
    'DXF',
    'DXF-ZIP',
    'excel2007',
    'excel',
    'SHAPE-ZIP',
    'flatgeobuf',
    'geoparquet',
    'gpkg',
    'text/xml; subtype=gml/3.1.1',
  ];
  return [
    ...formats.map((each) => `${wfs}&request=GetFeature&outputFormat=${encodeURIComponent(each)}`),
    ...['DXF', 'excel2007'].map((each) => `${wfs}&request=GetFeature&outputFormat=${each}&propertyName=tax,the_geom`),
    `${wfs}&request=GetFeature&outputFormat=DXF&format_options=withattributes:true;asblocks:true`,
    ...['dxf', 'xlsx', 'fgb', 'parquet', 'csv', 'html', 'gml'].map((each) => `${items}&f=${each}`),
    '//geoserver/wfs?service=WFS&version=1.0.0&request=GetFeature&typeName=LAYER',
    '//geoserver/wfs?service=WFS&version=1.1.0&request=GetFeature&typeName=LAYER&sortBy=tax&maxFeatures=2',
    '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&storedQuery_id=urn:ogc:def:query:OGC-WFS::GetFeatureById&id=lots.3',
  ];
}

/** Transformations compute values of many features. */
function listTransformations(map: string): readonly string[] {
  const literal = (text: string | number) => `<ogc:Literal>${text}</ogc:Literal>`;
  const parameter = (name: string, ...values: readonly (string | number)[]) =>
    `<ogc:Function name="parameter">${[name, ...values].map(literal).join('')}</ogc:Function>`;
  const environment = (name: string, variable: string) =>
    `<ogc:Function name="parameter">${literal(name)}<ogc:Function name="env">${literal(variable)}</ogc:Function></ogc:Function>`;
  const screen = `${environment('outputBBOX', 'wms_bbox')}${environment('outputWidth', 'wms_width')}${environment('outputHeight', 'wms_height')}`;
  const transform = (name: string, parameters: string, symbolizer: string) =>
    sld(symbolizer).replace(
      encodeURIComponent('<Rule>'),
      encodeURIComponent(
        `<Transformation><ogc:Function name="${name}">${parameter('data')}${parameters}</ogc:Function></Transformation><Rule>`,
      ),
    );
  const ramp =
    '<RasterSymbolizer><ColorMap><ColorMapEntry color="#0000ff" quantity="0"/><ColorMapEntry color="#ff0000" quantity="1"/><ColorMapEntry color="#00ff00" quantity="100"/></ColorMap></RasterSymbolizer>';
  return [
    transform('vec:Heatmap', parameter('weightAttr', 'num') + parameter('radiusPixels', 20) + screen, ramp),
    transform('vec:Heatmap', parameter('weightAttr', 'tax') + parameter('radiusPixels', 20) + screen, ramp),
    transform('vec:BarnesSurface', parameter('valueAttr', 'num') + parameter('scale', 20) + screen, ramp),
    transform(
      'vec:PointStacker',
      parameter('cellSize', 30) + screen,
      '<TextSymbolizer><Label><ogc:PropertyName>count</ogc:PropertyName></Label></TextSymbolizer>',
    ),
    transform(
      'vec:VectorToRaster',
      parameter('attribute', 'num') + parameter('rasterWidth', 80) + parameter('rasterHeight', 80),
      ramp,
    ),
    transform('vec:Query', `${parameter('filter', "tax = 'secret'")}`, FILL),
    transform('vec:Query', `${parameter('attribute', 'tax')}`, `${FILL}${TEXT}`),
    transform('vec:Transform', parameter('transform', 'the_geom=buffer(the_geom, strLength(tax))'), FILL),
    transform('vec:BufferFeatureCollection', parameter('distance', 1) + parameter('attributeName', 'num'), FILL),
  ].map((each) => `${map}&sld_body=${each}`);
}

function listStylesAndTiles(view: string): readonly string[] {
  const wms = '//geoserver/wms';
  return [
    `${wms}?request=GetMap&${view}&format=application/json;type=utfgrid`,
    `${wms}?request=GetMap&${view}&format=application/vnd.google-earth.kml%2Bxml&format_options=kmattr:true;kmscore:100;extendedData:true`,
    `${wms}?request=GetMap&${view}&format=application/vnd.google-earth.kml%2Bxml&superoverlay=true&format_options=kmscore:100`,
    `${wms}?request=GetMap&${view}&format=application/vnd.google-earth.kml%2Bxml&superoverlay=true&format_options=superoverlay_mode:hybrid`,
    ...['superoverlay', 'refresh', 'download'].map((mode) => `${wms}/kml?layers=LAYER&mode=${mode}`),
    `${wms}/animate?layers=LAYER&format=image/gif&aparam=styles&avalues=polygon,line&${view}`,
    ...['application/pdf', 'image/svg+xml', 'image/geotiff', 'application/vnd.mapbox-vector-tile', 'rss', 'atom'].map(
      (each) => `${wms}?request=GetMap&${view}&format=${encodeURIComponent(each)}`,
    ),
    ...['text/plain', 'text/html', 'text/xml', 'application/vnd.ogc.gml'].map(
      (each) =>
        `${wms}?request=GetFeatureInfo&query_layers=LAYER&info_format=${encodeURIComponent(each)}&feature_count=50&x=45&y=105&buffer=30&${view}`,
    ),
    `${wms}?service=WMS&version=1.1.1&request=DescribeLayer&layers=LAYER&output_format=application/json`,
    `${wms}?service=WMS&version=1.1.1&request=GetStyles&layers=LAYER`,
    '//geoserver/ogc/styles/v1/styles/LAYER?f=mapbox',
    '//geoserver/ogc/styles/v1/styles/LAYER/metadata?f=json',
    '//geoserver/ogc/tiles/v1/collections/LAYER?f=json',
    '//geoserver/ogc/tiles/v1/collections/LAYER/tiles/WebMercatorQuad?f=json',
    '//geoserver/ogc/tiles/v1/collections/LAYER/tiles/WebMercatorQuad/metadata?f=json',
    '//geoserver/ogc/maps/v1/collections/LAYER/map?f=png',
    ...['image/png', 'application/vnd.mapbox-vector-tile'].map(
      (each) =>
        `${wms}?service=WMS&version=1.1.1&request=GetMap&layers=LAYER&styles=polygon&srs=EPSG:4326&bbox=0,-90,180,90&width=256&height=256&tiled=true&format=${encodeURIComponent(each)}`,
    ),
    '//geoserver/gwc/service/tms/1.0.0/LAYER@EPSG:4326@png/0/1/0.png',
    '//geoserver/gwc/service/tms/1.0.0/LAYER@EPSG:4326@utfgrid/0/1/0.utfgrid',
    '//geoserver/NAME/gwc/service/wms?service=WMS&version=1.1.1&request=GetCapabilities&tiled=true',
    ...['', '&cql_filter=num>5', '&time=2020-01-01', '&properties=tax', '&sortBy=tax'].map(
      (each) =>
        `//geoserver/ogc/tiles/v1/collections/LAYER/tiles/WorldCRS84Quad/0/0/1?f=application/vnd.mapbox-vector-tile${each}`,
    ),
  ];
}
