/** Blobs that are durable in a bundle and have no file yet. */
import type { Bundle } from './bundles.ts';
import type { Hash } from './port.ts';

export class UnsettledBlobs {
  readonly #createFiles: (bundle: Bundle) => Promise<void>;
  readonly #bytes = new Map<Hash, Uint8Array>();
  readonly #bundles: Bundle[] = [];
  #settling: Promise<void> = Promise.resolve();

  /** `createFiles` creates the files of all blobs in a bundle and deletes the bundle. */
  constructor(createFiles: (bundle: Bundle) => Promise<void>) {
    this.#createFiles = createFiles;
  }

  add(bundle: Bundle): void {
    for (const [hash, bytes] of bundle.contents) this.#bytes.set(hash, bytes);
    this.#bundles.push(bundle);
  }

  find(hash: Hash): Uint8Array | undefined {
    return this.#bytes.get(hash);
  }

  /** Settles one bundle after the other. A bundle that fails is tried again the next time. */
  settle(): Promise<void> {
    this.#settling = this.#settling
      .catch(() => undefined)
      .then(async () => {
        for (let [next] = this.#bundles; next !== undefined; [next] = this.#bundles) {
          await this.#createFiles(next);
          this.#bundles.shift();
          // A later bundle may contain the same blob.
          for (const hash of next.contents.keys()) {
            if (!this.#bundles.some(({ contents }) => contents.has(hash))) this.#bytes.delete(hash);
          }
        }
      });
    return this.#settling;
  }
}
