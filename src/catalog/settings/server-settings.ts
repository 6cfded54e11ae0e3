/** The settings of the server as a whole and of a workspace: what there is, and what each is without anybody's doing. */
import { choice, flag, integer, map, type Setting, type Settings, section, text, texts, tree } from './setting.ts';

export const contactSettings: Settings = {
  id: { kind: 'server', type: 'string' },
  address: text(),
  addressCity: text(),
  addressCountry: text(),
  addressDeliveryPoint: text(),
  addressElectronicMailAddress: text(),
  addressPostalCode: text(),
  addressState: text(),
  addressType: text(),
  contactEmail: text(),
  contactFacsimile: text(),
  contactOrganization: text(),
  contactPerson: text(),
  contactPosition: text(),
  contactVoice: text(),
  onlineResource: text(),
  welcome: text(),
};

const URL_EXPECTED = 'an http or https URL without user, query and fragment was expected';

function refuseUrl(value: string): string | undefined {
  const url = URL.parse(value);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}${url.pathname}` === url.href;
  // Braces are where other servers put in what a request says: links must not be made of that.
  return value === '' || (isPlain && !/[\s<>"{}|\\^`]/.test(value)) ? undefined : URL_EXPECTED;
}

const url: Setting = { kind: 'text', refuse: refuseUrl };

const charset: Setting = {
  kind: 'text',
  default: 'UTF-8',
  refuse(value) {
    try {
      new TextDecoder(value);
      return undefined;
    } catch {
      return 'the name of a character encoding such as UTF-8 or ISO-8859-1 was expected';
    }
  },
};

/** More digits than any number has. */
const MOST_DECIMALS = 100;

/** What the server and each workspace have of their own. */
export const publicationSettings: Settings = {
  contact: { kind: 'section', settings: contactSettings, isRemovable: true },
  title: text(),
  charset,
  numDecimals: integer(8, 0, MOST_DECIMALS),
  onlineResource: text(),
  proxyBaseUrl: url,
  schemaBaseUrl: url,
  verbose: flag(false),
  verboseExceptions: flag(false),
  metadata: map,
  localWorkspaceIncludesPrefix: flag(false),
  showCreatedTimeColumnsInAdminList: flag(false),
  showModifiedTimeColumnsInAdminList: flag(false),
  showModifiedUserInAdminList: flag(),
  defaultLocale: text(),
  useHeadersProxyURL: flag(),
};

const share = (byDefault: number): Setting => ({
  kind: 'number',
  isWhole: false,
  least: 0,
  most: 1,
  default: byDefault,
});

const rasterSettings: Settings = {
  allowInterpolation: flag(false),
  recycling: flag(true),
  tilePriority: integer(5, 1, 10),
  tileThreads: integer(7),
  memoryCapacity: share(0.5),
  memoryThreshold: share(0.75),
  imageIOCache: flag(false),
  pngAcceleration: flag(false),
  jpegAcceleration: flag(false),
  allowNativeMosaic: flag(false),
  allowNativeWarp: flag(false),
  pngEncoderType: text(),
  jaiext: tree,
};

const coverageAccessSettings: Settings = {
  maxPoolSize: integer(5),
  corePoolSize: integer(5),
  keepAliveTime: integer(30_000),
  queueType: choice(['UNBOUNDED', 'DIRECT'], 'UNBOUNDED'),
  imageIOCacheThreshold: integer(10_240),
};

export const globalSettings: Settings = {
  settings: section({ id: { kind: 'server', type: 'string' }, ...publicationSettings }),
  jai: section(rasterSettings),
  coverageAccess: section(coverageAccessSettings),
  metadata: map,
  updateSequence: { kind: 'server', type: 'integer' },
  featureTypeCacheSize: integer(0),
  globalServices: flag(true),
  xmlPostRequestLogBufferSize: integer(1024),
  xmlExternalEntitiesEnabled: {
    kind: 'flag',
    refuse: (value) => (value ? 'false was expected: this server never reads external entities' : undefined),
  },
  entityResolutionAllowlist: texts,
  lockProviderName: text(),
  resourceErrorHandling: choice(['OGC_EXCEPTION_REPORT', 'SKIP_MISCONFIGURED_LAYERS']),
  webUIMode: choice(['DEFAULT', 'REDIRECT', 'DO_NOT_REDIRECT']),
  allowStoredQueriesPerWorkspace: flag(),
  trailingSlashMatch: flag(),
};

/** Where the contact stands in the settings of the server. */
export const CONTACT = 'settings.contact';
