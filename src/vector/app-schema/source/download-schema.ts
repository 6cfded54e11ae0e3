/** Downloads remote schemas into the cache folder of the data directory, where the operator can also place them. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolderGate } from '../../../gates/folder-gate.ts';
import type { UrlGate } from '../../../gates/url-gate.ts';
import { createConcurrencyLimiter } from '../../../lib/async/concurrency-limiter.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { CACHE_FOLDER, findCachePath } from './schema-cache.ts';

/** The largest published schemas have one megabyte. */
const MAX_SCHEMA_BYTES = 16_777_216;

/** A slow server sends a schema within seconds. */
const DOWNLOAD_TIMEOUT_MS = 15_000;

/** The root element follows at most a licence text. */
const MAX_PROLOG_CHARACTERS = 65_536;

export function createSchemaDownloader(
  urlGate: UrlGate,
  dataDir: string,
): (address: string, signal: AbortSignal) => Promise<number> {
  // Two schemas can need the same new folder.
  const oneAtATime = createConcurrencyLimiter(1);
  const folder = createFolderGate({ dataDir, folder: CACHE_FOLDER });
  return async (address, signal) => {
    const refuse = (reason: string) => problem('url-unreachable', { url: address, reason });
    const [, ...names] = findCachePath(address)?.split('/') ?? [];
    const { body } = await urlGate.open(address, {
      signal,
      maxBytes: MAX_SCHEMA_BYTES,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      accept: 'application/xml, text/xml, */*;q=0.1',
    });
    const bytes = Buffer.concat(await body.toArray({ signal }));
    // An error page must not stay in the cache.
    if (!/<(?:[\w.-]+:)?schema[\s>]/.test(bytes.toString('latin1', 0, MAX_PROLOG_CHARACTERS))) {
      throw refuse('its response is not an XML schema');
    }
    await oneAtATime(() => write(names, bytes));
    return bytes.byteLength;
  };

  async function write(names: readonly string[], bytes: Uint8Array): Promise<void> {
    await mkdir(join(dataDir, CACHE_FOLDER), { recursive: true, mode: 0o700 });
    const { file } = await folder.prepareFile(names);
    const part = `${file}.${randomUUID()}.part`;
    try {
      await writeFile(part, bytes, { flag: 'wx', mode: 0o600 });
      await rename(part, file);
    } finally {
      await rm(part, { force: true });
    }
  }
}
