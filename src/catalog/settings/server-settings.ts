/** The settings of the server and of a workspace, with their defaults. */
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
  welcome: markUnsupported(text(), 'no page displays it'),
};

const URL_EXPECTED = 'an http or https URL without user, query and fragment was expected';

function findUrlError(value: string): string | undefined {
  const url = URL.parse(value);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}${url.pathname}` === url.href;
  // Other servers replace placeholders in braces by request headers, which must not determine links.
  return value === '' || (isPlain && !/[\s<>"{}|\\^`]/.test(value)) ? undefined : URL_EXPECTED;
}

const url: Setting = { kind: 'text', refuse: findUrlError };

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
const MAX_DECIMALS = 100;

const LISTS_OF_PAGES = 'there is no administration interface with such lists';

/** The settings that the server and each workspace have. */
export const publicationSettings: Settings = {
  contact: { kind: 'section', settings: contactSettings, isRemovable: true },
  title: markUnsupported(text(), 'each service has its own title'),
  charset: markUnsupported(charset, 'documents are always written in UTF-8'),
  numDecimals: integer(8, 0, MAX_DECIMALS),
  onlineResource: text(),
  proxyBaseUrl: url,
  schemaBaseUrl: markUnsupported(url, 'documents refer to the schema locations of the standards'),
  verbose: markUnsupported(flag(false), 'documents have a fixed layout'),
  verboseExceptions: markUnsupported(flag(false), 'internal details are only written to the log'),
  metadata: markUnsupported(map, 'it is stored for clients only'),
  localWorkspaceIncludesPrefix: markUnsupported(
    flag(false),
    'the services of a workspace accept names with and without a prefix',
  ),
  showCreatedTimeColumnsInAdminList: markUnsupported(flag(false), LISTS_OF_PAGES),
  showModifiedTimeColumnsInAdminList: markUnsupported(flag(false), LISTS_OF_PAGES),
  showModifiedUserInAdminList: markUnsupported(flag(), LISTS_OF_PAGES),
  defaultLocale: markUnsupported(text(), 'documents are written in one language'),
  useHeadersProxyURL: markUnsupported(flag(), 'proxy headers are trusted only with --trust-proxy'),
};

export const workspaceSettings: Settings = {
  ...publicationSettings,
  proxyBaseUrl: markUnsupported(url, 'links are the same for all workspaces'),
};

const fraction = (byDefault: number): Setting => ({
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
  memoryCapacity: fraction(0.5),
  memoryThreshold: fraction(0.75),
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

const OTHER_LIBRARIES = 'it configures libraries of other servers';

export const globalSettings: Settings = {
  settings: section({ id: { kind: 'server', type: 'string' }, ...publicationSettings }),
  jai: markUnsupported(section(rasterSettings), OTHER_LIBRARIES),
  coverageAccess: markUnsupported(section(coverageAccessSettings), OTHER_LIBRARIES),
  metadata: markUnsupported(map, 'it is stored for clients only'),
  updateSequence: { kind: 'server', type: 'integer' },
  featureTypeCacheSize: markUnsupported(integer(0), 'the server limits its type cache itself'),
  globalServices: flag(true),
  xmlPostRequestLogBufferSize: markUnsupported(integer(1024), 'request bodies are never logged'),
  xmlExternalEntitiesEnabled: {
    kind: 'flag',
    refuse: (value) => (value ? 'false was expected: this server never reads external entities' : undefined),
  },
  entityResolutionAllowlist: markUnsupported(texts, 'documents never cause external requests'),
  lockProviderName: markUnsupported(text(), 'writes use a single queue'),
  resourceErrorHandling: markUnsupported(
    choice(['OGC_EXCEPTION_REPORT', 'SKIP_MISCONFIGURED_LAYERS']),
    'capabilities always list layers whose data is temporarily unavailable',
  ),
  webUIMode: markUnsupported(choice(['DEFAULT', 'REDIRECT', 'DO_NOT_REDIRECT']), LISTS_OF_PAGES),
  allowStoredQueriesPerWorkspace: markUnsupported(flag(), 'workspaces can always have stored queries of their own'),
  trailingSlashMatch: markUnsupported(flag(), 'trailing slashes are always accepted'),
};

/** The path of the contact in the settings of the server. */
export const CONTACT = 'settings.contact';
