/** Reads `datastore.properties`: an index in PostGIS, in a store of the catalog, or the embedded one. */
import { Problem } from '../../lib/problems/problem.ts';
import { checkParameters } from '../../vector/port/parameters.ts';
import { postgisDriver } from '../../vector/postgis/driver.ts';
import type { IndexRequest } from './definition.ts';
import { createDefinitionError, type DefinitionWarnings, type Entry, formatExcerpt } from './definition-error.ts';
import { readPropertyFile } from './property-file.ts';

export const DATASTORE_FILE = 'datastore.properties';

/** Index types of other servers, which the embedded index replaces. */
const embeddedKinds = /(?:H2|Shapefile|GeoPkg|Memory|Property)\w*DataStoreFactory$/i;

export function readIndexRequest(
  bytes: Uint8Array | undefined,
  options: { readonly isStrict: boolean },
  notes: DefinitionWarnings,
): IndexRequest {
  if (bytes === undefined) return { kind: 'embedded' };
  const entries = readPropertyFile(DATASTORE_FILE, bytes);
  const findEntry = (key: string): Entry | undefined => entries.find((entry) => entry.key === key);
  const place = { file: DATASTORE_FILE, line: 1 };
  const storeName = findEntry('StoreName');
  if (storeName !== undefined) return parseStoreRequest(storeName);
  const factory = findEntry('SPI');
  const dbtype = findEntry('dbtype');
  const kind =
    factory?.value ?? (dbtype?.value.toLowerCase() === 'postgis' ? 'PostgisNGDataStoreFactory' : dbtype?.value);
  if (kind === undefined) {
    throw createDefinitionError(
      place,
      'SPI',
      'it is required; for PostGIS use org.geotools.data.postgis.PostgisNGDataStoreFactory',
    );
  }
  if (embeddedKinds.test(kind) || /^h2$/i.test(kind)) {
    notes.warn(
      `${DATASTORE_FILE} requests an index of type ${formatExcerpt(kind)}. The embedded database is used instead.`,
    );
    return { kind: 'embedded' };
  }
  if (!/PostgisNGDataStoreFactory$/i.test(kind)) {
    throw createDefinitionError(
      factory ?? dbtype ?? place,
      factory?.key ?? 'dbtype',
      `'${formatExcerpt(kind)}' is not a supported index type; use PostGIS, or omit ${DATASTORE_FILE} for the embedded index`,
    );
  }
  return { kind: 'postgis', parameters: readPostgisParameters(entries, options, notes) };
}

function readPostgisParameters(
  entries: readonly Entry[],
  options: { readonly isStrict: boolean },
  notes: DefinitionWarnings,
): Readonly<Record<string, string>> {
  // Names are case-insensitive, as in the reference server.
  const known = new Map([...postgisDriver.parameterNames].map((name) => [name.toLowerCase(), name]));
  const parameters = Object.fromEntries([
    ['dbtype', 'postgis'],
    ...entries
      .filter(({ key }) => key !== 'SPI' && key !== 'dbtype')
      .map(({ key, value }) => [known.get(key.toLowerCase()) ?? key, value] as const),
  ]);
  try {
    for (const warning of checkParameters(postgisDriver, parameters, options)) notes.warn(warning);
    return parameters;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'store-parameter-invalid') throw error;
    const { parameter, reason } = error.details as { readonly parameter?: unknown; readonly reason?: unknown };
    const entry = entries.find(({ key }) => key.toLowerCase() === String(parameter).toLowerCase());
    throw createDefinitionError(entry ?? { file: DATASTORE_FILE, line: 1 }, String(parameter), String(reason));
  }
}

function parseStoreRequest(entry: Entry): IndexRequest {
  const [, workspace, name = ''] = /^(?:([^:]+):)?([^:]+)$/.exec(entry.value) ?? [];
  if (name === '') throw createDefinitionError(entry, entry.key, 'use the form workspace:store');
  return { kind: 'store', name, ...(workspace === undefined ? {} : { workspace }) };
}
