/** Lists of coverages and their selection. */
import { createListParameter, createResourceListing } from '../resources/listing.ts';

export const coverageListing = createResourceListing('coverage', {
  published: 'Coverages',
  native: 'Coverages of the data',
});

export type ListChoice = 'configured' | 'available' | 'all';

export const listParameter = createListParameter(['available', 'all']);
