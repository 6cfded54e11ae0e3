/** The configuration as it was told last: whoever compares a document with it, or applies one, has mostly just read it. */
import type { Services } from '../../common/services.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { CompressedConfiguration } from './compressed-configuration.ts';
import { type ExportedConfiguration, exportConfiguration } from './export-resources.ts';
import type { Scope } from './scope.ts';

/** More is not kept in memory: ten thousand layers, with what they show, have about that, and are a tenth of it when packed. */
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
   * `services` show one state, in which nothing was written yet. All that is told follows from the records of that state, and
   * from bytes that they name by their hashes: it is the same as long as there is no other change.
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
    // What a draft stands on may not be durable yet, and its number another change's later.
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

/** Nobody who asked for it waits for that, and nothing of it is kept but what is packed. */
function cacheCompressed(configuration: ExportedConfiguration): CachedExport['open'] {
  // What cannot be packed is told anew.
  const packed = CompressedConfiguration.compress(configuration, MAX_CACHED_BYTES).catch(() => undefined);
  return async () => (await packed)?.decompress();
}

/** The same for scopes that mean the same. */
function formatScopeKey({ paths, kinds }: Scope): string {
  return JSON.stringify([paths.includes('/') ? [] : paths, kinds.toSorted()]);
}

function countConfigurationBytes({ resources }: ExportedConfiguration): number {
  return resources.reduce((size, { printed }) => size + printed.size, 0);
}
