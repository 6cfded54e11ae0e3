/** Reads the definition of a mosaic from the files in its folder; unknown contents are rejected or reported. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bounds } from '../../crs/bounds.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import type {
  CoverageDefinition,
  DefinitionResult,
  MosaicDefinition,
  MosaicDomain,
  RegexRule,
  SchemaAttribute,
} from './definition.ts';
import {
  checkCoverageName,
  createDefinitionError,
  createDefinitionWarnings,
  type DefinitionWarnings,
  type Entry,
  formatExcerpt,
} from './definition-error.ts';
import { DATASTORE_FILE, readIndexRequest } from './index-request.ts';
import { type CoverageEntry, type IndexerParts, readDomains } from './indexer-parts.ts';
import { readIndexerXml } from './indexer-xml.ts';
import { readPropertyFile } from './property-file.ts';
import { checkRegex, type DefinitionFiles, readCollector, readNameRule, splitCollectors } from './read-collectors.ts';
import { LOCATION, readSchemaText } from './schema-text.ts';

const INDEXER_PROPERTIES = 'indexer.properties';
const INDEXER_XML = 'indexer.xml';

/** Options of other servers that have no effect, each with the reason. */
const ignoredKeys: Readonly<Record<string, string>> = {
  Caching: 'granules are always found through the index',
  TypeName: 'an index always has the name of its coverage',
  LooseBBox: 'bounding boxes are always compared exactly',
  ExpandToRGB: 'palettes are always kept and rendered in their colours',
  NoData: 'the no-data value is read from each granule',
  IndexingDirectories: 'a folder on the server is harvested by a request that names it',
  HarvestingDirectory: 'a folder on the server is harvested by a request that names it',
  RootMosaicDirectory: 'the folder of the mosaic is the folder of its definition',
  AuxiliaryDatastoreFile: 'the contents of NetCDF files are read from the files',
  WrapStore: 'names in the index are never shortened',
  PropertySelection: 'the index is always read on demand',
  SkipExternalOverviews: 'overviews are read from the granules',
  CheckAuxiliaryMetadata: 'statistics files are not read',
  Levels: 'it is determined from the granules',
  LevelsNum: 'it is determined from the granules',
  ResolutionLevels: 'it is determined from the granules',
  Heterogeneous: 'granules may always have different resolutions',
  HeterogeneousCRS: 'granules may always have different coordinate reference systems',
  GranuleAcceptors:
    'granules with other coordinate reference systems are always accepted, and granules with other bands are always rejected',
  GranuleHandler: 'footprints are always computed in the coordinate reference system of the mosaic',
  SuggestedSPI: 'each granule determines how it is read',
  SuggestedIsSPI: 'each granule determines how it is read',
  SuggestedFormat: 'each granule determines how it is read',
  FootprintManagement: 'the footprint of a granule is the outline of its grid',
  StorePath: 'datastore.properties determines where the index is stored',
  ImposedBBox: 'Envelope2D determines the extent',
  InputCoverageName: 'coverage names are read from the data',
  ParentLocation: 'the folder of the mosaic is the folder of its definition',
};

const supportedKeys = [
  ...['Name', 'CanBeEmpty', 'AbsolutePath', 'PathType', 'Wildcard', 'Recursive', 'UseExistingSchema'],
  ...['LocationAttribute', 'MosaicCRS', 'Envelope2D', 'Schema', 'TimeAttribute', 'ElevationAttribute'],
  ...['AdditionalDomainAttributes', 'PropertyCollectors', 'AuxiliaryFile', 'CoverageNameCollectorSPI'],
];

/** A definition has some kilobytes; larger files are rejected. */
const MAX_FILE_BYTES = 1_048_576;

/** Each collector has at most one file. */
const MAX_FILES = 100;

/** Returns whether a file may be part of the definition instead of a granule. Subfolders contain none. */
export function isDefinitionFile(name: string): boolean {
  return /^[^/\\]+\.(?:properties|xml)$/i.test(name) && !/\.aux\.xml$/i.test(name);
}

/** Reads the definition files of a folder that has passed the path gate; links are ignored. */
export async function readDefinitionFiles(folder: string): Promise<DefinitionFiles> {
  const files = new Map<string, Uint8Array>();
  const names = (await readdir(folder)).filter(isDefinitionFile).toSorted();
  // Files with fixed names are read first, so that the limit never excludes them.
  const isFixed = (name: string): boolean => [INDEXER_PROPERTIES, INDEXER_XML, DATASTORE_FILE].includes(name);
  for (const name of [...names.filter(isFixed), ...names.filter((each) => !isFixed(each))].slice(0, MAX_FILES)) {
    const path = join(folder, name);
    const status = await lstat(path);
    if (!status.isFile()) continue;
    if (status.size <= MAX_FILE_BYTES) files.set(name, await readFile(path));
    else if (isFixed(name))
      throw createDefinitionError({ file: name, line: 1 }, name, `it exceeds the limit of ${MAX_FILE_BYTES} bytes`);
  }
  return files;
}

/**
 * Reads the definition of a mosaic from the files in its folder: `indexer.properties` or `indexer.xml`,
 * `datastore.properties`, the files of collectors, and the auxiliary file. Without any of them it is a mosaic of images
 * with an embedded index.
 *
 * Throws `mosaic-definition-invalid`, a 400 that names the key, the file and the line. Options without effect produce
 * warnings; unknown options do too, or are rejected in strict mode.
 */
export async function readDefinition(
  files: DefinitionFiles,
  options: { readonly isStrict: boolean } = { isStrict: false },
): Promise<DefinitionResult> {
  const notes = createDefinitionWarnings(options);
  const parts = readParts(files, notes);
  const { parameters } = parts;
  const schemaEntry = parameters.get('Schema');
  const auxiliary = readAuxiliaryParts(parameters, files, notes);
  const schema = schemaEntry === undefined ? (parts.schema ?? auxiliary?.schema) : readSchemaText(schemaEntry, notes);
  const written = parameters.get('PropertyCollectors');
  const collectors = [...(written === undefined ? [] : splitCollectors(written)), ...parts.collectors];
  const domains = [...readDomains(parameters), ...parts.domains];
  const coverages = mergeCoverages(parts.coverages, auxiliary?.coverages ?? []);
  const crs = await readCrs(parameters);
  const collectedName = parts.nameCollector ?? auxiliary?.nameCollector;
  const nameCollector =
    readNameCollector(parameters, notes) ?? (collectedName && readNameRule(collectedName, files, notes));
  const envelope = readEnvelope(parameters);
  const name = readCoverageName(parameters);
  const existing = parameters.get('UseExistingSchema');
  if (existing !== undefined && readFlag(parameters, existing.key, false)) {
    notes.warnIgnored(
      existing,
      existing.key,
      'the server creates the index itself; harvest the files that the table lists',
    );
  }
  const definition: MosaicDefinition = {
    ...(name === undefined ? {} : { name }),
    canBeEmpty: readFlag(parameters, 'CanBeEmpty', false),
    isAbsolutePath: isAbsolute(parameters),
    wildcard: readText(parameters, 'Wildcard') ?? '*.*',
    isRecursive: readFlag(parameters, 'Recursive', true),
    ...(crs === undefined ? {} : { crs }),
    ...(envelope === undefined ? {} : { envelope }),
    ...(schema === undefined ? {} : { schema }),
    domains,
    coverages,
    collectors: collectors.map((each) => readCollector(each, files, notes)),
    ...(nameCollector === undefined ? {} : { nameCollector }),
    index: readIndexRequest(files.get(DATASTORE_FILE), options, notes),
  };
  checkAttributes(definition, parts, collectors);
  warnUnusedFiles(files, collectedName === undefined ? collectors : [...collectors, collectedName], parameters, notes);
  return { definition, warnings: notes.warnings };
}

function readParts(files: DefinitionFiles, notes: DefinitionWarnings): IndexerParts {
  const xml = files.get(INDEXER_XML);
  const properties = files.get(INDEXER_PROPERTIES);
  const read = (): IndexerParts => {
    if (xml !== undefined) return readIndexerXml(INDEXER_XML, xml, notes);
    const entries = properties === undefined ? [] : readPropertyFile(INDEXER_PROPERTIES, properties);
    const parameters = new Map(entries.map((entry) => [entry.key, entry]));
    return { parameters, collectors: [], coverages: [], domains: [] };
  };
  if (xml !== undefined && properties !== undefined) {
    notes.warn(`${INDEXER_PROPERTIES} is ignored because ${INDEXER_XML} exists.`);
  }
  const parts = read();
  for (const entry of parts.parameters.values()) {
    if (supportedKeys.includes(entry.key)) continue;
    const reason = Object.entries(ignoredKeys).find(([key]) => key === entry.key)?.[1];
    if (reason === undefined) notes.warnUnknown(entry, entry.key, [...supportedKeys, ...Object.keys(ignoredKeys)]);
    else notes.warnIgnored(entry, entry.key, reason);
  }
  return parts;
}

/** The auxiliary file provides the names in the data; the indexer provides everything else. */
function mergeCoverages(
  indexed: readonly CoverageEntry[],
  auxiliary: readonly CoverageEntry[],
): readonly CoverageDefinition[] {
  const taken = new Set<string>();
  for (const { entry, name } of indexed) {
    if (taken.has(name))
      throw createDefinitionError(entry, entry.key, `two coverages are named '${formatExcerpt(name)}'`);
    taken.add(name);
  }
  const addLocation = ({ schema }: CoverageEntry): readonly SchemaAttribute[] | undefined => {
    if (schema === undefined || schema.some(({ name }) => name === LOCATION)) return schema;
    const location: SchemaAttribute = { role: 'location', name: LOCATION };
    return [...schema.slice(0, 1), location, ...schema.slice(1)];
  };
  const merged = indexed.length > 0 ? indexed : auxiliary;
  return merged.map((coverage) => {
    const same = auxiliary.find(({ name }) => name === coverage.name);
    const originalName = coverage.originalName ?? same?.originalName;
    const schema = coverage.schema ?? (same === undefined ? undefined : addLocation(same));
    const used = indexed.length > 0 ? schema : addLocation(coverage);
    return {
      name: coverage.name,
      ...(originalName === undefined || originalName === coverage.name ? {} : { originalName }),
      ...(used === undefined ? {} : { schema: used }),
      ...(coverage.domains === undefined ? {} : { domains: coverage.domains }),
    };
  });
}

function readAuxiliaryParts(
  parameters: ReadonlyMap<string, Entry>,
  files: DefinitionFiles,
  notes: DefinitionWarnings,
): IndexerParts | undefined {
  const entry = parameters.get('AuxiliaryFile');
  if (entry === undefined || entry.value === '') return undefined;
  const bytes = files.get(entry.value);
  if (bytes === undefined) {
    throw createDefinitionError(
      entry,
      entry.key,
      `the file '${formatExcerpt(entry.value)}' does not exist in the folder of the indexer`,
    );
  }
  const parts = readIndexerXml(entry.value, bytes, notes);
  for (const parameter of parts.parameters.values()) {
    notes.warnIgnored(parameter, parameter.key, 'an auxiliary file can only list coverages');
  }
  return parts;
}

/** The attributes of collectors, locations and domains must be in the schema, if there is one. */
function checkAttributes(
  definition: MosaicDefinition,
  { parameters, coverages }: IndexerParts,
  collectors: readonly {
    readonly file: string;
    readonly line: number;
    readonly spi: string;
    readonly attributes: readonly string[];
  }[],
): void {
  const schemas = [definition.schema, ...definition.coverages.map(({ schema }) => schema)].filter(
    (schema) => schema !== undefined,
  );
  const named = parameters.get('LocationAttribute');
  if (named !== undefined && named.value !== LOCATION) {
    throw createDefinitionError(named, named.key, `the location attribute must be named '${LOCATION}'`);
  }
  if (schemas.length === 0) return;
  const hasAttribute = (schema: readonly SchemaAttribute[], name: string): boolean =>
    schema.some((each) => each.name === name);
  for (const { attributes, spi, ...place } of collectors) {
    const missing = attributes.find((name) => !schemas.some((schema) => hasAttribute(schema, name)));
    if (missing !== undefined)
      throw createDefinitionError(
        place,
        spi,
        `no schema has the attribute '${formatExcerpt(missing)}' of this collector`,
      );
  }
  const anyEntry = [...parameters.values()][0] ??
    coverages[0]?.entry ?? { file: INDEXER_PROPERTIES, line: 1, key: 'Schema', value: '' };
  const place = (name: string): Entry => parameters.get(name) ?? anyEntry;
  for (const schema of schemas) {
    if (!hasAttribute(schema, LOCATION)) {
      throw createDefinitionError(place('Schema'), 'Schema', `the location attribute '${LOCATION}' is required`);
    }
  }
  const check = (domains: readonly MosaicDomain[], schema: readonly SchemaAttribute[], entry: Entry): void => {
    for (const { name, attributes, kind } of domains) {
      const missing = attributes.find((each) => !hasAttribute(schema, each));
      if (missing === undefined) continue;
      const key = kind === 'time' ? 'TimeAttribute' : kind === 'elevation' ? 'ElevationAttribute' : name;
      throw createDefinitionError(
        parameters.get(key) ?? entry,
        key,
        `the schema has no attribute '${formatExcerpt(missing)}'`,
      );
    }
  };
  if (definition.schema !== undefined)
    check(definition.domains, definition.schema, place('AdditionalDomainAttributes'));
  definition.coverages.forEach(({ schema, domains }, index) => {
    if (schema !== undefined && domains !== undefined) check(domains, schema, coverages[index]?.entry ?? anyEntry);
  });
}

/** Warns about files that look like definition files but are not used. */
function warnUnusedFiles(
  files: DefinitionFiles,
  collectors: readonly { readonly value: string }[],
  parameters: ReadonlyMap<string, Entry>,
  notes: DefinitionWarnings,
): void {
  const used = new Set([
    ...[INDEXER_PROPERTIES, INDEXER_XML, DATASTORE_FILE, parameters.get('AuxiliaryFile')?.value ?? ''],
    ...collectors.map(({ value }) => `${value.replace(/\.properties$/i, '')}.properties`),
  ]);
  for (const name of files.keys()) {
    if (!used.has(name))
      notes.warn(`The file '${formatExcerpt(name)}' is ignored: the definition does not refer to it.`);
  }
}

function readText(parameters: ReadonlyMap<string, Entry>, key: string): string | undefined {
  const entry = parameters.get(key);
  if (entry === undefined || entry.value === '') return undefined;
  if (entry.value.length > 200) throw createDefinitionError(entry, key, 'it exceeds the limit of 200 characters');
  if (/[\p{Cc}\u2028\u2029]/u.test(entry.value))
    throw createDefinitionError(entry, key, 'it contains a control character');
  return entry.value;
}

function readCoverageName(parameters: ReadonlyMap<string, Entry>): string | undefined {
  const entry = parameters.get('Name');
  if (entry === undefined || entry.value === '') return undefined;
  checkCoverageName(entry, entry.value);
  return entry.value;
}

function readFlag(parameters: ReadonlyMap<string, Entry>, key: string, byDefault: boolean): boolean {
  const entry = parameters.get(key);
  const word = entry?.value.toLowerCase() ?? '';
  if (entry === undefined || word === '') return byDefault;
  if (word === 'true' || word === 'false') return word === 'true';
  throw createDefinitionError(entry, key, `it must be true or false, not '${formatExcerpt(entry.value)}'`);
}

function isAbsolute(parameters: ReadonlyMap<string, Entry>): boolean {
  const pathType = parameters.get('PathType');
  switch (pathType?.value.toUpperCase() ?? '') {
    case '':
      return readFlag(parameters, 'AbsolutePath', false);
    case 'ABSOLUTE':
      return true;
    case 'RELATIVE':
      return false;
    default:
      throw createDefinitionError(
        pathType ?? { file: INDEXER_PROPERTIES, line: 1 },
        'PathType',
        `it must be RELATIVE or ABSOLUTE, not '${formatExcerpt(pathType?.value ?? '')}'`,
      );
  }
}

async function readCrs(parameters: ReadonlyMap<string, Entry>): Promise<string | undefined> {
  const entry = parameters.get('MosaicCRS');
  if (entry === undefined || entry.value === '') return undefined;
  const found = await findCrs(entry.value);
  if (found?.code === undefined || found.model === undefined) {
    throw createDefinitionError(
      entry,
      entry.key,
      `'${formatExcerpt(entry.value)}' is an unknown coordinate reference system; use a code such as EPSG:4326`,
    );
  }
  return found.code;
}

function readEnvelope(parameters: ReadonlyMap<string, Entry>): Bounds | undefined {
  const entry = parameters.get('Envelope2D');
  if (entry === undefined || entry.value === '') return undefined;
  const numbers = entry.value.split(/[\s,]+/).map(Number);
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = numbers;
  if (numbers.length === 4 && numbers.every(Number.isFinite) && minX < maxX && minY < maxY)
    return { minX, minY, maxX, maxY };
  throw createDefinitionError(
    entry,
    entry.key,
    'it must consist of the lower left and the upper right corner, for example 10,40 12,44',
  );
}

function readNameCollector(parameters: ReadonlyMap<string, Entry>, notes: DefinitionWarnings): RegexRule | undefined {
  const entry = parameters.get('CoverageNameCollectorSPI');
  if (entry === undefined || entry.value === '') return undefined;
  const [, regex] = /:\s*regex=([\s\S]+)$/.exec(entry.value) ?? [];
  if (regex !== undefined && /FileNameRegexNameCollectorSPI/i.test(entry.value)) {
    checkRegex({ ...entry, value: regex });
    return { regex, usesFullPath: false };
  }
  if (/DefaultCoverageNameCollectorSPI/i.test(entry.value)) {
    notes.warnIgnored(entry, entry.key, 'this is the default');
    return undefined;
  }
  throw createDefinitionError(
    entry,
    entry.key,
    'it must be FileNameRegexNameCollectorSPI:regex= followed by a regular expression',
  );
}
