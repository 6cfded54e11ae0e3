/** The active list: the enabled providers in the order in which they are queried. One record, so updates are atomic. */

import { problem } from '../../../lib/problems/problem.ts';
import type { CatalogReader, CatalogTransaction } from '../../../records/catalog.ts';
import type { RecordBase, RecordKind } from '../../../records/record.ts';

export interface ProviderOrder extends RecordBase {
  readonly kind: 'authProviderOrder';
  readonly names: readonly string[];
}

export const providerOrderKind: RecordKind<ProviderOrder> = {
  kind: 'authProviderOrder',
  keys: {},
  secrets: {},
};

export const PROVIDER_ORDER = 'authproviderNames';

export async function listActiveNames(catalog: CatalogReader): Promise<readonly string[]> {
  const order = await catalog.find(providerOrderKind, null, PROVIDER_ORDER);
  return order?.names ?? [];
}

export async function writeActiveNames(transaction: CatalogTransaction, names: readonly string[]): Promise<void> {
  const order = await transaction.find(providerOrderKind, null, PROVIDER_ORDER);
  if (order === undefined) {
    await transaction.insert(providerOrderKind, { parent: null, name: PROVIDER_ORDER, names });
  } else {
    await transaction.update(providerOrderKind, { ...order, names });
  }
}

/** Returns the list with a new name at a position, or at the end. */
export function insertName(names: readonly string[], name: string, position: number | null): readonly string[] {
  return names.toSpliced(checkPosition(position ?? names.length, names.length), 0, name);
}

/** Returns the list with one of its names moved to a position. */
export function moveName(names: readonly string[], name: string, position: number): readonly string[] {
  if (!names.includes(name)) {
    throw problem('auth-provider-disabled', { name, field: 'position' });
  }
  checkPosition(position, names.length - 1);
  return names.filter((each) => each !== name).toSpliced(position, 0, name);
}

function checkPosition(position: number, last: number): number {
  if (position < 0 || position > last) {
    throw problem('auth-provider-position', { position, last, field: 'position' });
  }
  return position;
}
