/** Compiles a mapping, and obtains schemas outside of its upload through the gates of the server. */
import { stat } from 'node:fs/promises';
import { createConcurrencyLimiter } from '../../../lib/async/concurrency-limiter.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import { type Diagnostic, formatExcerpt } from '../diagnostics.ts';
import type { MissingSchema } from '../xsd/read-schemas.ts';
import type { CompiledMapping, CompiledOutcome, MappingLocation } from './compile-mapping.ts';
import { CACHE_FOLDER, findCachePath, findServerPath } from './schema-cache.ts';

export interface SchemaSources {
  readonly compile: (place: MappingLocation, signal: AbortSignal) => Promise<CompiledOutcome>;
  /** Resolves a path on the server, and throws a Problem if access is not allowed. */
  readonly resolvePath: (path: string) => Promise<string>;
  /** Downloads a schema into the cache of the server; absent without network access. Returns its size in bytes. */
  readonly download?: ((address: string, signal: AbortSignal) => Promise<number>) | undefined;
}

/** A compiled mapping with the places of all its documents. */
export interface CollectedMapping extends CompiledMapping {
  readonly place: MappingLocation;
}

/** Chains of includes are shorter; every attempt reads all documents again. */
const MAX_ATTEMPTS = 50;

/** Spares the remote servers. */
const MAX_PARALLEL_DOWNLOADS = 6;

/** As much as a mapping can read. */
const MAX_DOWNLOADED_BYTES = 67_108_864;

/** Each attempt reveals the includes of the schemas that the previous one lacked. Throws `mapping-refused`. */
export async function collectMapping(
  place: MappingLocation,
  sources: SchemaSources,
  signal: AbortSignal,
): Promise<CollectedMapping> {
  const outside = new Map(place.outside);
  /** Why a schema is unavailable; undefined if it was obtained. */
  const results = new Map<string, string | undefined>();
  const limit = createConcurrencyLimiter(MAX_PARALLEL_DOWNLOADS);
  let downloadedBytes = 0;
  const download =
    sources.download &&
    (async (address: string) => {
      if (downloadedBytes > MAX_DOWNLOADED_BYTES) {
        throw problem('mapping-too-large', { what: 'All downloaded schemas together', limit: MAX_DOWNLOADED_BYTES });
      }
      downloadedBytes += (await sources.download?.(address, signal)) ?? 0;
    });
  for (let attempt = 1; ; attempt += 1) {
    const current = { ...place, outside };
    const outcome = await sources.compile(current, signal);
    if (outcome.kind === 'compiled') return { ...outcome, place: current };
    const wanted = outcome.missing.filter((schema) => !results.has(formatSchemaKey(schema)));
    const obtained = await Promise.all(
      wanted.map((schema) =>
        limit(async () => {
          const failure = await obtainSchema(schema, sources.resolvePath, download, outside);
          results.set(formatSchemaKey(schema), failure);
          return failure === undefined;
        }),
      ),
    );
    if (!obtained.includes(true) || attempt >= MAX_ATTEMPTS) {
      const missing = outcome.missing.map((schema) =>
        createMissingSchemaDiagnostic(schema, results.get(formatSchemaKey(schema))),
      );
      throw problem('mapping-refused', { reasons: [...outcome.complaints, ...missing] });
    }
  }
}

function formatSchemaKey({ address, serverDocument, location }: MissingSchema): string {
  return address ?? serverDocument ?? location;
}

/** Returns the reason if the schema is unavailable, as the end of a sentence. */
async function obtainSchema(
  { address, serverDocument }: MissingSchema,
  resolvePath: SchemaSources['resolvePath'],
  download: ((address: string) => Promise<void>) | undefined,
  outside: Map<string, string>,
): Promise<string | undefined> {
  const path = serverDocument === undefined ? undefined : findServerPath(serverDocument);
  try {
    if (serverDocument !== undefined && path !== undefined) {
      const file = await resolvePath(path);
      const status = await stat(file).catch(() => undefined);
      if (status?.isFile() !== true) return 'the file does not exist';
      outside.set(serverDocument, file);
      return undefined;
    }
    if (address === undefined) return 'only file:, http: and https: URLs can be read';
    if (download === undefined) return 'remote schemas are not downloaded';
    await download(address);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { reason } = error.details as { readonly reason?: unknown };
    return typeof reason === 'string' ? reason : error.message.replace(/\.$/, '');
  }
}

/** The number of referring files in a message. */
const MAX_LISTED_REFERENCES = 5;

function createMissingSchemaDiagnostic(schema: MissingSchema, reason: string | undefined): Diagnostic {
  const { location, address, neededBy } = schema;
  const [first = { file: '', line: 1 }] = neededBy;
  const asking = neededBy
    .slice(0, MAX_LISTED_REFERENCES)
    .map(({ file, line }) => `${formatExcerpt(file)}, line ${line}`);
  const more = neededBy.length - asking.length;
  const who = `Referenced by ${asking.join(' and ')}${more > 0 ? ` and ${more} more` : ''}.`;
  const isElsewhere = schema.isRemote || address !== undefined || location.startsWith('/');
  const cached = address === undefined ? undefined : findCachePath(address);
  const advice = `Alternatively add a copy to the archive and refer to it${cached === undefined ? '' : `, or add it to ${CACHE_FOLDER} as '${cached}'`}.`;
  const shown = formatLocation(schema.isRemote ? location : (address ?? location));
  const message = isElsewhere
    ? `The schema '${shown}' is unavailable: ${reason ?? 'it was not found'}. ${advice} ${who}`
    : `The schema '${shown}' is missing from the uploaded files. ${who}`;
  return { ...first, message };
}

function formatLocation(location: string): string {
  return location
    .replace(/\/\/[^/@]*@/, '//')
    .slice(0, 200)
    .toWellFormed();
}
