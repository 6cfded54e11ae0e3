/** Short ways to write into a vector source in tests. */
import type { NewFeatureType, VectorSource } from '../../src/vector/port/port.ts';

const never = new AbortController().signal;

/** Makes an empty table for good. */
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
