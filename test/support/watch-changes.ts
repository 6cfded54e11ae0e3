/** Reports changes whose work waits for anything other than the storage. */
import { vi } from 'vitest';
import type { Storage, WriteTransaction } from '../../src/storage/port/port.ts';

/** The descriptions of the changes that waited, in order. */
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

/** Long work of the main thread yields one turn at a time; external waits take many more. */
const MAX_IDLE_TURNS = 3;

/** Event loop turns during storage waits do not count. */
async function watched<T>(
  transaction: WriteTransaction,
  work: (transaction: WriteTransaction) => Promise<T>,
  tell: () => void,
): Promise<T> {
  let inStorage = 0;
  let idleTurns = 0;
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
    idleTurns = inStorage === 0 ? idleTurns + 1 : 0;
    if (idleTurns > MAX_IDLE_TURNS) {
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
