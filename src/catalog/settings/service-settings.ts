/** The settings of the map services, of the whole server or of a workspace; those that change nothing here say why. */
import type { ValueBranch } from '../../lib/values/value-tree.ts';
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

export const serviceNames = ['wms', 'wfs', 'wcs', 'wmts'] as const;

export type ServiceName = (typeof serviceNames)[number];

export function isServiceName(name: string): name is ServiceName {
  return serviceNames.some((each) => each === name);
}

const VERSION = 'org.geotools.util.Version';

/** As clients of the reference server read them. */
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
    name: markUnsupported(text(name), 'no client is told this name'),
    title: text(title),
    internationalTitle: markUnsupported(tree, INTERNATIONAL),
    maintainer: markUnsupported(text(), 'clients are told of the contact of the server'),
    abstrct: text(),
    internationalAbstract: markUnsupported(tree, INTERNATIONAL),
    accessConstraints: text('NONE'),
    fees: text('NONE'),
    versions: markUnsupported(spoken, 'which versions are spoken is not a matter of settings'),
    keywords: texts,
    exceptionFormats: markUnsupported(texts, 'every version has the formats of its standard'),
    metadataLink: markUnsupported(tree, 'the capabilities of the versions that are spoken have no place for it'),
    citeCompliant: markUnsupported(flag(false), 'requests that cannot be misunderstood are always answered'),
    onlineResource: text(),
    schemaBaseURL: markUnsupported(
      text('http://schemas.opengis.net'),
      'documents name the schemas where the standards have them',
    ),
    verbose: markUnsupported(flag(false), 'documents are written in one way'),
    outputStrategy: markUnsupported(text(), 'answers are sent while they are made'),
    disabledServiceVersions: markUnsupported(tree, 'all versions of a service are spoken, or none (enabled)'),
    defaultLocale: markUnsupported(text(), INTERNATIONAL),
    metadata: markUnsupported(map, 'it is kept for whoever reads it here'),
  };
}

const corners = ['LEFT', 'CENTER', 'RIGHT'].flatMap((side) => ['TOP', 'MID', 'BOT'].map((level) => `${level}_${side}`));

const wms: Settings = {
  ...createCommonSettings('Web Map Service', 'WMS', createVersionsSetting('1.1.1', '1.3.0')),
  watermark: markUnsupported(
    section({
      enabled: flag(false),
      position: choice(corners, 'BOT_RIGHT'),
      transparency: integer(0, 0, 100),
      URL: text(),
    }),
    'no picture is put over maps',
  ),
  interpolation: choice(['Nearest', 'Bilinear', 'Bicubic'], 'Nearest'),
  getFeatureInfoMimeTypeCheckingEnabled: flag(false),
  getFeatureInfoMimeTypes: texts,
  getMapMimeTypeCheckingEnabled: flag(false),
  getMapMimeTypes: texts,
  dynamicStylingDisabled: flag(false),
  featuresReprojectionDisabled: markUnsupported(flag(false), 'features that are found have the coordinates of the map'),
  maxBuffer: integer(25),
  maxRequestMemory: integer(0),
  maxRenderingTime: integer(0),
  maxRenderingErrors: markUnsupported(integer(0), 'a map is drawn whole, or refused with the first error'),
  maxRequestedDimensionValues: integer(),
  cacheConfiguration: markUnsupported(tree, 'styles of other servers are not kept'),
  srs: texts,
  bboxForEachCRS: flag(),
  rootLayerTitle: text(),
  rootLayerAbstract: text(),
  rootLayerEnabled: markUnsupported(flag(), 'capabilities always have one layer around all others'),
  transformFeatureInfoDisabled: markUnsupported(flag(false), 'features are found as they are drawn'),
  autoEscapeTemplateValues: markUnsupported(
    flag(false),
    'pages are not made of templates, and values in them are always escaped',
  ),
  remoteStyleMaxRequestTime: integer(),
  remoteStyleTimeout: integer(),
  defaultGroupStyleEnabled: markUnsupported(
    flag(),
    'groups are drawn with the styles of their layers unless a style of theirs is named',
  ),
  exceptionOnInvalidDimension: flag(),
  allowedURLsForAuthForwarding: markUnsupported(texts, 'credentials of clients are never sent elsewhere'),
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
    'each version names systems as its standard has it, and attributes keep their names',
  ),
  serviceLevel: choice(['BASIC', 'TRANSACTIONAL', 'COMPLETE'], 'COMPLETE'),
  maxFeatures: integer(1_000_000),
  featureBounding: flag(false),
  canonicalSchemaLocation: flag(false),
  encodeFeatureMember: flag(false),
  hitsIgnoreMaxFeatures: flag(false),
  includeWFSRequestDumpFile: markUnsupported(flag(false), 'archives have the files of their format alone'),
  maxNumberOfFeaturesForPreview: markUnsupported(integer(), 'previews show maps'),
  allowGlobalQueries: markUnsupported(flag(), 'types without a workspace are found wherever that is clear'),
  simpleConversionEnabled: markUnsupported(flag(), 'formats for flat features are not offered for nested ones'),
  disableStoredQueriesManagement: flag(),
  getFeatureOutputTypeCheckingEnabled: flag(false),
  getFeatureOutputTypes: texts,
  csvDateFormat: markUnsupported(text(), 'moments are written as ISO 8601 has them'),
  srs: texts,
};

const FORMER_WCS = 'it is about WCS 1.0.0, which is not spoken';

const wcs: Settings = {
  ...createCommonSettings('Web Coverage Service', 'WCS', createVersionsSetting('1.0.0', '1.1.1', '2.0.1')),
  gmlPrefixing: markUnsupported(flag(false), FORMER_WCS),
  latLon: markUnsupported(flag(false), FORMER_WCS),
  maxInputMemory: integer(0),
  maxOutputMemory: integer(0),
  maxRequestedDimensionValues: integer(),
  overviewPolicy: markUnsupported(
    choice(['IGNORE', 'NEAREST', 'QUALITY', 'SPEED'], 'IGNORE'),
    'overviews are read where they have all the samples that are asked for',
  ),
  subsamplingEnabled: markUnsupported(flag(true), 'coarser answers are always read from as few samples as they need'),
  defaultDeflateCompressionLevel: integer(undefined, 0, 9),
  srs: texts,
};

const wmts: Settings = createCommonSettings('Web Map Tile Service', 'WMTS', createVersionsSetting('1.0.0'));

export const serviceSettings: Readonly<Record<ServiceName, Settings>> = { wms, wfs, wcs, wmts };
