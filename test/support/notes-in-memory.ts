/** Notes in memory, with the same publishing behavior as a storage. */
import type { Notes } from '../../src/storage/port/port.ts';

export function notesInMemory(): Notes {
  const notes = new Map<string, string>();
  const watchers = new Set<() => void>();
  let announced = 0;
  const put = (name: string, text: string | null) => void (text === null ? notes.delete(name) : notes.set(name, text));
  return {
    read: async (name) => notes.get(name),
    listNames: async (beginning) => [...notes.keys()].filter((name) => name.startsWith(beginning)).toSorted(),
    write: async (name, text) => put(name, text),
    async update(name, write) {
      const text = write(notes.get(name));
      if (text !== undefined) put(name, text);
      return text !== undefined;
    },
    async announce(name, write) {
      const text = write(notes.get(name), announced + 1);
      if (text === (notes.get(name) ?? null)) return undefined;
      announced += 1;
      put(name, text);
      for (const notify of watchers) notify();
      return announced;
    },
    getLastAnnouncement: () => announced,
    watch(notify) {
      watchers.add(notify);
      return () => watchers.delete(notify);
    },
  };
}
