/** Translates the settings of the server, its workspaces and services. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findFlag, findText } from '../read/values.ts';
import type { Subject } from '../report/report.ts';
import type { Move } from '../translate/move.ts';
import type { SourceWorkspace } from '../translate/source-index.ts';
import {
  globalDefaults,
  listIgnored,
  publicationDefaults,
  publicationTable,
  readSettings,
  serviceDefaults,
  serviceTables,
} from './setting-table.ts';
import { readTileDefaults } from './tile-defaults.ts';

export async function translateSettings(move: Move): Promise<void> {
  await translateGlobal(move);
  await translateLogging(move);
  await translateServices(move, '', null);
  for (const workspace of move.index.workspaces) {
    await translateWorkspaceSettings(move, workspace);
    await translateServices(move, `${workspace.folder}/`, workspace);
  }
  await reportOtherServices(move);
}

/** The members of a section that the server always has; a section is replaced as a whole. */
const usualSection: Readonly<Record<string, Json>> = {
  charset: 'UTF-8',
  localWorkspaceIncludesPrefix: false,
  numDecimals: 8,
  showCreatedTimeColumnsInAdminList: false,
  showModifiedTimeColumnsInAdminList: false,
  verbose: false,
  verboseExceptions: false,
};

/** The document of the server, and its root element. */
const SERVER = 'global';

async function translateGlobal(move: Move): Promise<void> {
  const source = `${SERVER}.xml`;
  const root = await move.documents.read(source, [SERVER], 'globalSettings');
  if (root === undefined) return;
  const subject = { source, kind: 'globalSettings', path: '/settings' };
  // Old versions have the members of the section directly in the document.
  const section = child(root, 'settings') ?? root;
  const { fields, isChanged } = readSettings(section, publicationTable);
  const contact = readContact(section);
  const proxyBaseUrl = readProxyBaseUrl(move, section, subject);
  reportIgnored(move, section, ['contact', 'proxyBaseUrl', 'settings', ...Object.keys(publicationTable)], {
    defaults: { ...publicationDefaults, ...globalDefaults, globalServices: ['true', 'false'] },
    subject,
  });
  if (section !== root) {
    reportIgnored(move, root, ['settings', 'globalServices', 'contact'], { defaults: globalDefaults, subject });
  }
  const globalServices = findFlag(root, 'globalServices') ?? true;
  const isDifferent = isChanged || Object.keys(contact).length > 0 || proxyBaseUrl !== undefined || !globalServices;
  if (!isDifferent) {
    reportUsual(move, subject);
    return;
  }
  const settings = { ...usualSection, ...fields, contact, ...(proxyBaseUrl === undefined ? {} : { proxyBaseUrl }) };
  move.archive.add('globalSettings', '/settings', { globalServices, settings }, { source });
}

const contactNames = [
  'address',
  'addressCity',
  'addressCountry',
  'addressDeliveryPoint',
  'addressElectronicMailAddress',
  'addressPostalCode',
  'addressState',
  'addressType',
  'contactEmail',
  'contactFacsimile',
  'contactOrganization',
  'contactPerson',
  'contactPosition',
  'contactVoice',
  'onlineResource',
];

function readContact(section: XmlElement): Readonly<Record<string, Json>> {
  const contact = child(section, 'contact');
  if (contact === undefined) return {};
  return Object.fromEntries(
    contactNames.flatMap((name) => {
      const value = findText(contact, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Links must begin with an address that ends in the context path of the target. */
function readProxyBaseUrl(move: Move, section: XmlElement, subject: Subject): string | undefined {
  const written = findText(section, 'proxyBaseUrl')?.replace(/\/+$/, '');
  if (written === undefined) return undefined;
  const { contextPath } = move.options;
  // Without a target, the file that the command writes can be for any.
  const fits = contextPath === undefined || URL.parse(written)?.pathname.endsWith(contextPath) === true;
  if (fits && !written.includes('${')) return written;
  const remedy = 'Set --public-url of the server.';
  move.report.add(
    'setting-ignored',
    { ...subject, source: `${subject.source}#proxyBaseUrl` },
    `The address '${written}' is not imported.`,
    remedy,
  );
  return undefined;
}

function reportIgnored(
  { report }: Move,
  root: XmlElement,
  known: readonly string[],
  { defaults, subject }: { readonly defaults: Readonly<Record<string, readonly string[]>>; readonly subject: Subject },
): void {
  for (const name of listIgnored(root, known, defaults)) {
    report.add(
      'setting-ignored',
      { ...subject, source: `${subject.source}#${name}` },
      `The setting '${name}' has no effect.`,
    );
  }
}

/** The profiles of the server by those of the source. */
const profiles: Readonly<Record<string, string>> = {
  QUIET_LOGGING: 'QUIET_LOGGING',
  PRODUCTION_LOGGING: 'PRODUCTION_LOGGING',
  DEFAULT_LOGGING: 'DEFAULT_LOGGING',
  VERBOSE_LOGGING: 'VERBOSE_LOGGING',
  GEOSERVER_DEVELOPER_LOGGING: 'VERBOSE_LOGGING',
  GEOTOOLS_DEVELOPER_LOGGING: 'VERBOSE_LOGGING',
};

async function translateLogging(move: Move): Promise<void> {
  const source = 'logging.xml';
  const root = await move.documents.read(source, ['logging'], 'loggingSettings');
  if (root === undefined) return;
  const written = findText(root, 'level')?.replace(/\.(?:properties|xml)$/, '');
  const level = written === undefined || !Object.hasOwn(profiles, written) ? undefined : profiles[written];
  if (level !== undefined) move.archive.add('loggingSettings', '/logging', { level }, { source });
  else if (written !== undefined) {
    const subject = { source, kind: 'loggingSettings', path: '/logging' };
    move.report.add('setting-ignored', subject, `The logging profile '${written}' is unknown.`);
  }
}

async function translateWorkspaceSettings(move: Move, { folder, target }: SourceWorkspace): Promise<void> {
  const source = `${folder}/settings.xml`;
  const root = await move.documents.read(source, ['settings'], 'workspaceSettings');
  if (root === undefined) return;
  const path = createPath('workspaces', target, 'settings');
  const subject = { source, kind: 'workspaceSettings', path };
  const { fields } = readSettings(root, publicationTable);
  reportIgnored(move, root, ['contact', ...Object.keys(publicationTable)], { defaults: publicationDefaults, subject });
  move.archive.add('workspaceSettings', path, { ...fields, contact: readContact(root) }, { source });
}

/** `before` is the directory with a slash; empty for the services of the server. */
async function translateServices(move: Move, before: string, workspace: SourceWorkspace | null): Promise<void> {
  for (const [service, table] of Object.entries(serviceTables)) {
    const source = `${before}${service}.xml`;
    const root = await move.documents.read(source, [service], 'serviceSettings');
    const home = workspace === null ? [] : ['workspaces', workspace.target];
    const path = createPath('services', service, ...home, 'settings');
    const subject = { source, kind: 'serviceSettings', path };
    const read = root && readSettings(root, table);
    if (root !== undefined) reportIgnored(move, root, Object.keys(table), { defaults: serviceDefaults, subject });
    const tiles = service === 'wmts' && workspace === null ? await readTileDefaults(move) : {};
    const isChanged = read?.isChanged === true || Object.keys(tiles).length > 0;
    if (isChanged || (workspace !== null && read !== undefined)) {
      move.archive.add(
        'serviceSettings',
        path,
        { ...read?.fields, ...tiles },
        { source: root ? source : 'gwc-gs.xml' },
      );
    }
  }
}

function reportUsual({ report }: Move, subject: Subject): void {
  report.add('not-configuration', subject, 'All settings have the defaults of the server.');
}

/** Services that the server does not have. */
async function reportOtherServices(move: Move): Promise<void> {
  const folders = ['', ...move.index.workspaces.map(({ folder }) => `${folder}/`)];
  for (const folder of folders) {
    for (const service of ['wps', 'csw', 'cps', 'oseo']) {
      const source = `${folder}${service}.xml`;
      const root = await move.documents.read(source, [service], 'serviceSettings');
      if (root === undefined) continue;
      if (findFlag(root, 'enabled') === false) {
        move.report.add('not-configuration', { source, kind: 'serviceSettings' }, 'The service is disabled.');
        continue;
      }
      const message = `The service '${service.toUpperCase()}' is not supported.`;
      move.report.add('service-unsupported', { source, kind: 'serviceSettings' }, message);
    }
  }
}

/** The CRS definitions that a resource uses. */
export async function reportProjections(move: Move): Promise<void> {
  for (const file of move.files.listFiles('user_projections')) {
    const source = `user_projections/${file}`;
    const text = await move.documents.readText(source);
    const codes = [...(text ?? '').matchAll(/^\s*(\d{1,9})\s*[=:]/gm)].map(([, code = '']) => code);
    const used = codes.filter((code) => move.index.codes.has(`EPSG:${code}`));
    for (const code of used) {
      const message = `The definition of EPSG:${code} is not imported.`;
      move.report.add(
        'projection-unsupported',
        { source: `${source}#${code}` },
        message,
        'Use a code of the EPSG registry.',
      );
    }
    if (used.length === 0) move.report.add('file-unused', { source }, 'No resource uses a CRS of the file.');
  }
}
