/** The kinds of stores there are. */
import { dataStoreKind } from './data-store.ts';
import { anyStoreKind, type StoreKind } from './store.ts';

export const storeKinds: readonly StoreKind[] = [anyStoreKind(dataStoreKind)];
