/** The settings of the map services, of the whole server or of a workspace; those that change nothing here say why. */
import type { ValueBranch } from '../../lib/value-tree.ts';
import {
  choice,
  flag,
  integer,
  map,
  type Setting,
  type Settings,
  section,
  text,
  texts,
  tree,
  unheeded,
} from './setting.ts';

export const serviceNames = ['wms', 'wfs', 'wcs', 'wmts'] as const;

export type ServiceName = (typeof serviceNames)[number];

export function isServiceName(name: string): name is ServiceName {
  return serviceNames.some((each) => each === name);
}

const VERSION = 'org.geotools.util.Version';

/** As clients of the reference server read them. */
function versions(...numbers: readonly string[]): Setting {
  const members = numbers.map((number) => ({
    name: VERSION,
    value: { members: [{ name: 'version', value: number }] },
  }));
  return { kind: 'parts', itemName: VERSION, default: { members } };
}

const INTERNATIONAL = 'documents are written in one language';

function common(title: string, name: string, spoken: Setting): Settings {
  return {
    id: { kind: 'server', type: 'string' },
    enabled: flag(true),
    name: unheeded(text(name), 'no client is told this name'),
    title: text(title),
    internationalTitle: unheeded(tree, INTERNATIONAL),
    maintainer: unheeded(text(), 'clients are told of the contact of the server'),
    abstrct: text(),
    internationalAbstract: unheeded(tree, INTERNATIONAL),
    accessConstraints: text('NONE'),
    fees: text('NONE'),
    versions: unheeded(spoken, 'which versions are spoken is not a matter of settings'),
    keywords: texts,
    exceptionFormats: unheeded(texts, 'every version has the formats of its standard'),
    metadataLink: unheeded(tree, 'the capabilities of the versions that are spoken have no place for it'),
    citeCompliant: unheeded(flag(false), 'requests that cannot be misunderstood are always answered'),
    onlineResource: text(),
    schemaBaseURL: unheeded(
      text('http://schemas.opengis.net'),
      'documents name the schemas where the standards have them',
    ),
    verbose: unheeded(flag(false), 'documents are written in one way'),
    outputStrategy: unheeded(text(), 'answers are sent while they are made'),
    disabledServiceVersions: unheeded(tree, 'all versions of a service are spoken, or none (enabled)'),
    defaultLocale: unheeded(text(), INTERNATIONAL),
    metadata: unheeded(map, 'it is kept for whoever reads it here'),
  };
}

const corners = ['LEFT', 'CENTER', 'RIGHT'].flatMap((side) => ['TOP', 'MID', 'BOT'].map((level) => `${level}_${side}`));

const wms: Settings = {
  ...common('Web Map Service', 'WMS', versions('1.1.1', '1.3.0')),
  watermark: unheeded(
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
  featuresReprojectionDisabled: unheeded(flag(false), 'features that are found have the coordinates of the map'),
  maxBuffer: integer(25),
  maxRequestMemory: integer(0),
  maxRenderingTime: integer(0),
  maxRenderingErrors: unheeded(integer(0), 'a map is drawn whole, or refused with the first error'),
  maxRequestedDimensionValues: integer(),
  cacheConfiguration: unheeded(tree, 'styles of other servers are not kept'),
  srs: texts,
  bboxForEachCRS: flag(),
  rootLayerTitle: text(),
  rootLayerAbstract: text(),
  rootLayerEnabled: unheeded(flag(), 'capabilities always have one layer around all others'),
  transformFeatureInfoDisabled: unheeded(flag(false), 'features are found as they are drawn'),
  autoEscapeTemplateValues: unheeded(
    flag(false),
    'pages are not made of templates, and values in them are always escaped',
  ),
  remoteStyleMaxRequestTime: integer(),
  remoteStyleTimeout: integer(),
  defaultGroupStyleEnabled: unheeded(
    flag(),
    'groups are drawn with the styles of their layers unless a style of theirs is named',
  ),
  exceptionOnInvalidDimension: flag(),
  allowedURLsForAuthForwarding: unheeded(texts, 'credentials of clients are never sent elsewhere'),
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
  ...common('Web Feature Service', 'WFS', versions('1.0.0', '1.1.0', '2.0.0')),
  gml: unheeded(
    { kind: 'parts', itemName: 'entry', default: gmlDefaults },
    'each version names systems as its standard has it, and attributes keep their names',
  ),
  serviceLevel: choice(['BASIC', 'TRANSACTIONAL', 'COMPLETE'], 'COMPLETE'),
  maxFeatures: integer(1_000_000),
  featureBounding: flag(false),
  canonicalSchemaLocation: flag(false),
  encodeFeatureMember: flag(false),
  hitsIgnoreMaxFeatures: flag(false),
  includeWFSRequestDumpFile: unheeded(flag(false), 'archives have the files of their format alone'),
  maxNumberOfFeaturesForPreview: unheeded(integer(), 'previews show maps'),
  allowGlobalQueries: unheeded(flag(), 'types without a workspace are found wherever that is clear'),
  simpleConversionEnabled: unheeded(flag(), 'formats for flat features are not offered for nested ones'),
  disableStoredQueriesManagement: flag(),
  getFeatureOutputTypeCheckingEnabled: flag(false),
  getFeatureOutputTypes: texts,
  csvDateFormat: unheeded(text(), 'moments are written as ISO 8601 has them'),
  srs: texts,
};

const FORMER_WCS = 'it is about WCS 1.0.0, which is not spoken';

const wcs: Settings = {
  ...common('Web Coverage Service', 'WCS', versions('1.0.0', '1.1.1', '2.0.1')),
  gmlPrefixing: unheeded(flag(false), FORMER_WCS),
  latLon: unheeded(flag(false), FORMER_WCS),
  maxInputMemory: integer(0),
  maxOutputMemory: integer(0),
  maxRequestedDimensionValues: integer(),
  overviewPolicy: unheeded(
    choice(['IGNORE', 'NEAREST', 'QUALITY', 'SPEED'], 'IGNORE'),
    'overviews are read where they have all the samples that are asked for',
  ),
  subsamplingEnabled: unheeded(flag(true), 'coarser answers are always read from as few samples as they need'),
  defaultDeflateCompressionLevel: integer(undefined, 0, 9),
  srs: texts,
};

const wmts: Settings = common('Web Map Tile Service', 'WMTS', versions('1.0.0'));

export const serviceSettings: Readonly<Record<ServiceName, Settings>> = { wms, wfs, wcs, wmts };
