/** The parameters of all WMS operations. */
import { capabilitiesParameters, commonParameters } from '../../ows/common-parameters.ts';
import {
  count,
  createTextKind,
  declareFamily,
  declareOperation,
  declareParameter,
  declareUnsupported,
  flag,
  formatNames,
  options,
  text,
} from '../../ows/service-parameters.ts';
import { viewParameters } from '../../ows/view-parameters.ts';
import {
  angle,
  antialias,
  attributeNames,
  box,
  color,
  createPixelsKind,
  environment,
  frameDelay,
  interpolations,
  isStrict,
  kmlMode,
  kmlScore,
  optionalFlag,
  propertyNames,
  quantizer,
  resolution,
  scale,
  scaleMethod,
  sldVersion,
  sortKeys,
  superOverlayMode,
} from './parameter-kinds.ts';
import type { WmsRequest } from './request.ts';

/** The maximum width and height of a map, regardless of the area. */
const MAX_SIDE = 100_000;

/** The default and maximum size of a legend sample. */
const SAMPLE_PIXELS = 20;
const MAX_SAMPLE_PIXELS = 1_024;

const layerNames = createTextKind('the names of layers');
const format = declareParameter('format', createTextKind('a format such as image/png'), 'The format of the image.');

const ofRequest = {
  ...commonParameters,
  version: declareParameter('version', text, 'The version: 1.1.1 or 1.3.0 (default).', { aliases: ['wmtver'] }),
  exceptions: declareParameter(
    'exceptions',
    text,
    'The format of errors: XML (default), JSON, INIMAGE or BLANK; PARTIALMAP accepts a map that is incomplete at the time limit.',
  ),
};

/** The options of maps as KML, which other formats ignore. Each is a parameter, or one of the format options. */
export const kmlOptions = {
  score: declareParameter(
    'kmscore',
    kmlScore,
    'When a layer is an image in KML: if the map has more than 10^(kmscore/15) of its features. 0: always; 100: never. Default: 100; 50 in the links of /wms/kml and in super-overlays.',
  ),
  attributes: declareParameter(
    'kmattr',
    optionalFlag,
    'Whether placemarks in KML have a description: the template description.ftl, or the attributes. Default: true.',
  ),
  extendedData: declareParameter(
    'extendedData',
    optionalFlag,
    'Whether placemarks in KML have their attributes as ExtendedData. Default: the value of kmattr.',
  ),
  placemarks: declareParameter(
    'kmplacemark',
    optionalFlag,
    'Whether lines and polygons in KML have a point with an icon and a label. Default: false.',
  ),
  legend: declareParameter('legend', optionalFlag, 'Whether a KML document shows the legend. Default: false.'),
  title: declareParameter('kmltitle', text, 'The name of a KML document.'),
  superOverlay: declareParameter(
    'superoverlay',
    optionalFlag,
    'Whether a KML document is a tile of a super-overlay, with links to its four parts. Default: false.',
  ),
  superOverlayMode: declareParameter(
    'superoverlay_mode',
    superOverlayMode,
    'The content of tiles: auto and overview (images, and placemarks where kmscore permits them), hybrid (images with such placemarks), raster and cached (images). Default: auto.',
    { aliases: ['overlayMode'] },
  ),
};

/** The options in `format_options`. */
export const mapFormatOptions = declareOperation('format_options', {
  ...kmlOptions,
  dpi: declareParameter('dpi', resolution, 'The resolution of the image; takes precedence over the parameter dpi.'),
  antialias: declareParameter(
    'antialias',
    antialias,
    'What has smooth edges: on (everything, default), text (only labels) or off. Patterns and pictures stay smooth.',
  ),
  timeout: declareParameter('timeout', text, 'The time limit in milliseconds, up to that of the service.'),
  exactStrokes: declareParameter(
    'exactStrokes',
    flag,
    'Whether lines have exactly their written width; by default they are half a pixel wider.',
  ),
  layout: declareParameter(
    'layout',
    text,
    'The layout of decorations such as a legend or a scale line, stored at /rest/resource/layouts/{layout}.xml.',
  ),
  quantizer: declareParameter(
    'quantizer',
    quantizer,
    'How images with 256 colours treat opacity: mediancut keeps partial opacity (default), octree has opaque and transparent pixels only.',
  ),
  loops: declareParameter('gif_loop_continuosly', flag, 'Whether an animation repeats without an end.', {
    aliases: ['gif_loop_continuously'],
  }),
  framesDelay: declareParameter(
    'gif_frames_delay',
    frameDelay,
    'The time of each frame of an animation in milliseconds.',
  ),
  disposal: declareParameter('gif_disposal', text, 'Accepted without an effect: each frame replaces the one before.'),
  utfResolution: declareParameter('utfResolution', text, 'The width and height of a cell of a UTFGrid in pixels.'),
});

/** Restricts the data of layers. */
export const layerOptions = {
  cqlFilter: declareParameter('cql_filter', text, 'A filter in ECQL for each layer, separated by semicolons.'),
  filter: declareParameter('filter', text, 'A filter in Filter Encoding (XML) for each layer, in parentheses.'),
  featureId: declareParameter('featureId', text, 'The ids of the features to draw, separated by commas.', {
    aliases: ['resourceId'],
  }),
  viewParams: declareParameter(
    'viewParams',
    viewParameters,
    'Parameters of virtual tables as name:value;name:value, one block for each layer, separated by commas.',
  ),
  maxFeatures: declareParameter('maxFeatures', count, 'The maximum number of features of each layer.'),
  properties: declareParameter(
    'properties',
    attributeNames,
    'The attributes of vector tiles, separated by commas; other formats ignore it. Default: all.',
  ),
  time: declareParameter('time', text, 'Times or ranges of times, separated by commas.'),
  elevation: declareParameter('elevation', text, 'Elevations or ranges of elevations, separated by commas.'),
  dimension: declareFamily('dim_', 'Values of a custom dimension.'),
};

/** Changes the appearance of layers. */
export const lookOptions = {
  env: declareParameter('env', environment, 'Values for the env function of styles as name:value;name:value.'),
  language: declareParameter('language', text, 'The result of the function language() in styles, for example fr.'),
  bgcolor: declareParameter(
    'bgcolor',
    color,
    'The background colour as 0xRRGGBB; by default that of the styles, or white.',
  ),
  transparent: declareParameter('transparent', flag, 'Whether the background is transparent.'),
  formatOptions: declareParameter(
    'format_options',
    options,
    `Options of the format as name:value;name:value: ${formatNames(mapFormatOptions)}.`,
  ),
  dpi: declareParameter('dpi', resolution, 'The resolution of the image; symbols and labels are scaled with it.', {
    aliases: ['map_resolution'],
  }),
  interpolations: declareParameter(
    'interpolations',
    interpolations,
    'The interpolation of rasters, one for each layer or one for all: nearest neighbor, bilinear or bicubic.',
  ),
  sortBy: declareParameter('sortBy', sortKeys, 'The drawing order of features: attributes, in parentheses per layer.'),
};

const ofMap = {
  layers: declareParameter('layers', layerNames, 'The names of layers and groups, the lowest first.', {
    aliases: ['layer'],
  }),
  styles: declareParameter('styles', text, 'A style for each layer, separated by commas; empty for the default.', {
    aliases: ['style'],
  }),
  crs: declareParameter(
    'crs',
    createTextKind('a coordinate reference system such as EPSG:4326'),
    'The CRS of the map and of bbox; named srs in version 1.1.1.',
    { aliases: ['srs'], mustAgree: true },
  ),
  bbox: declareParameter('bbox', box, 'The extent of the map: lower corner, upper corner.'),
  width: declareParameter('width', createPixelsKind(MAX_SIDE, undefined), 'The width of the map in pixels.'),
  height: declareParameter('height', createPixelsKind(MAX_SIDE, undefined), 'The height of the map in pixels.'),
  ...lookOptions,
  ...layerOptions,
  sld: declareParameter('sld', text, 'The URL of a style document.'),
  sldBody: declareParameter('sld_body', text, 'A style document.'),
  palette: declareParameter(
    'palette',
    text,
    'The palette of image/png8 and image/gif: safe, or a file below /rest/resource/palettes, without its extension.',
  ),
  angle: declareParameter('angle', angle, 'The clockwise rotation of the map in degrees.'),
  buffer: declareParameter('buffer', count, 'The number of pixels around the map or the queried pixel to include.'),
  startIndex: declareParameter('startIndex', count, 'The number of features of each layer to skip.'),
  clip: declareParameter('clip', text, 'A polygon in WKT or EWKT outside of which nothing is drawn.'),
  scaleMethod: declareParameter(
    'scaleMethod',
    scaleMethod,
    'How scales are computed: OGC or Accurate (on the ground).',
  ),
  tiled: declareParameter(
    'tiled',
    text,
    'With true, the map is a tile of the cache if it can be, and if the setting directWMSIntegrationEnabled of WMTS is true.',
  ),
  tilesOrigin: declareParameter('tilesOrigin', text, 'Accepted without an effect: grid sets have their own origins.'),
  remoteOws: declareUnsupported('remote_ows_', {
    what: 'Drawing data of another server',
    instead: 'create a store for that server and use its layers',
  }),
};

export const mapParameters = { ...ofRequest, ...ofMap, ...kmlOptions, format };

const kmlParameters = {
  ...mapParameters,
  mode: declareParameter(
    'mode',
    kmlMode,
    'The content of /wms/kml: links to maps of the current view (refresh), links to tiles (superoverlay), or the features (download).',
  ),
};

export const kmlOperation = declareOperation('KML', kmlParameters);

export const animationParameters = {
  ...mapParameters,
  parameter: declareParameter(
    'aparam',
    createTextKind('the name of a parameter of GetMap'),
    'The parameter that has another value in each frame.',
  ),
  values: declareParameter(
    'avalues',
    createTextKind('values separated by commas'),
    'Its values, one for each frame, separated by commas. A comma of a value is written as \\,.',
  ),
};

export const animationOperation = declareOperation('Animation', animationParameters);

export const featureInfoParameters = {
  ...mapParameters,
  queryLayers: declareParameter(
    'query_layers',
    createTextKind('the names of layers of the map'),
    'The layers of the map to query.',
  ),
  infoFormat: declareParameter('info_format', text, 'The format of the response, such as application/json.'),
  featureCount: declareParameter('feature_count', count, 'The maximum number of features. Default: 1.'),
  i: declareParameter('i', createTextKind('a pixel of the map'), 'The column of the pixel; named x in version 1.1.1.', {
    aliases: ['x'],
  }),
  j: declareParameter('j', createTextKind('a pixel of the map'), 'The row of the pixel; named y in version 1.1.1.', {
    aliases: ['y'],
  }),
  propertyName: declareParameter(
    'propertyName',
    propertyNames,
    'The attributes to return, in parentheses per queried layer.',
  ),
};

export const legendParameters = {
  ...ofRequest,
  ...ofMap,
  format,
  layers: declareParameter('layer', createTextKind('the name of a layer'), 'The layers of the legend.', {
    aliases: ['layers'],
  }),
  styles: declareParameter('style', text, 'A style for each layer, separated by commas; empty for the default.', {
    aliases: ['styles'],
  }),
  width: declareParameter(
    'width',
    createPixelsKind(MAX_SAMPLE_PIXELS, SAMPLE_PIXELS),
    'The width of a sample in pixels.',
  ),
  height: declareParameter(
    'height',
    createPixelsKind(MAX_SAMPLE_PIXELS, SAMPLE_PIXELS),
    'The height of a sample in pixels.',
  ),
  rule: declareParameter('rule', text, 'The name of the only rule to show.'),
  scale: declareParameter('scale', scale, 'Shows only rules that apply at this scale denominator.'),
  legendOptions: declareParameter('legend_options', options, 'Options of the legend as name:value;name:value.'),
  strict: declareParameter('strict', isStrict, 'With false, a sent style needs neither a layer nor a format.'),
  srcWidth: declareParameter('srcWidth', text, 'The width of the map whose features are counted, in pixels.'),
  srcHeight: declareParameter('srcHeight', text, 'The height of the map whose features are counted, in pixels.'),
  sldVersion: declareParameter(
    'sld_version',
    text,
    'Accepted without an effect: the version of a sent style is in its document.',
  ),
};

export const wmsCapabilitiesParameters = {
  ...capabilitiesParameters,
  ...ofRequest,
  format: declareParameter('format', text, 'Accepted without an effect: capabilities are XML.'),
  namespace: declareParameter('namespace', text, 'The only workspace whose layers are listed.'),
  tiled: declareParameter(
    'tiled',
    text,
    'With true, capabilities 1.1.1 list the tile sets of layers if the setting directWMSIntegrationEnabled of WMTS is true.',
  ),
};

const ofLayerList = {
  ...ofRequest,
  layers: declareParameter('layers', layerNames, 'The names of layers, separated by commas.'),
};

export const describeLayerParameters = {
  ...ofLayerList,
  outputFormat: declareParameter('output_format', text, 'The format of the response.', { aliases: ['outputFormat'] }),
};

export const stylesParameters = {
  ...ofLayerList,
  sldVer: declareParameter('sldVer', sldVersion, 'The version of the style document: 1.0.0 or 1.1.0.'),
};

export const wmsOperations = {
  GetCapabilities: declareOperation('GetCapabilities', wmsCapabilitiesParameters),
  GetMap: declareOperation('GetMap', mapParameters),
  GetFeatureInfo: declareOperation('GetFeatureInfo', featureInfoParameters),
  GetLegendGraphic: declareOperation('GetLegendGraphic', legendParameters),
  DescribeLayer: declareOperation('DescribeLayer', describeLayerParameters),
  GetStyles: declareOperation('GetStyles', stylesParameters),
} satisfies Record<WmsRequest['kind'], unknown>;
