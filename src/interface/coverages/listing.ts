/** Lists of coverages, and which of them can be asked for. */
import { listParameterOf, resourceListing } from '../resources/listing.ts';

export const coverageListing = resourceListing('coverage', { published: 'Coverages', native: 'Coverages of the data' });

export type ListChoice = 'configured' | 'available' | 'all';

export const listParameter = listParameterOf(['available', 'all']);
