/** Small objects in an S3-compatible store that can be created again: none is confirmed, and reads are not repeated. */
import {
  ObjectRequests,
  ObjectStoreError,
  type ObjectStoreOptions,
  readElement,
  requireMissingObject,
} from './send-request.ts';

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** A caller that reads has a deadline. Overloads pass within a few attempts of a write or a list. */
const times = { idleMs: 30_000, attempts: 3, firstPauseMs: 200 };

/** Larger than any tile: 4,096 x 4,096 pixels of 4 bytes, and a header. */
const MAX_OBJECT_BYTES = 68_000_000;

/** Lists have at most 1,000 keys of at most 1,024 bytes, which are escaped. */
const MAX_LIST_BYTES = 16_777_216;

export class S3CacheStore {
  readonly shown: string;
  readonly #requests: ObjectRequests;
  /** Precedes every key of the store, and not those of callers. */
  readonly #storePrefix: string;

  constructor(options: ObjectStoreOptions) {
    this.shown = options.location.shown;
    this.#storePrefix = options.location.prefix;
    this.#requests = new ObjectRequests({ times, ...options });
  }

  /** Returns undefined for a missing object. */
  async read(key: string, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      const request = { method: 'GET', key, signal } as const;
      const { status, bytes } = await this.#requests.exchangeBytes(request, [200, 404], MAX_OBJECT_BYTES);
      if (status === 200) return bytes;
      requireMissingObject(bytes.toString('utf8'));
      return undefined;
    } catch (error) {
      throw this.#requests.toProblem(error);
    }
  }

  async write(key: string, content: Buffer, signal: AbortSignal): Promise<void> {
    await this.#requests.exchange({ method: 'PUT', key, body: content, signal }, [200, 201, 204]);
  }

  /** Lists the objects whose keys start with this text in batches. */
  async *list(prefix: string, signal: AbortSignal): AsyncGenerator<readonly ListedObject[]> {
    let last: string | undefined;
    for (;;) {
      const page = await this.#requests.repeat(() => this.#listPage(prefix, last, signal));
      if (page.objects.length > 0) yield page.objects;
      if (!page.isTruncated) return;
      if (page.last === undefined || page.last === last) {
        throw this.#requests.toProblem(new ObjectStoreError('the store returned a page without keys', 200, undefined));
      }
      last = page.last;
    }
  }

  /** Uses the first version of this request: all stores have it, and it continues after a key that is known. */
  async #listPage(prefix: string, after: string | undefined, signal: AbortSignal): Promise<ListPage> {
    const query = {
      prefix: `${this.#storePrefix}${prefix}`,
      ...(after === undefined ? {} : { marker: after }),
    };
    const request = { method: 'GET', key: '', query, signal, isOfBucket: true } as const;
    const { bytes } = await this.#requests.exchangeBytes(request, [200], MAX_LIST_BYTES);
    return parseList(bytes.toString('utf8'), this.#storePrefix);
  }

  /** Succeeds if the object does not exist. */
  async delete(key: string): Promise<void> {
    await this.#requests.exchange({ method: 'DELETE', key }, [200, 202, 204, 404]);
  }

  close(): void {
    this.#requests.close();
  }
}

interface ListPage {
  readonly objects: readonly ListedObject[];
  /** The last key, with the prefix of the store. */
  readonly last: string | undefined;
  readonly isTruncated: boolean;
}

/** Ignores objects without a size or a time. */
function parseList(text: string, storePrefix: string): ListPage {
  if (!/<ListBucketResult[\s>]/.test(text)) {
    throw new ObjectStoreError('the store returned no list of objects', 200, undefined);
  }
  const entries = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: readElement(entry, 'Key') ?? '',
    bytes: Number(readElement(entry, 'Size') ?? Number.NaN),
    modifiedAtMs: Date.parse(readElement(entry, 'LastModified') ?? ''),
  }));
  return {
    objects: entries.flatMap(({ key, bytes, modifiedAtMs }) =>
      key.startsWith(storePrefix) && !Number.isNaN(bytes) && !Number.isNaN(modifiedAtMs)
        ? [{ key: key.slice(storePrefix.length), bytes, modifiedAtMs }]
        : [],
    ),
    last: entries.at(-1)?.key,
    isTruncated: readElement(text, 'IsTruncated') === 'true',
  };
}
