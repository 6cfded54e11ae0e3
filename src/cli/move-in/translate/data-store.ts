/** Translates the connection parameters of data stores. */
import type { Json } from '../../../lib/json/value.ts';
import { child } from '../../../lib/xml/elements.ts';
import { findFlag, findText, readEntries, toObject } from '../read/values.ts';
import type { Subject } from '../report/report.ts';
import { copyData } from './copy-data.ts';
import { type DataPath, translateDataPath } from './data-paths.ts';
import type { Move } from './move.ts';
import { disableForPlaceholder, reportMissingCheck, type StoreDocument, type StoreFields } from './store-document.ts';
import { adviseDataStore, findDataStoreType, type Parameters, type SupportedType } from './store-types.ts';
import { readSecret } from './stored-secret.ts';
import type { UrlChecks } from './url-checks.ts';

/** Returns whether the store is supported; the report has the reason otherwise. */
export async function translateDataStore(
  move: Move,
  { root, path, subject }: StoreDocument,
  fields: StoreFields,
  checks: UrlChecks,
): Promise<boolean> {
  const written = new Map(
    readEntries(child(root, 'connectionParameters')).flatMap(({ key, text }) =>
      text === undefined || text.trim() === '' || key === 'namespace' ? [] : [[key, text] as const],
    ),
  );
  const type = findText(root, 'type') ?? written.get('dbtype') ?? '';
  const parameters = replaceJndi(move, written, subject, type);
  if (parameters === undefined) return false;
  const supported = findDataStoreType(parameters);
  if (supported === undefined) {
    const remedy = adviseDataStore(parameters, type);
    move.report.add('store-type-unsupported', subject, `Store type '${type}' is not supported.`, remedy);
    return false;
  }
  const values = await translateParameters(move, { path, subject, supported, fields }, parameters);
  if (values === undefined) return false;
  const url = supported.urlParameter === undefined ? undefined : values.get(supported.urlParameter);
  if (typeof url === 'string' && !checks.allow(url, subject.source)) {
    reportMissingCheck(move, subject, url);
    return false;
  }
  fields.set('connectionParameters', toObject(values));
  const isDefault = findFlag(root, '__default') ?? findFlag(root, '_default');
  if (isDefault === true) fields.set('_default', true);
  return true;
}

interface StoreTarget {
  readonly path: string;
  readonly subject: Subject;
  readonly supported: SupportedType;
  readonly fields: StoreFields;
}

/** Returns undefined if a path cannot be used. */
async function translateParameters(
  move: Move,
  { path, subject, supported, fields }: StoreTarget,
  parameters: Parameters,
): Promise<ReadonlyMap<string, Json> | undefined> {
  const values = new Map<string, Json>();
  for (const [name, text] of parameters) {
    if (supported.names?.has(name) === false) {
      reportIgnoredParameter(move, subject, name);
      continue;
    }
    if (supported.secrets.includes(name)) {
      const secret = readSecret(move, { path, field: name, stored: text, subject });
      if (secret !== undefined) values.set(name, secret);
      continue;
    }
    const [, whole] = /^\s*\$\{([A-Za-z_][A-Za-z0-9_.]*)\}\s*$/.exec(text) ?? [];
    const value = whole === undefined ? move.secrets.expandText(text) : move.secrets.readVariable(whole);
    if (value === undefined) {
      disableForPlaceholder(move, fields, subject, text);
      if (name !== 'port') values.set(name, formatUnset(text));
    } else if (name === supported.pathParameter && typeof value === 'string' && !isDatabaseUri(value)) {
      const translated = translateDataPath(move, value, subject);
      if (translated === undefined) return undefined;
      const copied = await copyParameter(move, { path, subject, supported, fields }, translated);
      values.set(name, copied ?? translated.url);
    } else {
      values.set(name, name === 'dbtype' && value === 'postgisng' ? 'postgis' : value);
    }
  }
  for (const name of supported.secrets) {
    const given = values.has(name) ? undefined : move.secrets.write(path, name, undefined);
    if (given !== undefined) values.set(name, given);
  }
  return values;
}

/** The value can be a credential. */
function reportIgnoredParameter({ report }: Move, subject: Subject, name: string): void {
  report.add('setting-ignored', subject, `The parameter '${name}' has no equivalent.`);
}

/** Returns the URL of the copied files; undefined if the store keeps its path. */
async function copyParameter(
  move: Move,
  { path, subject, supported, fields }: StoreTarget,
  data: DataPath,
): Promise<string | undefined> {
  if (move.options.copies === undefined) return undefined;
  if (supported.data === undefined) {
    const message = `'${data.url}' belongs to a database and is not copied.`;
    move.report.add('data-not-copied', subject, message, 'Copy it to this path on the target.');
    return undefined;
  }
  const copied = await copyData(move, { path, subject }, supported.data, data);
  if (copied !== undefined) fields.set('files', copied.files);
  return copied?.url;
}

/** `${DB_HOST}` -> `db-host`, which is a valid name of a host. */
function formatUnset(text: string): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
}

function isDatabaseUri(text: string): boolean {
  return /^mongodb(?:\+srv)?:/i.test(text);
}

/** Replaces a JNDI reference by the address of `--jndi`; undefined if the store is not supported. */
function replaceJndi(move: Move, parameters: Parameters, subject: Subject, type: string): Parameters | undefined {
  const name = parameters.get('jndiReferenceName');
  if (name === undefined) return parameters;
  const isPostgis = /^postgis/i.test(parameters.get('dbtype')?.trim() ?? '');
  const address = isPostgis ? move.options.databases.get(name) : undefined;
  if (address === undefined) {
    move.report.add(
      'store-type-unsupported',
      subject,
      `Store type '${type}' refers to the JNDI resource '${name}'.`,
      isPostgis
        ? `Use --jndi ${name}=postgres://USER@HOST:PORT/DATABASE, and --secrets for the password.`
        : 'Replace it in GeoServer with a store that has host, port, database, user and passwd.',
    );
    return undefined;
  }
  const { host, port, database, user } = address;
  const others = [...parameters].filter(([key]) => key !== 'jndiReferenceName');
  return new Map([...others, ['host', host], ['port', port], ['database', database], ['user', user]]);
}
