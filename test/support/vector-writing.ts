/** Helpers to write vector sources in tests. */
import type { NewFeatureType, VectorSource } from '../../src/vector/port/port.ts';

const never = new AbortController().signal;

/** Creates an empty table and commits it. */
export async function createType(source: VectorSource, type: NewFeatureType): Promise<void> {
  const session = await source.startWriting?.(never);
  if (session === undefined) throw new Error('it cannot write');
  try {
    await session.createType(type);
    await session.commit();
  } catch (error) {
    await session.rollback();
    throw error;
  }
}
