/** The keystore file of earlier versions; the first start migrates it into the record. */
import type { ClosedKeystore } from './closed-keystore.ts';

export interface KeystoreFile extends Pick<ClosedKeystore, 'wrappedDataKey' | 'scrypt' | 'sealedPassword'> {
  readonly format: 1;
  readonly id: string;
  /** The number of password changes. */
  readonly generation: number;
  readonly changedBy: string;
}

/** A higher cost indicates a foreign file, and must not exhaust the memory. */
const MAX_COST = 1_048_576;

/** Returns undefined for an invalid keystore file. */
export function parseKeystoreFile(text: string): KeystoreFile | undefined {
  const file = parseObject(text);
  const cost = file?.['scrypt'] as Record<string, unknown> | null | undefined;
  const isKeystore =
    file?.['format'] === 1 &&
    ['id', 'changedBy', 'wrappedDataKey', 'sealedPassword'].every((member) => typeof file[member] === 'string') &&
    Number.isSafeInteger(file['generation']) &&
    typeof cost?.['salt'] === 'string' &&
    ['cost', 'blockSize', 'parallelization'].every((member) => isCost(cost[member]));
  return isKeystore ? (file as unknown as KeystoreFile) : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isCost(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_COST;
}
