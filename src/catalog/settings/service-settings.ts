/** The settings of the map services, of the whole server or of a workspace; those of services that are not there are kept. */
import type { ValueBranch } from '../../lib/value-tree.ts';
import { choice, flag, integer, map, type Setting, type Settings, section, text, texts, tree } from './setting.ts';

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

function common(title: string, name: string, spoken: Setting): Settings {
  return {
    id: { kind: 'server', type: 'string' },
    enabled: flag(true),
    name: text(name),
    title: text(title),
    internationalTitle: tree,
    maintainer: text(),
    abstrct: text(),
    internationalAbstract: tree,
    accessConstraints: text('NONE'),
    fees: text('NONE'),
    versions: spoken,
    keywords: texts,
    exceptionFormats: texts,
    metadataLink: tree,
    citeCompliant: flag(false),
    onlineResource: text(),
    schemaBaseURL: text('http://schemas.opengis.net'),
    verbose: flag(false),
    outputStrategy: text(),
    disabledServiceVersions: tree,
    defaultLocale: text(),
    metadata: map,
  };
}

const corners = ['LEFT', 'CENTER', 'RIGHT'].flatMap((side) => ['TOP', 'MID', 'BOT'].map((level) => `${level}_${side}`));

const wms: Settings = {
  ...common('Web Map Service', 'WMS', versions('1.1.1', '1.3.0')),
  watermark: section({
    enabled: flag(false),
    position: choice(corners, 'BOT_RIGHT'),
    transparency: integer(0, 0, 100),
    URL: text(),
  }),
  interpolation: choice(['Nearest', 'Bilinear', 'Bicubic'], 'Nearest'),
  getFeatureInfoMimeTypeCheckingEnabled: flag(false),
  getFeatureInfoMimeTypes: texts,
  getMapMimeTypeCheckingEnabled: flag(false),
  getMapMimeTypes: texts,
  dynamicStylingDisabled: flag(false),
  featuresReprojectionDisabled: flag(false),
  maxBuffer: integer(25),
  maxRequestMemory: integer(0),
  maxRenderingTime: integer(0),
  maxRenderingErrors: integer(0),
  maxRequestedDimensionValues: integer(),
  cacheConfiguration: tree,
  srs: texts,
  bboxForEachCRS: flag(),
  rootLayerTitle: text(),
  rootLayerAbstract: text(),
  rootLayerEnabled: flag(),
  transformFeatureInfoDisabled: flag(false),
  autoEscapeTemplateValues: flag(false),
  remoteStyleMaxRequestTime: integer(),
  remoteStyleTimeout: integer(),
  defaultGroupStyleEnabled: flag(),
  exceptionOnInvalidDimension: flag(),
  allowedURLsForAuthForwarding: texts,
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
  gml: { kind: 'parts', itemName: 'entry', default: gmlDefaults },
  serviceLevel: choice(['BASIC', 'TRANSACTIONAL', 'COMPLETE'], 'COMPLETE'),
  maxFeatures: integer(1_000_000),
  featureBounding: flag(false),
  canonicalSchemaLocation: flag(false),
  encodeFeatureMember: flag(false),
  hitsIgnoreMaxFeatures: flag(false),
  includeWFSRequestDumpFile: flag(false),
  maxNumberOfFeaturesForPreview: integer(),
  allowGlobalQueries: flag(),
  simpleConversionEnabled: flag(),
  disableStoredQueriesManagement: flag(),
  getFeatureOutputTypeCheckingEnabled: flag(false),
  getFeatureOutputTypes: texts,
  csvDateFormat: text(),
  srs: texts,
};

const wcs: Settings = {
  ...common('Web Coverage Service', 'WCS', versions('1.0.0', '1.1.1', '2.0.1')),
  gmlPrefixing: flag(false),
  latLon: flag(false),
  maxInputMemory: integer(0),
  maxOutputMemory: integer(0),
  maxRequestedDimensionValues: integer(),
  overviewPolicy: choice(['IGNORE', 'NEAREST', 'QUALITY', 'SPEED'], 'IGNORE'),
  subsamplingEnabled: flag(true),
  defaultDeflateCompressionLevel: integer(undefined, 0, 9),
  srs: texts,
};

const wmts: Settings = common('Web Map Tile Service', 'WMTS', versions('1.0.0'));

export const serviceSettings: Readonly<Record<ServiceName, Settings>> = { wms, wfs, wcs, wmts };
