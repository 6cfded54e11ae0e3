/** Notes in memory, with the same publishing behavior as a storage. */
import type { Notes } from '../../src/storage/port/port.ts';

export function notesInMemory(): Notes {
  const kept = new Map<string, string>();
  const watchers = new Set<() => void>();
  let announced = 0;
  const put = (name: string, text: string | null) => void (text === null ? kept.delete(name) : kept.set(name, text));
  return {
    read: async (name) => kept.get(name),
    listNames: async (beginning) => [...kept.keys()].filter((name) => name.startsWith(beginning)).toSorted(),
    write: async (name, text) => put(name, text),
    async update(name, write) {
      const text = write(kept.get(name));
      if (text !== undefined) put(name, text);
      return text !== undefined;
    },
    async announce(name, write) {
      const text = write(kept.get(name), announced + 1);
      if (text === (kept.get(name) ?? null)) return undefined;
      announced += 1;
      put(name, text);
      for (const told of watchers) told();
      return announced;
    },
    getLastAnnouncement: () => announced,
    watch(told) {
      watchers.add(told);
      return () => watchers.delete(told);
    },
  };
}
