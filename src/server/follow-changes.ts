/** Loads records that the running server uses after each change of them, which another node may have made. */
import type { FastifyBaseLogger } from 'fastify';
import type { CatalogReader } from '../records/catalog.ts';
import type { Keystore } from '../security/keystore/keystore.ts';
import { findKeystore } from '../security/keystore/keystore-record.ts';
import type { Storage } from '../storage/port/port.ts';

/** A rotation on another node waits for the report of this node, so a failure is retried soon. */
const RETRY_MS = 1_000;

export interface FollowedKeystore {
  readonly storage: Pick<Storage, 'watch'>;
  readonly catalog: CatalogReader;
  readonly keystore: Pick<Keystore, 'refresh'>;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** Returns the function that ends it. */
export function followKeystore({ storage, catalog, keystore, logger }: FollowedKeystore): () => void {
  let known: number | undefined;
  return followChanges({
    storage,
    async load() {
      const version = (await findKeystore(catalog))?.version;
      if (version !== known) await keystore.refresh();
      known = version;
    },
    onError: (err) => logger.warn({ err }, 'cannot load the keystore or report its keys; retrying'),
  });
}

interface Followed {
  readonly storage: Pick<Storage, 'watch'>;
  readonly load: () => Promise<void>;
  /** Loading is retried afterwards. */
  readonly onError: (reason: unknown) => void;
}

/** Calls `load` after each change of any record, one call at a time. Returns the function that ends it. */
export function followChanges({ storage, load, onError }: Followed): () => void {
  let isReading = false;
  let hasChanged = false;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  async function loadChanges(): Promise<void> {
    while (hasChanged && !isStopped) {
      hasChanged = false;
      await load();
    }
  }

  function follow(): void {
    hasChanged = true;
    if (isReading || isStopped) return;
    clearTimeout(retry);
    isReading = true;
    loadChanges()
      .catch((reason: unknown) => {
        if (isStopped) return;
        onError(reason);
        retry = setTimeout(follow, RETRY_MS).unref();
      })
      .finally(() => {
        isReading = false;
      });
  }

  const stopWatching = storage.watch(follow);
  return () => {
    isStopped = true;
    clearTimeout(retry);
    stopWatching();
  };
}
