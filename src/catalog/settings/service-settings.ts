/** The settings of the map services, of the server or of a workspace; those without effect state the reason. */
import type { ValueBranch } from '../../lib/values/value-tree.ts';
import { GRID_SETS } from '../kinds/grid-set.ts';
import {
  choice,
  flag,
  integer,
  map,
  markUnsupported,
  type Setting,
  type Settings,
  section,
  text,
  texts,
  tree,
} from '../kinds/setting.ts';
import { tileDefaultSettings } from '../tile-layers/tile-defaults.ts';

export const serviceNames = ['wms', 'wfs', 'wcs', 'wmts'] as const;

export type ServiceName = (typeof serviceNames)[number];

export function isServiceName(name: string): name is ServiceName {
  return serviceNames.some((each) => each === name);
}

const VERSION = 'org.geotools.util.Version';

/** In the form that clients of GeoServer expect. */
function createVersionsSetting(...numbers: readonly string[]): Setting {
  const members = numbers.map((number) => ({
    name: VERSION,
    value: { members: [{ name: 'version', value: number }] },
  }));
  return { kind: 'parts', itemName: VERSION, default: { members } };
}

const INTERNATIONAL = 'documents are written in one language';

function createCommonSettings(title: string, name: string, spoken: Setting): Settings {
  return {
    id: { kind: 'server', type: 'string' },
    enabled: flag(true),
    name: markUnsupported(text(name), 'the name is not published'),
    title: text(title),
    internationalTitle: markUnsupported(tree, INTERNATIONAL),
    maintainer: markUnsupported(text(), 'the contact of the server is published instead'),
    abstrct: text(),
    internationalAbstract: markUnsupported(tree, INTERNATIONAL),
    accessConstraints: text('NONE'),
    fees: text('NONE'),
    versions: markUnsupported(spoken, 'the supported versions are fixed'),
    keywords: texts,
    exceptionFormats: markUnsupported(texts, 'every version uses the formats of its standard'),
    metadataLink: markUnsupported(tree, 'the capabilities of the supported versions have no element for it'),
    citeCompliant: markUnsupported(flag(false), 'unambiguous requests are always answered'),
    onlineResource: text(),
    schemaBaseURL: markUnsupported(
      text('http://schemas.opengis.net'),
      'documents refer to the schema locations of the standards',
    ),
    verbose: markUnsupported(flag(false), 'documents have a fixed layout'),
    outputStrategy: markUnsupported(text(), 'responses are always streamed'),
    disabledServiceVersions: markUnsupported(
      tree,
      "versions cannot be disabled separately; use 'enabled' for the whole service",
    ),
    defaultLocale: markUnsupported(text(), INTERNATIONAL),
    metadata: markUnsupported(map, 'it is stored for clients only'),
  };
}

const corners = ['LEFT', 'CENTER', 'RIGHT'].flatMap((side) => ['TOP', 'MID', 'BOT'].map((level) => `${level}_${side}`));

const wms: Settings = {
  ...createCommonSettings('Web Map Service', 'WMS', createVersionsSetting('1.1.1', '1.3.0')),
  watermark: section({
    enabled: flag(false),
    position: choice(corners, 'BOT_RIGHT'),
    transparency: integer(0, 0, 100),
    url: text(),
    URL: markUnsupported(text(), "the field is 'url'"),
  }),
  interpolation: choice(['Nearest', 'Bilinear', 'Bicubic'], 'Nearest'),
  getFeatureInfoMimeTypeCheckingEnabled: flag(false),
  getFeatureInfoMimeTypes: texts,
  getMapMimeTypeCheckingEnabled: flag(false),
  getMapMimeTypes: texts,
  dynamicStylingDisabled: flag(false),
  featuresReprojectionDisabled: markUnsupported(flag(false), 'feature info is returned in the CRS of the map'),
  maxBuffer: integer(25),
  maxRequestMemory: integer(0),
  maxRenderingTime: integer(0),
  maxRenderingErrors: markUnsupported(integer(0), 'a map fails on the first rendering error'),
  maxRequestedDimensionValues: integer(),
  maxAllowedFrames: integer(),
  cacheConfiguration: markUnsupported(tree, 'remote styles are not cached'),
  srs: texts,
  bboxForEachCRS: flag(),
  rootLayerTitle: text(),
  rootLayerAbstract: text(),
  rootLayerEnabled: markUnsupported(flag(), 'capabilities always have a root layer'),
  transformFeatureInfoDisabled: markUnsupported(flag(false), 'feature info always applies to the features as drawn'),
  autoEscapeTemplateValues: markUnsupported(flag(false), 'values in templates are always escaped'),
  remoteStyleMaxRequestTime: integer(),
  remoteStyleTimeout: integer(),
  defaultGroupStyleEnabled: markUnsupported(
    flag(),
    'groups are drawn with the styles of their layers unless the request selects a group style',
  ),
  exceptionOnInvalidDimension: flag(),
  allowedURLsForAuthForwarding: markUnsupported(texts, 'client credentials are never forwarded'),
};

const gmlDefaults: ValueBranch = {
  members: [
    ['V_20', 'URN2', 'false'],
    ['V_11', 'URN', 'false'],
    ['V_10', 'XML', 'true'],
  ].map(([version = '', srsNameStyle = '', overrideGMLAttributes = '']) => ({
    name: 'entry',
    value: {
      members: [
        { name: 'version', value: version },
        {
          name: 'gml',
          value: {
            members: [
              { name: 'srsNameStyle', value: srsNameStyle },
              { name: 'overrideGMLAttributes', value: overrideGMLAttributes },
            ],
          },
        },
      ],
    },
  })),
};

const wfs: Settings = {
  ...createCommonSettings('Web Feature Service', 'WFS', createVersionsSetting('1.0.0', '1.1.0', '2.0.0')),
  gml: markUnsupported(
    { kind: 'parts', itemName: 'entry', default: gmlDefaults },
    'each version uses the CRS names of its standard, and attributes keep their names',
  ),
  serviceLevel: choice(['BASIC', 'TRANSACTIONAL', 'COMPLETE'], 'COMPLETE'),
  maxFeatures: integer(1_000_000),
  featureBounding: flag(false),
  canonicalSchemaLocation: flag(false),
  encodeFeatureMember: flag(false),
  hitsIgnoreMaxFeatures: flag(false),
  includeWFSRequestDumpFile: markUnsupported(flag(false), 'archives contain only the files of their format'),
  maxNumberOfFeaturesForPreview: markUnsupported(integer(), 'previews show maps'),
  allowGlobalQueries: markUnsupported(flag(), 'unqualified types are resolved if they are unambiguous'),
  simpleConversionEnabled: markUnsupported(flag(), 'flat formats are not offered for nested features'),
  disableStoredQueriesManagement: flag(),
  getFeatureOutputTypeCheckingEnabled: flag(false),
  getFeatureOutputTypes: texts,
  csvDateFormat: markUnsupported(text(), 'timestamps are written in ISO 8601'),
  srs: texts,
};

const wcs: Settings = {
  ...createCommonSettings('Web Coverage Service', 'WCS', createVersionsSetting('1.0.0', '1.1.1', '2.0.1')),
  gmlPrefixing: markUnsupported(flag(false), 'documents always have prefixes'),
  latLon: markUnsupported(flag(false), 'boxes of WCS 1.0.0 always have x first'),
  maxInputMemory: integer(0),
  maxOutputMemory: integer(0),
  maxRequestedDimensionValues: integer(),
  overviewPolicy: markUnsupported(
    choice(['IGNORE', 'NEAREST', 'QUALITY', 'SPEED'], 'IGNORE'),
    'overviews are used whenever they contain all requested samples',
  ),
  subsamplingEnabled: markUnsupported(flag(true), 'coarse responses always read as few samples as possible'),
  defaultDeflateCompressionLevel: integer(undefined, 0, 9),
  srs: texts,
};

const wmts: Settings = {
  ...createCommonSettings('Web Map Tile Service', 'WMTS', createVersionsSetting('1.0.0')),
  [GRID_SETS]: texts,
  ...tileDefaultSettings,
};

export const serviceSettings: Readonly<Record<ServiceName, Settings>> = { wms, wfs, wcs, wmts };
