/** The kinds of stores there are. */

import { cascadedStoreKinds } from '../cascaded/cascaded-store.ts';
import { coverageStoreKind } from '../coverage-stores/coverage-store.ts';
import { dataStoreKind } from './data-store.ts';
import { anyStoreKind, type StoreKind } from './store.ts';

export const storeKinds: readonly StoreKind[] = [
  anyStoreKind(dataStoreKind),
  anyStoreKind(coverageStoreKind),
  ...Object.values(cascadedStoreKinds).map((kind) => anyStoreKind(kind)),
];
