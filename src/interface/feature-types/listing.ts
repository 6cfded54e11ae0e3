/** Lists of feature types and their selection. */
import { createListParameter, createResourceListing } from '../resources/listing.ts';

export const featureTypeListing = createResourceListing('featureType', {
  published: 'Feature types',
  native: 'Types of the data',
});

export type ListChoice = 'configured' | 'available' | 'available_with_geom' | 'all';

export const listParameter = createListParameter(['available', 'available_with_geom', 'all']);
