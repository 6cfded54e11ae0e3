/** A hook after every storage read, so that a test can write between any two reads. */
import type { RecordReader, Storage } from '../../src/storage/port/port.ts';

const reads: Readonly<Record<keyof RecordReader, true>> = {
  find: true,
  get: true,
  list: true,
  findByKey: true,
  listChildren: true,
  countChildren: true,
  listNames: true,
  listKeyValues: true,
  count: true,
  listOfKind: true,
};

/** From now on each read of the storage and its snapshots waits for `afterRead`. */
export function betweenReads(storage: Storage, afterRead: () => Promise<void>): void {
  const watch = <R extends RecordReader>(reader: R): R =>
    new Proxy(reader, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function') return value;
        if (!(member in reads)) return value.bind(target);
        return async (...sent: unknown[]) => {
          const found: unknown = await value.apply(target, sent);
          await afterRead();
          return found;
        };
      },
    });
  const watched = watch(storage);
  const takeSnapshot = storage.snapshot.bind(storage);
  const own = Object.keys(reads).map((name) => [name, watched[name as keyof RecordReader]]);
  Object.assign(storage, Object.fromEntries(own), { snapshot: () => watch(takeSnapshot()) });
}
