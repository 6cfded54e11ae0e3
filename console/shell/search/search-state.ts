/** Whether the search is open: keys open it too. */
import { signal } from '@preact/signals';

export const isSearchOpen = signal(false);
