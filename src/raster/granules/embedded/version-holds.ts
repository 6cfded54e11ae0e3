/** The versions that somebody is reading: what they show is not cleared away meanwhile. */

export interface VersionHolds {
  /** The function that comes back lets go of it. */
  hold(version: number): () => void;
  listHeld(): readonly number[];
}

export function createVersionHolds(): VersionHolds {
  const counts = new Map<number, number>();
  return {
    hold(version) {
      counts.set(version, (counts.get(version) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (counts.get(version) ?? 1) - 1;
        if (left === 0) counts.delete(version);
        else counts.set(version, left);
      };
    },
    listHeld: () => [...counts.keys()],
  };
}
