/** All kinds of stores. */

import { cascadedStoreKinds } from './cascaded-store.ts';
import { coverageStoreKind } from './coverage-store.ts';
import { dataStoreKind } from './data-store.ts';
import { type StoreKind, toAnyStoreKind } from './store.ts';

export const storeKinds: readonly StoreKind[] = [
  toAnyStoreKind(dataStoreKind),
  toAnyStoreKind(coverageStoreKind),
  ...Object.values(cascadedStoreKinds).map((kind) => toAnyStoreKind(kind)),
];
