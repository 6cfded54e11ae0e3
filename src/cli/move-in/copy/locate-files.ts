/** Finds the files of a store on this machine; those of a running source are downloaded. */
import type { WantedFile } from './data-copies.ts';
import type { DataPlace } from './data-place.ts';
import type { StoreFile } from './folder-files.ts';

/** As many requests as a running source receives at once. */
const MAX_RUNNING = 4;

/** Returns the files in their order. After a failure, no further file is located. */
export async function locateFiles(place: DataPlace, files: readonly StoreFile[]): Promise<readonly WantedFile[]> {
  const located: WantedFile[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    for (let file = files[next]; file !== undefined; file = files[next]) {
      const index = next;
      next += 1;
      located[index] = { name: file.name, file: await place.locate(file.path), label: file.path };
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_RUNNING }, run));
  } finally {
    next = files.length;
  }
  return located;
}
