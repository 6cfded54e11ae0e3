/** Caches the last export: a client that compares or applies a document has usually just read one. */
import type { Services } from '../../common/services.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { CompressedConfiguration } from './compressed-configuration.ts';
import { type ExportedConfiguration, exportConfiguration } from './export-resources.ts';
import type { Scope } from './scope.ts';

/** Memory limit: about ten thousand layers with their resources, which compress to a tenth. */
const MAX_CACHED_BYTES = 16_777_216;

interface CachedExport {
  readonly position: number;
  readonly scope: string;
  /** Undefined where it is too large. */
  open(): Promise<ExportedConfiguration | undefined>;
}

export class ExportCache {
  #last: CachedExport | undefined;

  /**
   * `services` show one state without pending writes. The export depends only on the records of that state and on
   * files identified by hash, so it stays valid until the next change.
   */
  async getConfiguration(
    kinds: readonly ConfigurationKind[],
    services: Services,
    asked: Scope,
  ): Promise<ExportedConfiguration> {
    const position = services.catalog.position();
    const scope = formatScopeKey(asked);
    const last = this.#last?.position === position && this.#last.scope === scope ? this.#last : undefined;
    const before = await last?.open();
    if (before !== undefined) {
      return before;
    }
    const configuration = await exportConfiguration(kinds, services, asked);
    // The base of a draft may not be durable yet, and its number may later belong to another change.
    const isDurable = services.catalog.everyWritten === undefined;
    if (isDurable && last === undefined) {
      this.#last = { position, scope, open: cacheConfiguration(configuration) };
    }
    return configuration;
  }
}

function cacheConfiguration(configuration: ExportedConfiguration): CachedExport['open'] {
  return countConfigurationBytes(configuration) <= MAX_CACHED_BYTES
    ? async () => configuration
    : cacheCompressed(configuration);
}

/** Compression runs after the response, and only its result is kept. */
function cacheCompressed(configuration: ExportedConfiguration): CachedExport['open'] {
  // If compression fails, the export is rebuilt on the next request.
  const packed = CompressedConfiguration.compress(configuration, MAX_CACHED_BYTES).catch(() => undefined);
  return async () => (await packed)?.decompress();
}

/** A cache key that is equal for equivalent scopes. */
function formatScopeKey({ paths, kinds }: Scope): string {
  return JSON.stringify([paths.includes('/') ? [] : paths, kinds.toSorted()]);
}

function countConfigurationBytes({ resources }: ExportedConfiguration): number {
  return resources.reduce((size, { printed }) => size + printed.size, 0);
}
