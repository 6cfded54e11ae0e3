/** Tells of changes whose work waits for anything else than the storage. */
import { vi } from 'vitest';
import type { Storage, WriteTransaction } from '../../src/storage/port/port.ts';

/** The descriptions of the changes that waited, in the order in which they did. */
export function watchChanges(storage: Storage): readonly string[] {
  const waited: string[] = [];
  for (const method of ['write', 'rehearse'] as const) {
    const original = storage[method].bind(storage) as Storage['write'];
    vi.spyOn(storage, method).mockImplementation(((author, work) =>
      original(author, (transaction) =>
        watched(transaction, work, () => waited.push(author.what)),
      )) as Storage['write'] as never);
  }
  return waited;
}

/** While the work waits for the storage, turns of the event loop do not count; any other turn is one too many. */
async function watched<T>(
  transaction: WriteTransaction,
  work: (transaction: WriteTransaction) => Promise<T>,
  tell: () => void,
): Promise<T> {
  let inStorage = 0;
  let isOver = false;
  const counted = new Proxy(transaction, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') {
        return value;
      }
      return async (...args: readonly unknown[]) => {
        inStorage += 1;
        try {
          return await value.apply(target, args);
        } finally {
          inStorage -= 1;
        }
      };
    },
  });
  const look = () => {
    if (isOver) {
      return;
    }
    if (inStorage === 0) {
      tell();
    } else {
      setImmediate(look);
    }
  };
  setImmediate(look);
  try {
    return await work(counted);
  } finally {
    isOver = true;
  }
}
