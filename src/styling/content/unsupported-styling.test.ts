import { expect, test } from 'vitest';
import { readSld } from '../sld/reader.ts';
import { listUnsupported } from './unsupported-styling.ts';

const sld = (rules: string): string =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:xlink="http://www.w3.org/1999/xlink"><NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle>
    </NamedLayer></StyledLayerDescriptor>`;
const label = (options: string): string =>
  `<Rule><TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label>${options}</TextSymbolizer></Rule>`;
const point = (geometry: string): string =>
  `<Rule><PointSymbolizer><Geometry>${geometry}</Geometry><Graphic><Mark><WellKnownName>circle</WellKnownName></Mark></Graphic></PointSymbolizer></Rule>`;
const call = (name: string): string =>
  `<ogc:Function name="${name}"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function>`;

const listWarnings = (rules: string): readonly string[] => listUnsupported(readSld(sld(rules)).model);

test('a fully supported style has no warnings', () => {
  const rules = `${label('<VendorOption name="followLine">true</VendorOption><VendorOption name="group">yes</VendorOption>')}${point(call('centroid'))}`;

  expect(listWarnings(rules)).toEqual([]);
});

test('unsupported vendor options are listed once', () => {
  const option = '<VendorOption name="displacementWay">N</VendorOption>';

  expect(listWarnings(label(option) + label(option))).toEqual([
    "The vendor option 'displacementWay' has no effect on maps.",
  ]);
});

test('unsupported raster options are listed, and contrast options are not', () => {
  const raster = (inner: string) => `<Rule><RasterSymbolizer>${inner}</RasterSymbolizer></Rule>`;
  const contrast =
    '<ContrastEnhancement><Normalize><VendorOption name="algorithm">ClipToZero</VendorOption><VendorOption name="minValue">5</VendorOption></Normalize></ContrastEnhancement>';
  const curve =
    '<ContrastEnhancement><Logarithmic><VendorOption name="normalizationFactor">2</VendorOption><VendorOption name="correctionFactor">3</VendorOption></Logarithmic></ContrastEnhancement>';

  expect(listWarnings(raster(contrast))).toEqual([]);
  expect(listWarnings(raster(curve))).toEqual([]);
  expect(listWarnings(raster('<OverlapBehavior><AVERAGE/></OverlapBehavior>'))).toEqual([]);
  expect(listWarnings(raster('<ImageOutline><LineSymbolizer/></ImageOutline>'))).toEqual([
    'Outlines of rasters are not drawn.',
  ]);
});

test('unknown geometry functions are listed', () => {
  expect(listWarnings(point(call('puffer')))).toEqual([
    "The function 'puffer' is not supported in maps: values fall back to their defaults, and geometries are not drawn.",
  ]);
});

test('functions of coverages and of other layers are not listed', () => {
  for (const name of ['gridCoverageStats', 'bandStats', 'querySingle', 'reproject'])
    expect(listWarnings(point(call(name)))).toEqual([]);
});

test('glyph marks are listed, and feature-dependent pictures are supported', () => {
  const rules = `<Rule><PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="icons/\${kind}.png"/>
    <Format>image/png</Format></ExternalGraphic><Mark><WellKnownName>ttf://Webdings#0x0064</WellKnownName></Mark></Graphic></PointSymbolizer></Rule>`;

  expect(listWarnings(rules)).toEqual(['Glyph marks (ttf://) of unavailable fonts are drawn as squares.']);
});

test('glyph marks whose name contains an expression are not listed', () => {
  const mark = "<Mark><WellKnownName>ttf://DejaVu Sans#${'U+2605'}</WellKnownName></Mark>";

  expect(listWarnings(`<Rule><PointSymbolizer><Graphic>${mark}</Graphic></PointSymbolizer></Rule>`)).toEqual([]);
});

test('contours without levels and interval are listed', () => {
  const transform = (parameters: string) =>
    `<Transformation><ogc:Function name="ras:Contour">${parameters}</ogc:Function></Transformation><Rule/>`;
  const interval =
    '<ogc:Function name="parameter"><ogc:Literal>interval</ogc:Literal><ogc:Literal>10</ogc:Literal></ogc:Function>';

  expect(listWarnings(transform(''))).toEqual([
    "Invalid transformation 'Contour': parameter 'levels' or 'interval' is required. Maps in this style are rejected.",
  ]);
  expect(listWarnings(transform(interval))).toEqual([]);
});

test.each([
  ['dest = 1;\n  dest = src +;', "line 2, column 15 of the script: a value was expected, but ';' was found"],
  ['dest = 1', "line 1, column 9 of the script: ';' was expected, but 'the end' was found"],
  ['dest = src.a;', "line 1, column 11 of the script: unexpected character '.'"],
  ['dest = src;', undefined],
])('a Jiffle script %j is parsed', (script, reason) => {
  const call = `<ogc:Function name="ras:Jiffle"><ogc:Function name="parameter"><ogc:Literal>coverage</ogc:Literal></ogc:Function><ogc:Function name="parameter"><ogc:Literal>script</ogc:Literal><ogc:Literal>${script}</ogc:Literal></ogc:Function></ogc:Function>`;

  const sentence = `Invalid transformation 'Jiffle': parameter 'script' is invalid: ${reason}. Maps in this style are rejected.`;
  expect(listWarnings(`<Transformation>${call}</Transformation><Rule><RasterSymbolizer/></Rule>`)).toEqual(
    reason === undefined ? [] : [sentence],
  );
});

test.each([
  ['circel', "Unknown mark 'circel'. A square is drawn instead. Did you mean 'circle'?"],
  ['shape://plusss', "Unknown mark 'shape://plusss'. A square is drawn instead. Did you mean 'shape://plus'?"],
  [
    'wkt://LINESTRING(0 0, east 1)',
    "Invalid mark 'wkt://LINESTRING(0 0, east 1)'. A square is drawn instead. Use wkt:// with a line or polygon of at most 20000 characters.",
  ],
  [
    'windbarbs://default(15)[furlongs]',
    "Invalid wind barb 'windbarbs://default(15)[furlongs]'. A square is drawn instead. Use windbarbs://default(speed)[unit], where the unit is kt, kts, kn, m/s, km/h, mph.",
  ],
])('the unknown mark %s is listed', (name, sentence) => {
  const rules = `<Rule><PointSymbolizer><Graphic><Mark><WellKnownName>${name}</WellKnownName></Mark></Graphic></PointSymbolizer></Rule>`;

  expect(listWarnings(rules)).toEqual([sentence]);
});

test('a mark in WKT that is too long is listed', () => {
  const name = `wkt://LINESTRING(0 0${', 1 1'.repeat(5_000)})`;
  const rules = `<Rule><PointSymbolizer><Graphic><Mark><WellKnownName>${name}</WellKnownName></Mark></Graphic></PointSymbolizer></Rule>`;

  expect(listWarnings(rules).map((each) => each.replace(/'.*'/, '…'))).toEqual([
    'Invalid mark …. A square is drawn instead. Use wkt:// with a line or polygon of at most 20000 characters.',
  ]);
});

test('long lists are cut off with the number of omitted items', () => {
  const options = Array.from({ length: 30 }, (_, index) => `<VendorOption name="own${index}">1</VendorOption>`).join(
    '',
  );

  const warnings = listWarnings(label(options));

  expect(warnings).toHaveLength(10);
  expect(warnings.at(-1)).toBe('21 more unsupported items are not listed.');
});
