/** The versions that are being read, whose rows are not deleted. */

export interface VersionHolds {
  /** The returned function releases the version. */
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
